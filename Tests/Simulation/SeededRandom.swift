internal import Base

/// SplitMix64: the same octets for the same seed on every machine.
package struct SeededRandom: RandomSource, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    package mutating func fill(_ bytes: inout MutableSpan<UInt8>) {
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: next()) }
    }
}

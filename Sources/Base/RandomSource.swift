/// Where random octets come from: the system's generator in the product, a seed in a simulation.
///
/// Machines never draw from a source of their own; they are given one, or the drawn value.
package protocol RandomSource {
    /// Overwrites the whole of `bytes`.
    mutating func fill(_ bytes: inout MutableSpan<UInt8>)
}

extension RandomSource {
    package mutating func bytes<let size: Int>() -> FixedBytes<size> {
        var value = FixedBytes<size>()
        var span = value.mutableSpan
        fill(&span)
        return value
    }

    package mutating func uint64() -> UInt64 {
        let bytes: FixedBytes<8> = bytes()
        var value: UInt64 = 0
        for index in 0..<8 { value |= UInt64(bytes[index]) << UInt64(8 * index) }
        return value
    }

    package mutating func uint32() -> UInt32 { UInt32(truncatingIfNeeded: uint64()) }
    package mutating func uint16() -> UInt16 { UInt16(truncatingIfNeeded: uint64()) }

    /// A number in 0 ..< 1 with 53 random bits.
    package mutating func unitInterval() -> Double {
        Double(uint64() >> 11) * 0x1p-53
    }
}

package import Base

/// What happened in a simulation, as one number: two runs that took the same course have the
/// same, in debug and release and on every machine.
package struct Trace: Sendable, Equatable {
    /// FNV-1a over everything noted.
    package private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    package private(set) var count = 0

    package init() {}

    package enum Kind: UInt8, Sendable {
        case datagram, write, note, packet
    }

    package mutating func note(_ kind: Kind, at now: Instant, _ bytes: [UInt8]) {
        count += 1
        add(kind.rawValue)
        add(number: UInt64(bitPattern: Int64(now.nanoseconds)))
        add(number: UInt64(bytes.count))
        for byte in bytes { add(byte) }
    }

    private mutating func add(number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            add(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    private mutating func add(_ byte: UInt8) {
        digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}

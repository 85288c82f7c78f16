package import Base

/// A UUID of 128 bits; those of 16 are the Bluetooth base UUID with their number in it.
/// Bluetooth Core, volume 3, part B, §2.5.1.
package struct BluetoothUUID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// - Parameters: the two halves as the UUID is written.
    package init(_ high: UInt64, _ low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(_ number: UInt16) {
        self.init(UInt64(number) << 32 | 0x1000, 0x8000_0080_5F9B_34FB)
    }

    /// - Parameter octets: 2 or 16, least significant first.
    package init?(_ octets: Span<UInt8>) {
        var reader = ByteReader(octets)
        switch octets.count {
        case 2:
            guard let number = try? reader.uint16() else { return nil }
            self.init(number)
        case 16:
            guard let low = try? reader.uint64(), let high = try? reader.uint64() else {
                return nil
            }
            self.init(high, low)
        default: return nil
        }
    }

    /// Of those made from 16 bits.
    package var number: UInt16? {
        let number = UInt16(truncatingIfNeeded: high >> 32)
        return self == BluetoothUUID(number) ? number : nil
    }

    /// Octets on the air.
    package var octets: Int { number == nil ? 16 : 2 }

    @_lifetime(writer: copy writer)
    package func write(_ writer: inout ByteWriter) throws(ByteError) {
        if let number { return try writer.uint16(number) }
        try writer.uint64(low)
        try writer.uint64(high)
    }
}

extension BluetoothUUID {
    /// Matter's service and its characteristics. Core §4.20.2.
    package static let matter = BluetoothUUID(0xFFF6)
    /// C1: the client writes it.
    package static let c1 = BluetoothUUID(0x18EE_2EF5_263D_4559, 0x959F_4F9C_429F_9D11)
    /// C2: the server indicates it.
    package static let c2 = BluetoothUUID(0x18EE_2EF5_263D_4559, 0x959F_4F9C_429F_9D12)
    /// C3: additional commissioning data, read; optional.
    package static let c3 = BluetoothUUID(0x6463_0238_8772_45F2, 0xB87D_748A_8321_8F04)

    /// Bluetooth Assigned Numbers §3.3 and §3.5.
    package static let primaryService = BluetoothUUID(0x2800)
    package static let characteristic = BluetoothUUID(0x2803)
    package static let clientConfiguration = BluetoothUUID(0x2902)
}

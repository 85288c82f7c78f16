package import Base

/// What a device that waits to be commissioned says in its advertisements. Core §5.4.2.5.6.
package struct CommissionableAdvertisement: Equatable, Sendable {
    /// 12 bits.
    package var discriminator: UInt16
    /// 4 bits; 0 is the only version there is.
    package var version: UInt8
    /// Nil when the device does not say.
    package var vendorID: VendorID?
    /// Nil when the device does not say.
    package var productID: ProductID?
    /// There is a C3 to read.
    package var hasAdditionalData: Bool
    /// The device goes on advertising for longer than 15 minutes.
    package var isExtended: Bool

    package init(
        discriminator: UInt16, vendorID: VendorID?, productID: ProductID?, version: UInt8 = 0,
        hasAdditionalData: Bool = false, isExtended: Bool = false
    ) {
        precondition(discriminator < 1 << 12 && version < 1 << 4, "12 bits and 4")
        self.discriminator = discriminator
        self.version = version
        self.vendorID = vendorID
        self.productID = productID
        self.hasAdditionalData = hasAdditionalData
        self.isExtended = isExtended
    }

    /// Looks through a whole advertisement, whatever else is in it. Structures after one that is
    /// cut short are not looked at; reserved bits are passed over, as are octets behind those of
    /// this edition.
    /// - Returns: nil when there is no Matter service data of a commissionable device.
    package init?(_ advertisement: Span<UInt8>) {
        guard advertisement.count <= Limits.advertisingBytes else { return nil }
        // Length, type, data; a length of zero ends them. Bluetooth Core, volume 3, part C, §11.
        var reader = ByteReader(advertisement)
        while let length = try? reader.uint8(), length > 0,
            let structure = try? reader.bytes(count: Int(length))
        {
            guard structure[0] == AdvertisingType.serviceData16 else { continue }
            if let found = Self(serviceData: structure.extracting(1...)) {
                self = found
                return
            }
        }
        return nil
    }

    /// - Parameter data: the UUID and what follows it.
    private init?(serviceData data: Span<UInt8>) {
        var reader = ByteReader(data)
        do throws(ByteError) {
            guard try reader.uint16() == BluetoothUUID.matter.number else { return nil }
            guard try reader.uint8() == Self.commissionable else { return nil }
            let discriminator = try reader.uint16()
            self.discriminator = discriminator & 0x0FFF
            version = UInt8(discriminator >> 12)
            let (vendor, product) = (try reader.uint16(), try reader.uint16())
            vendorID = vendor == 0 ? nil : VendorID(vendor)
            productID = product == 0 ? nil : ProductID(product)
            let flags = try reader.uint8()
            hasAdditionalData = flags & Self.additionalDataFlag != 0
            isExtended = flags & Self.extendedFlag != 0
        } catch { return nil }
    }

    /// Octets of what `write` writes; a legacy advertisement has room for 31.
    package static let octets = 15

    /// Writes the whole advertisement: the flags and the service data.
    @_lifetime(writer: copy writer)
    package func write(_ writer: inout ByteWriter) throws(ByteError) {
        try writer.uint8(2)
        try writer.uint8(AdvertisingType.flags)
        // General discoverable, no classic Bluetooth.
        try writer.uint8(0x06)
        try writer.uint8(11)
        try writer.uint8(AdvertisingType.serviceData16)
        try BluetoothUUID.matter.write(&writer)
        try writer.uint8(Self.commissionable)
        try writer.uint16(discriminator | UInt16(version) << 12)
        try writer.uint16(vendorID?.rawValue ?? 0)
        try writer.uint16(productID?.rawValue ?? 0)
        try writer.uint8(
            (hasAdditionalData ? Self.additionalDataFlag : 0)
                | (isExtended ? Self.extendedFlag : 0))
    }

    /// The opcode; 0x01, network recovery, is for devices that are commissioned.
    private static let commissionable: UInt8 = 0x00
    private static let additionalDataFlag: UInt8 = 0x01
    private static let extendedFlag: UInt8 = 0x02
}

/// Bluetooth Assigned Numbers §2.3.
private enum AdvertisingType {
    static let flags: UInt8 = 0x01
    static let serviceData16: UInt8 = 0x16
}

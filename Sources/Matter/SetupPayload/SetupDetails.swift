internal import Base

/// What a QR code may say beyond its fixed part. Core §5.1.5.
///
/// None of it is needed to commission, so nothing in it refuses a device: what cannot be read is
/// absent here, and `tlv` keeps every octet. (Labels exist whose rest is no structure at all.)
package struct SetupDetails: Sendable, Equatable {
    /// As it stands in the code; empty when there is nothing.
    package let tlv: [UInt8]
    package private(set) var serialNumber: SerialNumber?
    package private(set) var pbkdfIterations: UInt32?
    package private(set) var pbkdfSalt: [UInt8]?
    /// Devices that share this label.
    package private(set) var numberOfDevices: UInt8?
    /// How long the device waits to be commissioned after it got power.
    package private(set) var commissioningTimeout: Duration?
    /// The maker's own elements in their order.
    package private(set) var vendorElements: [VendorElement] = []

    /// A number or a text, as the maker chose.
    package enum SerialNumber: Hashable, Sendable {
        case text(String)
        case number(UInt64)
    }

    package struct VendorElement: Hashable, Sendable {
        /// 0x80 ... 0xFF.
        package let tag: UInt8
        /// The whole element, from its control octet.
        package let element: [UInt8]
    }

    package init() { tlv = [] }

    /// - Parameter tlv: an anonymous structure, or anything else.
    package init(tlv: Span<UInt8>) {
        self.tlv = [UInt8](tlv)
        guard !tlv.isEmpty else { return }
        var reader = TLVReader(tlv)
        do throws(TLVError) {
            try reader.require().expect(.structure)
            while let element = try reader.next(), reader.depth > 0 {
                guard let tag = element.contextTag else {
                    try reader.skip(element)
                    continue
                }
                if tag >= 0x80 {
                    let whole = [UInt8](try reader.whole(element))
                    vendorElements.append(VendorElement(tag: tag, element: whole))
                } else {
                    take(element, tag: tag)
                    try reader.skip(element)
                }
            }
        } catch {
            // The rest stays in `tlv`.
        }
    }

    private mutating func take(_ element: borrowing TLVElement, tag: UInt8) {
        switch tag {
        case 0: serialNumber = Self.serialNumber(element)
        case 1: pbkdfIterations = try? element.integer()
        case 2: pbkdfSalt = try? [UInt8](element.octets)
        case 3: numberOfDevices = try? element.integer()
        case 4: commissioningTimeout = (try? element.integer(as: UInt16.self)).map { .seconds($0) }
        default: break
        }
    }

    private static func serialNumber(_ element: borrowing TLVElement) -> SerialNumber? {
        if case .utf8(let bytes) = element.value {
            return String(validating: [UInt8](bytes), as: UTF8.self).map(SerialNumber.text)
        }
        return (try? element.unsigned()).map(SerialNumber.number)
    }
}

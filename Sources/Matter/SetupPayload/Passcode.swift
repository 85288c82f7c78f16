package import Crypto

/// The number that proves to a device that its label was at hand. Core §5.1.7.1.
package enum Passcode {
    /// 1 ... 99999998 without the trivial ones: eight equal digits, 12345678 and 87654321.
    package static func isAllowed(_ value: UInt32) -> Bool {
        value >= 1 && value <= 99_999_998 && value % 11_111_111 != 0
            && value != 12_345_678 && value != 87_654_321
    }

    /// A passcode for a commissioning window. The 11 that are too simple give way to their
    /// neighbours, and 2^64 numbers spread evenly enough over 10^8.
    /// - Parameter random: new for each window.
    package static func secret(drawn random: UInt64) -> Secret {
        let value = UInt32(random % 99_999_998) + 1
        return unchecked(isAllowed(value) ? value : value + 1)
    }

    /// - Throws: `forbiddenPasscode`.
    static func secret(_ value: UInt32) throws(SetupPayloadError) -> Secret {
        guard isAllowed(value) else { throw .forbiddenPasscode }
        return unchecked(value)
    }

    private static func unchecked(_ value: UInt32) -> Secret {
        Secret(count: 4) { octets in
            for index in 0..<4 {
                octets[index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index))
            }
        }
    }

    /// - Parameter secret: 4 octets, least significant first.
    static func value(of secret: Secret) -> UInt32 {
        let octets = secret.span
        var value: UInt32 = 0
        for index in 0..<4 { value |= UInt32(octets[index]) << UInt32(8 * index) }
        return value
    }
}

extension SetupPayload {
    /// Core §2.5.2 and §2.5.3: zero stands for "not named", a product needs its vendor's range,
    /// and a named vendor names its product.
    static func identity(
        vendor: UInt16, product: UInt16
    ) throws(SetupPayloadError) -> (VendorID?, ProductID?) {
        guard vendor <= 0xFFF4 else { throw .vendorID(vendor) }
        guard vendor == 0 || product != 0 else { throw .productID }
        return (vendor == 0 ? nil : VendorID(vendor), product == 0 ? nil : ProductID(product))
    }
}

internal import Base

/// The content octets of the object identifiers that Matter's certificates use.
enum ObjectIdentifiers {
    /// 1.2.840.10045.2.1
    static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    /// 1.2.840.10045.3.1.7
    static let prime256v1: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    /// 1.2.840.10045.4.3.2
    static let ecdsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
    /// 2.16.840.1.101.3.4.2.1
    static let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
    /// 1.2.840.113549.1.7.2
    static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    /// 1.2.840.113549.1.7.1
    static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]

    /// 2.5.29: certificate extensions, with one more octet.
    static let extensionPrefix: [UInt8] = [0x55, 0x1D]
    /// 1.3.6.1.5.5.7.3: purposes of a key, with one more octet.
    static let purposePrefix: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03]
    /// 2.5.4: X.520 attributes of a name, with one more octet.
    static let attributePrefix: [UInt8] = [0x55, 0x04]
    /// 0.9.2342.19200300.100.1.25
    static let domainComponent: [UInt8] = [
        0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 0x01, 0x19,
    ]
    /// 1.3.6.1.4.1.37244.1: Matter ids in operational certificates, with one more octet.
    static let matterIdentifierPrefix: [UInt8] = [
        0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0xA2, 0x7C, 0x01,
    ]
    /// 1.3.6.1.4.1.37244.2.1: the vendor id in attestation certificates, Core §6.2.2.
    static let vendorID: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0xA2, 0x7C, 0x02, 0x01]
    /// 1.3.6.1.4.1.37244.2.2
    static let productID: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0xA2, 0x7C, 0x02, 0x02]
}

extension Span where Element == UInt8 {
    func isEqual(to constant: [UInt8]) -> Bool { isEqual(to: constant.span) }

    /// The one octet that follows `prefix`, or nil when these bytes are anything else.
    func suffix(of prefix: [UInt8]) -> UInt8? {
        guard count == prefix.count + 1, extracting(first: prefix.count).isEqual(to: prefix.span)
        else { return nil }
        return self[count - 1]
    }
}

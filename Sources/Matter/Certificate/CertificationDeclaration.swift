package import Base
package import Crypto

/// What the Alliance certified, Core §6.3.1.
package struct CertificationDeclaration: TLVStructure, Equatable {
    package var formatVersion: UInt16 = 1
    package var vendorID = VendorID(0)
    /// 1 ... `Limits.declaredProducts`.
    package var productIDs: [ProductID] = []
    package var deviceTypeID = DeviceTypeID(0)
    /// 19 characters.
    package var certificateID = ""
    package var securityLevel: UInt8 = 0
    package var securityInformation: UInt16 = 0
    package var versionNumber: UInt16 = 0
    package var certificationType: UInt8 = 0
    /// Both or neither: whose attestation certificates the product carries instead of its own.
    package var dacOriginVendorID: VendorID?
    package var dacOriginProductID: ProductID?
    /// The only authorities that may vouch for the product, if given.
    package var authorizedPAAs: [FixedBytes<20>]?

    package init() {}

    package mutating func fields<V: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout V
    ) throws(TLVError) {
        try field(0, "formatVersion", &formatVersion)
        try field(1, "vendorID", &vendorID)
        try field(2, "productIDs", &productIDs)
        try field(3, "deviceTypeID", &deviceTypeID)
        try field(4, "certificateID", &certificateID)
        try field(5, "securityLevel", &securityLevel)
        try field(6, "securityInformation", &securityInformation)
        try field(7, "versionNumber", &versionNumber)
        try field(8, "certificationType", &certificationType)
        try field(9, "dacOriginVendorID", &dacOriginVendorID)
        try field(10, "dacOriginProductID", &dacOriginProductID)
        try field(11, "authorizedPAAs", &authorizedPAAs)
    }

    /// Reads a declaration and checks what its fields may be.
    package init(content: Span<UInt8>) throws(TLVError) {
        try self.init(tlv: content)
        guard (1...Limits.declaredProducts).contains(productIDs.count) else {
            throw .outOfRange(tag: 2)
        }
        guard certificateID.utf8.count == 19 else { throw .outOfRange(tag: 4) }
        guard (dacOriginVendorID == nil) == (dacOriginProductID == nil) else {
            throw .missing(tag: dacOriginVendorID == nil ? 9 : 10)
        }
        if let authorizedPAAs {
            guard (1...Limits.declaredAuthorities).contains(authorizedPAAs.count) else {
                throw .outOfRange(tag: 11)
            }
        }
    }

    /// A prototype.
    package static let test: UInt8 = 0
    /// Certified, but for the last formalities.
    package static let provisional: UInt8 = 1
    package static let official: UInt8 = 2
}

/// A declaration and its signature: CMS SignedData (RFC 5652) with one signer, named by its key
/// id, and the content inside. Core §6.3.1.
package struct SignedDeclaration: Sendable {
    /// See `CertificationDeclaration`.
    package let content: [UInt8]
    package let signerKeyID: FixedBytes<20>
    package let signature: FixedBytes<64>

    package init(content: [UInt8], signerKeyID: FixedBytes<20>, signedBy key: P256.PrivateKey) {
        self.content = content
        self.signerKeyID = signerKeyID
        signature = key.sign(content.span)
    }

    package init(cms bytes: Span<UInt8>) throws(DERError) {
        var outer = DERReader(bytes)
        var message = DERReader(try outer.require(.sequence))
        try outer.requireEnd()
        try message.next().expect(ObjectIdentifiers.signedData)
        var wrapper = DERReader(try message.require(.context(0, constructed: true)))
        try message.requireEnd()
        var fields = DERReader(try wrapper.require(.sequence))
        try wrapper.requireEnd()

        try Self.version3(&fields)
        var digests = DERReader(try fields.require(.set))
        try Self.digestAlgorithm(&digests)
        try digests.requireEnd()
        var encapsulated = DERReader(try fields.require(.sequence))
        try encapsulated.next().expect(ObjectIdentifiers.data)
        var explicit = DERReader(try encapsulated.require(.context(0, constructed: true)))
        try encapsulated.requireEnd()
        content = [UInt8](try explicit.require(.octetString).content)
        try explicit.requireEnd()
        var signers = DERReader(try fields.require(.set))
        try fields.requireEnd()

        var signer = DERReader(try signers.require(.sequence))
        try signers.requireEnd()
        try Self.version3(&signer)
        let keyID = try signer.require(.context(0, constructed: false))
        guard let id = FixedBytes<20>(keyID.content) else {
            throw .invalidValue(at: keyID.offset)
        }
        signerKeyID = id
        try Self.digestAlgorithm(&signer)
        try X509Certificate.signatureAlgorithm(&signer)
        signature = try ECDSASignature.decode(try signer.require(.octetString).content)
        try signer.requireEnd()
    }

    package func isSigned(by key: P256.PublicKey) -> Bool {
        key.verify(signature, over: content.span)
    }

    package func cms() -> [UInt8] {
        var writer = DERWriter(capacity: content.count + 200)
        let start = writer.open(.sequence)
        writer.objectIdentifier(ObjectIdentifiers.signedData)
        let wrapper = writer.open(.context(0, constructed: true))
        let fields = writer.open(.sequence)
        writer.integer(3)
        let digests = writer.open(.set)
        Self.encodeDigestAlgorithm(to: &writer)
        writer.close(digests)
        let encapsulated = writer.open(.sequence)
        writer.objectIdentifier(ObjectIdentifiers.data)
        let explicit = writer.open(.context(0, constructed: true))
        writer.primitive(.octetString, content.span)
        writer.close(explicit)
        writer.close(encapsulated)
        let signers = writer.open(.set)
        let signer = writer.open(.sequence)
        writer.integer(3)
        writer.primitive(.context(0, constructed: false), signerKeyID.span)
        Self.encodeDigestAlgorithm(to: &writer)
        X509Certificate.encodeSignatureAlgorithm(to: &writer)
        let octets = writer.open(.octetString)
        ECDSASignature.encode(signature, to: &writer)
        for part in [octets, signer, signers, fields, wrapper, start] { writer.close(part) }
        return writer.bytes
    }

    private static func version3(_ reader: inout DERReader) throws(DERError) {
        let version = try reader.require(.integer)
        guard try version.integer() == 3 else { throw .invalidValue(at: version.offset) }
    }

    /// SHA-256; its parameters are absent or NULL, RFC 5754 §2.
    private static func digestAlgorithm(_ reader: inout DERReader) throws(DERError) {
        var fields = DERReader(try reader.require(.sequence))
        try fields.next().expect(ObjectIdentifiers.sha256)
        _ = try fields.optional(.null)
        try fields.requireEnd()
    }

    private static func encodeDigestAlgorithm(to writer: inout DERWriter) {
        let start = writer.open(.sequence)
        writer.objectIdentifier(ObjectIdentifiers.sha256)
        writer.close(start)
    }
}

internal import Base

/// The parts of an X.509 v3 certificate with a P-256 key and an ECDSA-SHA256 signature, borrowed
/// from its DER. What the parts mean is for who asks: operational and attestation certificates
/// have different rules.
struct X509Certificate: ~Escapable {
    /// What the signature covers.
    let toBeSigned: Span<UInt8>
    let serialNumber: Span<UInt8>
    let issuer: DERElement
    let subject: DERElement
    let validity: Validity
    /// 65 octets, uncompressed; not checked to be on the curve.
    let publicKey: Span<UInt8>
    /// The SEQUENCE OF Extension.
    let extensions: DERElement
    let signature: FixedBytes<64>

    /// RFC 5280 §4.1.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) throws(DERError) {
        var outer = DERReader(bytes)
        var certificate = DERReader(try outer.require(.sequence))
        try outer.requireEnd()

        let signed = try certificate.require(.sequence)
        var fields = DERReader(signed)
        try Self.version3(try fields.require(.context(0, constructed: true)))
        let serialNumber = try fields.require(.integer)
        try Self.signatureAlgorithm(&fields)
        let issuer = try fields.require(.sequence)
        let validity = try Self.validity(try fields.require(.sequence))
        let subject = try fields.require(.sequence)
        let publicKey = try Self.publicKey(try fields.require(.sequence))
        let wrapper = try fields.require(.context(3, constructed: true))
        try fields.requireEnd()
        var wrapped = DERReader(wrapper)
        let extensions = try wrapped.require(.sequence)
        try wrapped.requireEnd()

        try Self.signatureAlgorithm(&certificate)
        let signature = try ECDSASignature.decode(
            try certificate.require(.bitString).wholeOctets)
        try certificate.requireEnd()

        self.toBeSigned = signed.whole
        self.serialNumber = serialNumber.content
        self.issuer = issuer
        self.subject = subject
        self.validity = validity
        self.publicKey = publicKey
        self.extensions = extensions
        self.signature = signature
    }

    private static func version3(_ element: borrowing DERElement) throws(DERError) {
        var reader = DERReader(element)
        guard try reader.require(.integer).integer() == 2 else {
            throw .invalidValue(at: element.offset)
        }
        try reader.requireEnd()
    }

    /// ECDSA with SHA-256. RFC 5758 §3.2 wants no parameters; some devices' libraries write NULL.
    static func signatureAlgorithm(_ reader: inout DERReader) throws(DERError) {
        var fields = DERReader(try reader.require(.sequence))
        try fields.next().expect(ObjectIdentifiers.ecdsaWithSHA256)
        _ = try fields.optional(.null)
        try fields.requireEnd()
    }

    private static func validity(_ element: borrowing DERElement) throws(DERError) -> Validity {
        var reader = DERReader(element)
        let notBefore = try MatterTime(try reader.next())
        let notAfter = try MatterTime(try reader.next())
        try reader.requireEnd()
        return Validity(notBefore: notBefore, notAfter: notAfter)
    }

    /// The 65 octets of a SubjectPublicKeyInfo with a P-256 key.
    @_lifetime(copy element)
    static func publicKey(_ element: borrowing DERElement) throws(DERError) -> Span<UInt8> {
        var reader = DERReader(element)
        var algorithm = DERReader(try reader.require(.sequence))
        try algorithm.next().expect(ObjectIdentifiers.ecPublicKey)
        try algorithm.next().expect(ObjectIdentifiers.prime256v1)
        try algorithm.requireEnd()
        let key = try reader.require(.bitString)
        let octets = try key.wholeOctets
        guard octets.count == 65 else { throw .invalidValue(at: key.offset) }
        try reader.requireEnd()
        return octets
    }

    static func encode(publicKey: Span<UInt8>, to writer: inout DERWriter) {
        let start = writer.open(.sequence)
        let algorithm = writer.open(.sequence)
        writer.objectIdentifier(ObjectIdentifiers.ecPublicKey)
        writer.objectIdentifier(ObjectIdentifiers.prime256v1)
        writer.close(algorithm)
        writer.bitString(publicKey)
        writer.close(start)
    }

    static func encodeSignatureAlgorithm(to writer: inout DERWriter) {
        let start = writer.open(.sequence)
        writer.objectIdentifier(ObjectIdentifiers.ecdsaWithSHA256)
        writer.close(start)
    }
}

/// One Extension of RFC 5280 §4.1.
struct X509Extension: ~Escapable {
    /// The last octet of 2.5.29.x; 0 for any other identifier.
    let number: UInt8
    let isCritical: Bool
    /// The OCTET STRING that wraps the value.
    let value: DERElement
    let whole: Span<UInt8>

    @_lifetime(copy element)
    init(_ element: borrowing DERElement) throws(DERError) {
        var reader = DERReader(element)
        let identifier = try reader.require(.objectIdentifier)
        number = identifier.content.suffix(of: ObjectIdentifiers.extensionPrefix) ?? 0
        isCritical = try reader.optional(.boolean)?.boolean() ?? false
        value = try reader.require(.octetString)
        whole = element.whole
        try reader.requireEnd()
    }

    static let subjectKeyID: UInt8 = 14
    static let keyUsage: UInt8 = 15
    static let basicConstraints: UInt8 = 19
    static let authorityKeyID: UInt8 = 35
    static let extendedKeyUsage: UInt8 = 37

    /// True for those that Matter TLV has a tag for.
    var isKnown: Bool {
        switch number {
        case Self.subjectKeyID, Self.keyUsage, Self.basicConstraints, Self.authorityKeyID,
            Self.extendedKeyUsage:
            true
        default: false
        }
    }
}

extension X509Extension {
    static func constraints(
        _ parts: borrowing X509Extension
    ) throws(DERError) -> (isCA: Bool, pathLength: UInt8?) {
        var reader = DERReader(parts.value)
        var fields = DERReader(try reader.require(.sequence))
        try reader.requireEnd()
        let isCA = try fields.optional(.boolean)?.boolean() ?? false
        var pathLength: UInt8?
        if let length = try fields.optional(.integer) {
            guard isCA, let number = UInt8(exactly: try length.integer()) else {
                throw .invalidValue(at: length.offset)
            }
            pathLength = number
        }
        try fields.requireEnd()
        return (isCA, pathLength)
    }

    static func usage(
        _ parts: borrowing X509Extension
    ) throws(DERError) -> CertificateExtension.KeyUsage {
        var reader = DERReader(parts.value)
        let element = try reader.require(.bitString)
        try reader.requireEnd()
        let bits = element.content
        guard bits.count >= 1, bits.count <= 3, bits[0] < 8, bits.count > 1 || bits[0] == 0 else {
            throw .invalidValue(at: element.offset)
        }
        var usage: UInt16 = 0
        for index in 1..<bits.count {
            for bit in 0..<8 where bits[index] & (0x80 >> bit) != 0 {
                usage |= 1 << UInt16(8 * (index - 1) + bit)
            }
        }
        return CertificateExtension.KeyUsage(rawValue: usage)
    }

    static func subjectKeyID(
        _ parts: borrowing X509Extension
    ) throws(DERError) -> FixedBytes<20> {
        var reader = DERReader(parts.value)
        let element = try reader.require(.octetString)
        try reader.requireEnd()
        guard let id = FixedBytes<20>(element.content) else {
            throw .invalidValue(at: element.offset)
        }
        return id
    }

    /// The keyIdentifier; the issuer's name and serial number beside it are not looked at.
    static func authorityKeyID(
        _ parts: borrowing X509Extension
    ) throws(DERError) -> FixedBytes<20> {
        var reader = DERReader(parts.value)
        var fields = DERReader(try reader.require(.sequence))
        try reader.requireEnd()
        let element = try fields.require(.context(0, constructed: false))
        guard let id = FixedBytes<20>(element.content) else {
            throw .invalidValue(at: element.offset)
        }
        return id
    }
}

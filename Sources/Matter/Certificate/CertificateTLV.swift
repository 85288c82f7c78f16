internal import Base
internal import Crypto

// The Matter form of an operational certificate, Core §6.5.2. The order of the fields is fixed.

extension MatterCertificate {
    /// At most `Limits.certificateTLV` octets.
    package func tlv() -> [UInt8] {
        guard let bytes = encodedTLV() else {
            preconditionFailure("a certificate that was read or issued fits its TLV")
        }
        return bytes
    }

    /// True when TLV gives back every part, which X.509 alone does not promise.
    var isRepresentable: Bool {
        CertificateTag.seconds(notBefore: validity.notBefore) != nil
            && CertificateTag.seconds(notAfter: validity.notAfter) != nil && encodedTLV() != nil
    }

    private func encodedTLV() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Limits.certificateTLV)
        var writer = TLVWriter(bytes.mutableSpan)
        do throws(TLVError) { try encode(to: &writer) } catch { return nil }
        let count = writer.count
        bytes.removeLast(Limits.certificateTLV - count)
        return bytes
    }

    @_lifetime(writer: copy writer)
    private func encode(to writer: inout TLVWriter) throws(TLVError) {
        try writer.open(.structure, tag: .anonymous)
        try writer.octets(serialNumber.span, tag: .context(CertificateTag.serialNumber))
        try writer.unsigned(1, tag: .context(CertificateTag.signatureAlgorithm))
        try issuer.encode(&writer, tag: .context(CertificateTag.issuer))
        try writer.unsigned(
            CertificateTag.seconds(notBefore: validity.notBefore) ?? 0,
            tag: .context(CertificateTag.notBefore))
        try writer.unsigned(
            CertificateTag.seconds(notAfter: validity.notAfter) ?? 0,
            tag: .context(CertificateTag.notAfter))
        try subject.encode(&writer, tag: .context(CertificateTag.subject))
        try writer.unsigned(1, tag: .context(CertificateTag.publicKeyAlgorithm))
        try writer.unsigned(1, tag: .context(CertificateTag.curve))
        try writer.octets(publicKey.bytes.span, tag: .context(CertificateTag.publicKey))
        try writer.open(.list, tag: .context(CertificateTag.extensions))
        for member in extensions { try member.encode(&writer) }
        try writer.end()
        try writer.octets(signature.span, tag: .context(CertificateTag.signature))
        try writer.end()
    }

    init(decoding bytes: Span<UInt8>) throws(TLVError) {
        var reader = TLVReader(bytes)
        let opening = try reader.require()
        try opening.expect(.structure)
        guard opening.tag == .anonymous else { throw .wrongType(tag: opening.contextTag) }

        let serialNumber = [UInt8](try reader.field(CertificateTag.serialNumber).octets)
        try reader.one(CertificateTag.signatureAlgorithm)
        let issuer = try reader.name(CertificateTag.issuer)
        let notBefore = try reader.field(CertificateTag.notBefore).integer(as: UInt32.self)
        let notAfter = try reader.field(CertificateTag.notAfter).integer(as: UInt32.self)
        let subject = try reader.name(CertificateTag.subject)
        try reader.one(CertificateTag.publicKeyAlgorithm)
        try reader.one(CertificateTag.curve)
        let key = try reader.field(CertificateTag.publicKey).octets
        let publicKey: P256.PublicKey
        do throws(CryptoError) { publicKey = try P256.PublicKey(key) } catch {
            throw .outOfRange(tag: CertificateTag.publicKey)
        }
        try reader.field(CertificateTag.extensions).expect(.list)
        var extensions: [CertificateExtension] = []
        extensions.reserveCapacity(Self.usualExtensions)
        while let member = try reader.member() {
            extensions.append(try CertificateExtension(from: member, &reader))
        }
        let signature = try FixedBytes<64>(
            from: try reader.field(CertificateTag.signature), &reader)
        guard try reader.member() == nil, reader.isAtEnd else {
            throw .trailingBytes(at: reader.offset)
        }

        self.init(
            serialNumber: serialNumber, issuer: issuer, subject: subject,
            validity: Validity(
                notBefore: MatterTime(secondsSince2000: Int64(notBefore)),
                notAfter: notAfter == 0 ? .noExpiry : MatterTime(secondsSince2000: Int64(notAfter))
            ),
            publicKey: publicKey, extensions: extensions, signature: signature)
    }

    static let usualExtensions = 5
}

/// The context tags of the structure.
enum CertificateTag {
    static let serialNumber: UInt8 = 1
    static let signatureAlgorithm: UInt8 = 2
    static let issuer: UInt8 = 3
    static let notBefore: UInt8 = 4
    static let notAfter: UInt8 = 5
    static let subject: UInt8 = 6
    static let publicKeyAlgorithm: UInt8 = 7
    static let curve: UInt8 = 8
    static let publicKey: UInt8 = 9
    static let extensions: UInt8 = 10
    static let signature: UInt8 = 11

    /// Nil for what 32 bits from 2000 on cannot hold.
    static func seconds(notBefore time: MatterTime) -> UInt64? {
        UInt32(exactly: time.seconds).map(UInt64.init)
    }

    /// 0 stands for a certificate without an end, so the first second of 2000 has no form.
    static func seconds(notAfter time: MatterTime) -> UInt64? {
        if time == .noExpiry { return 0 }
        return time.seconds == 0 ? nil : seconds(notBefore: time)
    }
}

extension TLVReader {
    /// The next member of the innermost container, or nil behind its end.
    @_lifetime(copy self) @_lifetime(self: copy self)
    mutating func member() throws(TLVError) -> TLVElement? {
        let element = try require()
        if case .end = element.value { return nil }
        return element
    }

    /// The next element, which must be this field.
    @_lifetime(copy self) @_lifetime(self: copy self)
    fileprivate mutating func field(_ tag: UInt8) throws(TLVError) -> TLVElement {
        guard let element = try member(), element.contextTag == tag else {
            throw .missing(tag: tag)
        }
        return element
    }

    /// A field whose one allowed value is 1: ECDSA with SHA-256, an EC key, P-256.
    @_lifetime(self: copy self)
    fileprivate mutating func one(_ tag: UInt8) throws(TLVError) {
        guard try field(tag).unsigned() == 1 else { throw .outOfRange(tag: tag) }
    }

    @_lifetime(self: copy self)
    fileprivate mutating func name(_ tag: UInt8) throws(TLVError) -> DistinguishedName {
        try DistinguishedName(from: try field(tag), &self)
    }
}

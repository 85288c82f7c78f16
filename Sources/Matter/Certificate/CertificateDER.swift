internal import Base
internal import Crypto

// The X.509 form of an operational certificate, Core §6.5.15.

extension MatterCertificate {
    /// At most `Limits.certificateDER` octets.
    package func der() -> [UInt8] {
        var writer = DERWriter(capacity: Limits.certificateDER)
        let start = writer.open(.sequence)
        writer.raw(toBeSigned.span)
        X509Certificate.encodeSignatureAlgorithm(to: &writer)
        ECDSASignature.encodeBitString(signature, to: &writer)
        writer.close(start)
        return writer.bytes
    }

    /// Octets of `der()`, or a few more.
    var derCount: Int { toBeSigned.count + Self.signatureOctets }

    static func toBeSigned(
        _ serialNumber: [UInt8], _ issuer: DistinguishedName, _ subject: DistinguishedName,
        _ validity: Validity, _ publicKey: P256.PublicKey, _ extensions: [CertificateExtension]
    ) -> [UInt8] {
        var writer = DERWriter(capacity: Limits.certificateDER)
        let start = writer.open(.sequence)
        let version = writer.open(.context(0, constructed: true))
        writer.integer(2)
        writer.close(version)
        writer.primitive(.integer, serialNumber.span)
        X509Certificate.encodeSignatureAlgorithm(to: &writer)
        issuer.encode(to: &writer)
        let dates = writer.open(.sequence)
        validity.notBefore.encode(to: &writer)
        validity.notAfter.encode(to: &writer)
        writer.close(dates)
        subject.encode(to: &writer)
        X509Certificate.encode(publicKey: publicKey.bytes.span, to: &writer)
        let wrapper = writer.open(.context(3, constructed: true))
        let list = writer.open(.sequence)
        for member in extensions { member.encode(to: &writer) }
        writer.close(list)
        writer.close(wrapper)
        writer.close(start)
        return writer.bytes
    }

    /// The outer header 4, algorithm 12, signature at most 75.
    private static let signatureOctets = 91

    init(_ parts: borrowing X509Certificate) throws(DERError) {
        let publicKey: P256.PublicKey
        do throws(CryptoError) { publicKey = try P256.PublicKey(parts.publicKey) } catch {
            throw .invalidValue(at: parts.subject.offset + parts.subject.whole.count)
        }
        var extensions: [CertificateExtension] = []
        var members = DERReader(parts.extensions)
        while !members.isAtEnd {
            let member = try X509Extension(try members.require(.sequence))
            extensions.append(try CertificateExtension(member))
        }
        self.init(
            serialNumber: [UInt8](parts.serialNumber),
            issuer: try DistinguishedName(parts.issuer),
            subject: try DistinguishedName(parts.subject), validity: parts.validity,
            publicKey: publicKey, extensions: extensions, signature: parts.signature)
    }
}

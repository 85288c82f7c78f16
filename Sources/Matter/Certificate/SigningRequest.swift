internal import Base
package import Crypto

/// A request for a certificate: a public key and the proof that its sender has the private one.
/// PKCS#10 (RFC 2986) with a P-256 key, Core §6.4.6.1.
package struct SigningRequest: Sendable {
    package let publicKey: P256.PublicKey

    /// Reads a request and checks its signature. The subject and the attributes have no meaning
    /// in Matter and are not looked at.
    package init(der bytes: Span<UInt8>) throws(CertificateError) {
        guard bytes.count <= Limits.attestationResponse else { throw .tooLong }
        let isSigned: Bool
        do throws(DERError) {
            var outer = DERReader(bytes)
            var request = DERReader(try outer.require(.sequence))
            try outer.requireEnd()
            let signed = try request.require(.sequence)
            var fields = DERReader(signed)
            let version = try fields.require(.integer)
            guard try version.integer() == 0 else { throw .invalidValue(at: version.offset) }
            _ = try fields.require(.sequence)
            let key = try fields.require(.sequence)
            let octets = try X509Certificate.publicKey(key)
            _ = try fields.optional(.context(0, constructed: true))
            try fields.requireEnd()
            try X509Certificate.signatureAlgorithm(&request)
            let signature = try ECDSASignature.decode(try request.require(.bitString).wholeOctets)
            try request.requireEnd()
            do throws(CryptoError) { publicKey = try P256.PublicKey(octets) } catch {
                throw DERError.invalidValue(at: key.offset)
            }
            isSigned = publicKey.verify(signature, over: signed.whole)
        } catch { throw .malformedDER(error) }
        guard isSigned else { throw .invalidRequestSignature }
    }

    /// The DER of a request for a certificate of `key`.
    package static func make(for key: P256.PrivateKey) -> [UInt8] {
        var writer = DERWriter(capacity: 256)
        let start = writer.open(.sequence)
        let signed = encodeInformation(key.publicKey)
        writer.raw(signed.span)
        X509Certificate.encodeSignatureAlgorithm(to: &writer)
        ECDSASignature.encodeBitString(key.sign(signed.span), to: &writer)
        writer.close(start)
        return writer.bytes
    }

    private static func encodeInformation(_ key: P256.PublicKey) -> [UInt8] {
        var writer = DERWriter(capacity: 128)
        let start = writer.open(.sequence)
        writer.integer(0)
        // A subject must be there and nobody reads it.
        DistinguishedName([
            DistinguishedName.Attribute(
                .organization, .text([UInt8]("CSR".utf8), isPrintableString: false))
        ]).encode(to: &writer)
        X509Certificate.encode(publicKey: key.bytes.span, to: &writer)
        writer.close(writer.open(.context(0, constructed: true)))
        writer.close(start)
        return writer.bytes
    }
}

internal import Base
internal import Crypto
internal import Matter

/// One X.509 certificate of an attestation chain, before it is signed. Core §6.2.2.
struct AttestationCertificatePlan {
    let subject: [AttestationName]
    let issuer: [AttestationName]
    /// Nil for the device's own.
    let pathLength: UInt8?
    let usage: CertificateExtension.KeyUsage
    let key: P256.PublicKey
    /// The issuer's key; nil when it is its own.
    let authority: P256.PublicKey?

    func der(signedBy signer: P256.PrivateKey) -> [UInt8] {
        let body = toBeSigned()
        var whole = DERWriter(capacity: 600)
        let outer = whole.open(.sequence)
        whole.raw(body.span)
        Self.algorithm(&whole)
        let signature = signer.sign(body.span)
        var pair = DERWriter(capacity: 72)
        let numbers = pair.open(.sequence)
        pair.integer(magnitude: signature.span.extracting(0..<32))
        pair.integer(magnitude: signature.span.extracting(32..<64))
        pair.close(numbers)
        let encoded = pair.bytes
        whole.bitString(encoded.span)
        whole.close(outer)
        return whole.bytes
    }

    private func toBeSigned() -> [UInt8] {
        var signed = DERWriter(capacity: 500)
        let start = signed.open(.sequence)
        let version = signed.open(.context(0, constructed: true))
        signed.integer(2)
        signed.close(version)
        signed.integer(7)
        Self.algorithm(&signed)
        Self.name(issuer, &signed)
        let dates = signed.open(.sequence)
        Self.validity.notBefore.encode(to: &signed)
        Self.validity.notAfter.encode(to: &signed)
        signed.close(dates)
        Self.name(subject, &signed)
        publicKey(&signed)
        let wrapper = signed.open(.context(3, constructed: true))
        let list = signed.open(.sequence)
        extensions(&signed)
        for part in [list, wrapper, start] { signed.close(part) }
        return signed.bytes
    }

    private func extensions(_ writer: inout DERWriter) {
        let constraints = writer.open(.sequence)
        writer.objectIdentifier([0x55, 0x1D, 19])
        writer.boolean(true)
        let value = writer.open(.octetString)
        let inner = writer.open(.sequence)
        if let pathLength {
            writer.boolean(true)
            writer.integer(pathLength)
        }
        for part in [inner, value, constraints] { writer.close(part) }
        var known: [CertificateExtension] = [
            .keyUsage(usage), .subjectKeyID(KeyIdentifier.of(key)),
        ]
        if let authority { known.append(.authorityKeyID(KeyIdentifier.of(authority))) }
        for member in known { member.encode(to: &writer) }
    }

    private static func name(_ parts: [AttestationName], _ writer: inout DERWriter) {
        let name = writer.open(.sequence)
        for part in parts {
            let set = writer.open(.set)
            let pair = writer.open(.sequence)
            writer.objectIdentifier(part.type)
            let text = [UInt8](part.text.utf8)
            writer.primitive(.utf8String, text.span)
            for open in [pair, set] { writer.close(open) }
        }
        writer.close(name)
    }

    /// ecdsa-with-SHA256.
    private static func algorithm(_ writer: inout DERWriter) {
        let start = writer.open(.sequence)
        writer.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2])
        writer.close(start)
    }

    private func publicKey(_ writer: inout DERWriter) {
        let start = writer.open(.sequence)
        let algorithm = writer.open(.sequence)
        writer.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1])
        writer.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7])
        writer.close(algorithm)
        writer.bitString(key.bytes.span)
        writer.close(start)
    }

    /// From 2021-01-01.
    private static let validity = Validity(
        notBefore: MatterTime(secondsSince2000: 662_774_400), notAfter: .noExpiry)
}

/// A part of a name in an attestation certificate. Core §6.2.2.1.
struct AttestationName {
    /// The content of its object identifier.
    let type: [UInt8]
    let text: String

    static func commonName(_ text: String) -> AttestationName {
        AttestationName(type: [0x55, 4, 3], text: text)
    }

    static func vendorID(_ id: VendorID) -> AttestationName {
        AttestationName(type: matter + [1], text: digits(id.rawValue))
    }

    static func productID(_ id: ProductID) -> AttestationName {
        AttestationName(type: matter + [2], text: digits(id.rawValue))
    }

    private static func digits(_ id: UInt16) -> String {
        String(Hex.upper(UInt64(id)).suffix(4))
    }

    /// 1.3.6.1.4.1.37244.2
    private static let matter: [UInt8] = [0x2B, 6, 1, 4, 1, 0x82, 0xA2, 0x7C, 2]
}

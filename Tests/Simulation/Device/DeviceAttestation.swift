internal import Base
package import Crypto
package import Matter

/// What a simulated device attests with: certificates, the key of its own, a declaration, and a
/// verifier that believes them. Made once, of keys that exist in this process alone.
package struct DeviceAttestation: Sendable {
    package static let shared = DeviceAttestation()

    package static let vendorID = VendorID(0x1234)
    package static let productID = ProductID(0xABCD)

    /// X.509 DER.
    package let paa: [UInt8]
    package let pai: [UInt8]
    package let dac: [UInt8]
    package let key: P256.PrivateKey
    /// CMS.
    package let declaration: [UInt8]
    package let verifier: AttestationVerifier

    private init() {
        var random = SeededRandom(seed: 5)
        let paaKey = P256.PrivateKey.generate(using: &random)
        let paiKey = P256.PrivateKey.generate(using: &random)
        key = P256.PrivateKey.generate(using: &random)
        let signerKey = P256.PrivateKey.generate(using: &random)
        let authorityUsage: CertificateExtension.KeyUsage = [.keyCertSign, .crlSign]
        let paaName: [NamePart] = [(Self.commonName, "PAA")]
        let paiName: [NamePart] = [(Self.commonName, "PAI"), (Self.vendorOID, "1234")]
        let paa = Plan(
            subject: paaName, issuer: paaName, pathLength: 1, usage: authorityUsage,
            key: paaKey.publicKey, authority: nil, signer: paaKey
        ).der()
        self.paa = paa
        pai = Plan(
            subject: paiName, issuer: paaName, pathLength: 0, usage: authorityUsage,
            key: paiKey.publicKey, authority: paaKey.publicKey, signer: paaKey
        ).der()
        dac = Plan(
            subject: [
                (Self.commonName, "DAC"), (Self.vendorOID, "1234"), (Self.productOID, "ABCD"),
            ], issuer: paiName, pathLength: nil, usage: .digitalSignature, key: key.publicKey,
            authority: paiKey.publicKey, signer: paiKey
        ).der()
        declaration = Self.declaration(signedBy: signerKey)
        var anchors = TrustAnchors()
        do throws(AttestationError) {
            try anchors.add(
                authority: TrustAnchor(
                    AttestationCertificate(paa.span, as: .authority), isTest: false))
            try anchors.add(
                declarationSigner: TrustAnchor(
                    name: "signer", subjectKeyID: KeyIdentifier.of(signerKey.publicKey),
                    publicKey: signerKey.publicKey, vendorID: nil, validity: Self.validity,
                    isTest: false))
        } catch { preconditionFailure("our own authority is in order") }
        verifier = AttestationVerifier(anchors: anchors, allowTestDevices: false)
    }

    /// What the device says to AttestationRequest.
    func attest(_ nonce: FixedBytes<32>, challenge: Secret) -> SignedElements {
        var elements = AttestationElements()
        elements.certificationDeclaration = Octets(declaration)
        elements.attestationNonce = nonce
        return SignedElements(
            elements: elements.octets(), challenge: challenge, signedBy: key)
    }

    /// What the device says to CSRRequest.
    func request(
        for operational: P256.PrivateKey, _ nonce: FixedBytes<32>, challenge: Secret
    ) -> SignedElements {
        var elements = NOCSRElements()
        elements.csr = Octets(SigningRequest.make(for: operational))
        elements.csrNonce = nonce
        return SignedElements(
            elements: elements.octets(), challenge: challenge, signedBy: key)
    }

    private static func declaration(signedBy key: P256.PrivateKey) -> [UInt8] {
        var declaration = CertificationDeclaration()
        declaration.vendorID = vendorID
        declaration.productIDs = [productID]
        declaration.deviceTypeID = DeviceTypeID(0x0100)
        declaration.certificateID = "CSA00000SWC00000-00"
        declaration.certificationType = CertificationDeclaration.official
        return SignedDeclaration(
            content: declaration.octets(), signerKeyID: KeyIdentifier.of(key.publicKey),
            signedBy: key
        ).cms()
    }

    fileprivate typealias NamePart = (type: [UInt8], text: String)
    fileprivate static let commonName: [UInt8] = [0x55, 4, 3]
    fileprivate static let vendorOID: [UInt8] = [0x2B, 6, 1, 4, 1, 0x82, 0xA2, 0x7C, 2, 1]
    fileprivate static let productOID: [UInt8] = [0x2B, 6, 1, 4, 1, 0x82, 0xA2, 0x7C, 2, 2]
    /// From 2021-01-01.
    fileprivate static let validity = Validity(
        notBefore: MatterTime(secondsSince2000: 662_774_400), notAfter: .noExpiry)
}

extension TLVCodable {
    /// Of a value of the test's own, which fits.
    package func octets() -> [UInt8] {
        do throws(TLVError) { return try tlv(capacity: 4096) } catch {
            preconditionFailure("a value of the test's own is small")
        }
    }
}

/// One X.509 certificate of the attestation chain.
private struct Plan {
    let subject: [DeviceAttestation.NamePart]
    let issuer: [DeviceAttestation.NamePart]
    /// Nil for the device's own.
    let pathLength: UInt8?
    let usage: CertificateExtension.KeyUsage
    let key: P256.PublicKey
    let authority: P256.PublicKey?
    let signer: P256.PrivateKey

    func der() -> [UInt8] {
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
        DeviceAttestation.validity.notBefore.encode(to: &signed)
        DeviceAttestation.validity.notAfter.encode(to: &signed)
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

    private static func name(
        _ parts: [DeviceAttestation.NamePart], _ writer: inout DERWriter
    ) {
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
}

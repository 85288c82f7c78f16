import Base
import Crypto
import Matter

/// Makes the attestation of a device: three certificates, a declaration and the device's answer,
/// all good unless a test changes a part of the plan.
struct TestAttestation {
    struct Certificate {
        /// Octets of the SEQUENCE OF SET, each attribute as type and text.
        var subject: [(type: [UInt8], text: String)]
        var validity = Validity(notBefore: .day(2022, 1, 1), notAfter: .noExpiry)
        var isCA: Bool
        var pathLength: UInt8?
        var constraintsAreCritical = true
        var usage: CertificateExtension.KeyUsage
        var hasSubjectKeyID = true
        var authorityKeyID: FixedBytes<20>?
        var issuer: [(type: [UInt8], text: String)]?
        var extra: [UInt8] = []
        var signer: P256.PrivateKey
    }

    static let commonName: [UInt8] = [0x55, 4, 3]
    static let vendor: [UInt8] = [0x2B, 6, 1, 4, 1, 0x82, 0xA2, 0x7C, 2, 1]
    static let product: [UInt8] = [0x2B, 6, 1, 4, 1, 0x82, 0xA2, 0x7C, 2, 2]
    static let vendorID = VendorID(0x1234)
    static let productID = ProductID(0xABCD)

    var paa: Certificate
    var pai: Certificate
    var dac: Certificate
    var declaration: CertificationDeclaration
    var declarationSigner: P256.PrivateKey
    var declarationKeyID: FixedBytes<20>
    var nonce: FixedBytes<32>
    var evidenceNonce: FixedBytes<32>
    var vendorID = TestAttestation.vendorID
    var productID = TestAttestation.productID
    var deviceSigner: P256.PrivateKey
    var challenge = Secret([UInt8](repeating: 9, count: 16).span)
    var now = MatterTime.day(2026, 6, 1)
    var paaIsTest = false
    var paaIsKnown = true
    var signerIsTest = false
    var allowTestDevices = false

    let paaKey, paiKey, dacKey, signerKey, strangerKey: P256.PrivateKey

    init() {
        var random = SeededRandom(seed: 5)
        paaKey = .generate(using: &random)
        paiKey = .generate(using: &random)
        dacKey = .generate(using: &random)
        signerKey = .generate(using: &random)
        strangerKey = .generate(using: &random)
        nonce = random.bytes()
        evidenceNonce = nonce
        let caUsage: CertificateExtension.KeyUsage = [.keyCertSign, .crlSign]
        paa = Certificate(
            subject: [(Self.commonName, "PAA")], isCA: true, pathLength: 1, usage: caUsage,
            authorityKeyID: nil, signer: paaKey)
        pai = Certificate(
            subject: [(Self.commonName, "PAI"), (Self.vendor, "1234")], isCA: true, pathLength: 0,
            usage: caUsage, authorityKeyID: KeyIdentifier.of(paaKey.publicKey), signer: paaKey)
        dac = Certificate(
            subject: [
                (Self.commonName, "DAC"), (Self.vendor, "1234"), (Self.product, "ABCD"),
            ], isCA: false, usage: .digitalSignature,
            authorityKeyID: KeyIdentifier.of(paiKey.publicKey), signer: paiKey)
        declaration = CertificationDeclaration()
        declaration.vendorID = Self.vendorID
        declaration.productIDs = [ProductID(1), Self.productID]
        declaration.deviceTypeID = DeviceTypeID(0x0302)
        declaration.certificateID = "CSA00000SWC00000-00"
        declaration.certificationType = CertificationDeclaration.official
        declarationSigner = signerKey
        declarationKeyID = KeyIdentifier.of(signerKey.publicKey)
        deviceSigner = dacKey
    }

    var paaDER: [UInt8] { Self.der(paa, key: paaKey, issuer: paa.subject) }
    var paiDER: [UInt8] { Self.der(pai, key: paiKey, issuer: pai.issuer ?? paa.subject) }
    var dacDER: [UInt8] { Self.der(dac, key: dacKey, issuer: dac.issuer ?? pai.subject) }

    func declarationCMS() throws -> [UInt8] {
        SignedDeclaration(
            content: try declaration.tlv(capacity: 1024), signerKeyID: declarationKeyID,
            signedBy: declarationSigner
        ).cms()
    }

    func evidence() throws -> AttestationEvidence {
        var elements = AttestationElements()
        elements.certificationDeclaration = Octets(try declarationCMS())
        elements.attestationNonce = nonce
        return AttestationEvidence(
            dac: dacDER, pai: paiDER,
            response: SignedElements(
                elements: try elements.tlv(capacity: 2048), challenge: challenge,
                signedBy: deviceSigner),
            challenge: challenge, nonce: evidenceNonce, vendorID: vendorID, productID: productID)
    }

    func verifier() throws -> AttestationVerifier {
        var anchors = TrustAnchors()
        if paaIsKnown {
            let certificate = try AttestationCertificate(paaDER.span, as: .authority)
            try anchors.add(authority: TrustAnchor(certificate, isTest: paaIsTest))
        }
        try anchors.add(
            declarationSigner: TrustAnchor(
                name: "signer", subjectKeyID: KeyIdentifier.of(signerKey.publicKey),
                publicKey: signerKey.publicKey, vendorID: nil,
                validity: Validity(notBefore: .day(2020, 1, 1), notAfter: .noExpiry),
                isTest: signerIsTest))
        return AttestationVerifier(anchors: anchors, allowTestDevices: allowTestDevices)
    }

    /// Why this attestation is refused, or nil.
    func refusal() throws -> AttestationError? {
        let verifier = try verifier()
        let evidence = try evidence()
        do throws(AttestationError) {
            try verifier.verify(evidence, at: now)
            return nil
        } catch { return error }
    }

    /// The refusal of a good attestation with one change.
    static func refusal(
        after change: (inout TestAttestation) -> Void
    ) throws -> AttestationError? {
        var attestation = TestAttestation()
        change(&attestation)
        return try attestation.refusal()
    }

    private static func der(
        _ plan: Certificate, key: P256.PrivateKey, issuer: [(type: [UInt8], text: String)]
    ) -> [UInt8] {
        var signed = DERWriter(capacity: 500)
        let start = signed.open(.sequence)
        let version = signed.open(.context(0, constructed: true))
        signed.integer(2)
        signed.close(version)
        signed.integer(7)
        algorithm(&signed)
        name(issuer, &signed)
        let dates = signed.open(.sequence)
        plan.validity.notBefore.encode(to: &signed)
        plan.validity.notAfter.encode(to: &signed)
        signed.close(dates)
        name(plan.subject, &signed)
        publicKey(key.publicKey, &signed)
        let wrapper = signed.open(.context(3, constructed: true))
        let list = signed.open(.sequence)
        extensions(plan, key, &signed)
        for part in [list, wrapper, start] { signed.close(part) }
        let body = signed.bytes

        var whole = DERWriter(capacity: 600)
        let outer = whole.open(.sequence)
        whole.raw(body.span)
        algorithm(&whole)
        let signature = plan.signer.sign(body.span)
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

    private static func extensions(
        _ plan: Certificate, _ key: P256.PrivateKey, _ writer: inout DERWriter
    ) {
        let constraints = writer.open(.sequence)
        writer.objectIdentifier([0x55, 0x1D, 19])
        if plan.constraintsAreCritical { writer.boolean(true) }
        let value = writer.open(.octetString)
        let inner = writer.open(.sequence)
        if plan.isCA { writer.boolean(true) }
        if let pathLength = plan.pathLength { writer.integer(pathLength) }
        for part in [inner, value, constraints] { writer.close(part) }
        var known: [CertificateExtension] = [.keyUsage(plan.usage)]
        if plan.hasSubjectKeyID { known.append(.subjectKeyID(KeyIdentifier.of(key.publicKey))) }
        if let id = plan.authorityKeyID { known.append(.authorityKeyID(id)) }
        for member in known { member.encode(to: &writer) }
        writer.raw(plan.extra.span)
    }

    private static func name(
        _ attributes: [(type: [UInt8], text: String)], _ writer: inout DERWriter
    ) {
        let name = writer.open(.sequence)
        for attribute in attributes {
            let set = writer.open(.set)
            let pair = writer.open(.sequence)
            writer.objectIdentifier(attribute.type)
            let text = [UInt8](attribute.text.utf8)
            writer.primitive(.utf8String, text.span)
            for part in [pair, set] { writer.close(part) }
        }
        writer.close(name)
    }

    private static func algorithm(_ writer: inout DERWriter) {
        let start = writer.open(.sequence)
        writer.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2])
        writer.close(start)
    }

    private static func publicKey(_ key: P256.PublicKey, _ writer: inout DERWriter) {
        let start = writer.open(.sequence)
        let algorithm = writer.open(.sequence)
        writer.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1])
        writer.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7])
        writer.close(algorithm)
        writer.bitString(key.bytes.span)
        writer.close(start)
    }
}

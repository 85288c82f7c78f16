import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("AttestationVerifier")
struct AttestationVerifierTests {
    private static let now = MatterTime.day(2026, 6, 1)

    @Test("§6.2.3 a good attestation made here holds")
    func good() throws {
        let attestation = TestAttestation()
        let device = try attestation.verifier().verify(attestation.evidence(), at: Self.now)
        #expect(device.publicKey == attestation.dacKey.publicKey)
        #expect(device.vendorID == TestAttestation.vendorID)
        #expect(device.productID == TestAttestation.productID)
        #expect(device.authority.name == "PAA")
        #expect(device.declaration == attestation.declaration)
    }

    @Test("the public test certificates hold with test devices allowed, and only then")
    func publicChain() throws {
        let vectors = TestVectors.load("attestation")
        let dac = try AttestationCertificate(vectors["dac"]["der"].hex.span, as: .device)
        let pai = try AttestationCertificate(vectors["pai"]["der"].hex.span, as: .intermediate)
        #expect(dac.vendorID == VendorID(0xFFF1))
        #expect(dac.productID == ProductID(0x8001))
        #expect(pai.productID == nil)
        let lenient = AttestationVerifier(anchors: TrustAnchors(), allowTestDevices: true)
        let authority = try lenient.verify(dac: dac, pai: pai, at: Self.now)
        #expect(authority.name == "Matter Test PAA")
        #expect(authority.vendorID == VendorID(0xFFF1))
        let strict = AttestationVerifier(anchors: TrustAnchors(), allowTestDevices: false)
        #expect(
            throws: AttestationError.testAuthority(
                keyID: authority.subjectKeyID, vendorID: VendorID(0xFFF1))
        ) {
            try strict.verify(dac: dac, pai: pai, at: Self.now)
        }
        // A file with the same authority does not make it more than a test's.
        var anchors = TrustAnchors()
        #expect(try anchors.add(authorities: vectors["paa"].array[0]["der"].hex.span) == 1)
        let fromFile = AttestationVerifier(anchors: anchors, allowTestDevices: false)
        #expect(
            throws: AttestationError.testAuthority(
                keyID: authority.subjectKeyID, vendorID: VendorID(0xFFF1))
        ) {
            try fromFile.verify(dac: dac, pai: pai, at: Self.now)
        }
    }

    @Test("the public declarations hold with test devices allowed, and only then")
    func publicDeclarations() throws {
        let lenient = AttestationVerifier(anchors: TrustAnchors(), allowTestDevices: true)
        let strict = AttestationVerifier(anchors: TrustAnchors(), allowTestDevices: false)
        let vectors = TestVectors.load("attestation")["cd"].array
        #expect(vectors.count == 3)
        for vector in vectors {
            let cms = vector["cms_der"].hex
            let declaration = try lenient.verify(declaration: cms.span)
            #expect(try declaration.tlv(capacity: 600) == vector["tlv_content"].hex)
            let signed = try SignedDeclaration(cms: cms.span)
            #expect(signed.content == vector["tlv_content"].hex)
            #expect(Hex.lower(signed.signerKeyID.span) == vector["signer_kid"].string)
            #expect(signed.cms() == cms)
            let keyID = signed.signerKeyID
            let isTestKey = TrustAnchors().declarationSigner(keyID)?.isTest == true
            #expect(throws: isTestKey ? DeclarationError.testSigner(keyID: keyID) : .testProduct) {
                try strict.verify(declaration: cms.span)
            }
            for count in 0..<cms.count {
                #expect(throws: DeclarationError.self) {
                    try lenient.verify(declaration: cms.span.extracting(first: count))
                }
            }
        }
    }

    private static func expect(
        _ cases: [(AttestationError?, (inout TestAttestation) -> Void)]
    ) throws {
        for (index, (error, change)) in cases.enumerated() {
            #expect(try TestAttestation.refusal(after: change) == error, "case \(index)")
        }
    }

    @Test("§6.2.2 a certificate that has not the form of its role is refused for that")
    func forms() throws {
        let noKeyUsage = try #require(Hex.decode("300c 0603551d50 0101ff 04020500"))
        let cases: [(AttestationError?, (inout TestAttestation) -> Void)] = [
            (.wrongForm(.device, .basicConstraints), { $0.dac.isCA = true }),
            (.wrongForm(.device, .basicConstraints), { $0.dac.constraintsAreCritical = false }),
            (.wrongForm(.device, .keyUsage), { $0.dac.usage = [.digitalSignature, .crlSign] }),
            (.wrongForm(.device, .keyID), { $0.dac.authorityKeyID = nil }),
            (.wrongForm(.device, .keyID), { $0.dac.hasSubjectKeyID = false }),
            (.wrongForm(.device, .extensions), { $0.dac.extra = noKeyUsage }),
            (.wrongForm(.intermediate, .basicConstraints), { $0.pai.pathLength = 1 }),
            (.wrongForm(.intermediate, .basicConstraints), { $0.pai.pathLength = nil }),
            (
                .wrongForm(.intermediate, .basicConstraints),
                {
                    $0.pai.isCA = false
                    $0.pai.pathLength = nil
                }
            ),
            (.wrongForm(.intermediate, .keyUsage), { $0.pai.usage = .keyCertSign }),
            (nil, { $0.pai.usage.insert(.digitalSignature) }),
        ]
        try Self.expect(cases)
    }

    @Test("§6.2.3 the vendor and product ids of a chain must agree")
    func vendorAndProduct() throws {
        let paaID = KeyIdentifier.of(TestAttestation().paaKey.publicKey)
        let cases: [(AttestationError?, (inout TestAttestation) -> Void)] = [
            (.wrongForm(.device, .vendorAndProduct), { $0.dac.subject.remove(at: 1) }),
            (.wrongForm(.device, .vendorAndProduct), { $0.dac.subject.remove(at: 2) }),
            (.wrongForm(.device, .vendorAndProduct), { $0.dac.subject[1].text = "123" }),
            (.wrongForm(.device, .vendorAndProduct), { $0.dac.subject[2].text = "abcd" }),
            (
                .wrongForm(.device, .vendorAndProduct),
                {
                    $0.dac.subject.append((TestAttestation.vendor, "1234"))
                }
            ),
            (.wrongForm(.intermediate, .vendorAndProduct), { $0.pai.subject.remove(at: 1) }),
            (
                .vendorMismatch(device: TestAttestation.vendorID, intermediate: VendorID(0x1235)),
                {
                    $0.pai.subject[1].text = "1235"
                }
            ),
            (nil, { $0.pai.subject.append((TestAttestation.product, "ABCD")) }),
            (
                .productMismatch(
                    device: TestAttestation.productID, intermediate: ProductID(0xABCE)),
                {
                    $0.pai.subject.append((TestAttestation.product, "ABCE"))
                }
            ),
            (nil, { $0.paa.subject.append((TestAttestation.vendor, "1234")) }),
            (
                .authorityVendorMismatch(
                    authority: VendorID(0x4321), device: TestAttestation.vendorID),
                {
                    $0.paa.subject.append((TestAttestation.vendor, "4321"))
                }
            ),
            (
                .authorityWithProduct(keyID: paaID),
                {
                    $0.paa.subject.append((TestAttestation.vendor, "1234"))
                    $0.paa.subject.append((TestAttestation.product, "ABCD"))
                }
            ),
        ]
        try Self.expect(cases)
    }

    @Test("§6.2.3 the chain must lead to an authority, in time and by its signatures")
    func chain() throws {
        let paaID = KeyIdentifier.of(TestAttestation().paaKey.publicKey)
        let cases: [(AttestationError?, (inout TestAttestation) -> Void)] = [
            (
                .unknownAuthority(keyID: paaID, vendorID: TestAttestation.vendorID),
                {
                    $0.paaIsKnown = false
                }
            ),
            (
                .testAuthority(keyID: paaID, vendorID: TestAttestation.vendorID),
                {
                    $0.paaIsTest = true
                }
            ),
            (
                nil,
                {
                    $0.paaIsTest = true
                    $0.allowTestDevices = true
                }
            ),
            (.notYetValid, { $0.now = .day(2021, 12, 31) }),
            (
                .expired,
                {
                    $0.dac.validity = Validity(
                        notBefore: .day(2022, 1, 1), notAfter: .day(2026, 5, 31))
                }
            ),
            // Ended since, but not when the device was made.
            (
                nil,
                {
                    $0.pai.validity = Validity(
                        notBefore: .day(2021, 1, 1), notAfter: .day(2023, 1, 1))
                    $0.paa.validity = $0.pai.validity
                }
            ),
            (
                .issuedOutsideValidity(.intermediate),
                {
                    $0.pai.validity = Validity(notBefore: .day(2022, 1, 2), notAfter: .noExpiry)
                }
            ),
            (
                .issuedOutsideValidity(.authority),
                {
                    $0.paa.validity = Validity(
                        notBefore: .day(2020, 1, 1), notAfter: .day(2021, 12, 31))
                }
            ),
            (.wrongIssuer(.device), { $0.dac.issuer = [(TestAttestation.commonName, "PAJ")] }),
            (.wrongIssuer(.device), { $0.dac.authorityKeyID = FixedBytes() }),
            (.invalidCertificateSignature(.device), { $0.dac.signer = $0.strangerKey }),
            (.invalidCertificateSignature(.intermediate), { $0.pai.signer = $0.strangerKey }),
        ]
        try Self.expect(cases)
    }

    @Test("§6.2.2.2 vendor and product are understood in the common name where they must be")
    func commonName() throws {
        func ids(_ text: String) throws -> (VendorID?, ProductID?)? {
            var attestation = TestAttestation()
            attestation.dac.subject = [(TestAttestation.commonName, text)]
            let der = attestation.dacDER
            do throws(AttestationError) {
                let certificate = try AttestationCertificate(der.span, as: .device)
                return (certificate.vendorID, certificate.productID)
            } catch {
                #expect(error == .wrongForm(.device, .vendorAndProduct))
                return nil
            }
        }
        for text in [
            "ACME Matter Devel DAC 5CDA9899 Mvid:FFF1 Mpid:00B1", "Mpid:00B1,Mvid:FFF1",
            "ACME Mvid:FFF1ACME Mpid:00B1x", "Mvid:Mvid:FFF1 Mpid:00b1 Mpid:00B1 Mvid:FFF2",
        ] {
            let found = try #require(try ids(text))
            #expect(found == (VendorID(0xFFF1), ProductID(0x00B1)), "\(text)")
        }
        let none = try #require(try ids("ACME Device"))
        #expect(none == (nil, nil))
        let vendorOnly = try #require(try ids("Mvid:FFF1 Mp1d:00B1"))
        #expect(vendorOnly == (VendorID(0xFFF1), nil))
        for text in ["Mvid:FFF Mpid:00B1", "Mvid:fff1 Mpid:00B1", "Mvid:FFF1 Mpid:00B", "Mvid:"] {
            #expect(try ids(text) == nil, "\(text)")
        }
        // Attributes of their own count more than the name.
        let both = try TestAttestation.refusal {
            $0.dac.subject[0].text = "Mvid:FFF1 Mpid:8000"
        }
        #expect(both == nil)
        let named = try TestAttestation.refusal {
            $0.dac.subject = [(TestAttestation.commonName, "Mvid:1234 Mpid:ABCD")]
            $0.pai.subject = [(TestAttestation.commonName, "Mvid:1234")]
        }
        #expect(named == nil)
    }

    @Test("§11.18.4.7 the device must sign what it was asked, in this session")
    func answer() throws {
        let cases: [(AttestationError, (inout TestAttestation) -> Void)] = [
            (.invalidSignature, { $0.deviceSigner = $0.strangerKey }),
            (.nonceMismatch, { $0.evidenceNonce = FixedBytes() }),
            (
                .elementsTooLong,
                {
                    $0.declaration.productIDs = (0..<100).map { ProductID($0 + 0xAB00) }
                    $0.declaration.authorizedPAAs = Array(repeating: FixedBytes(), count: 30)
                }
            ),
        ]
        for (error, change) in cases {
            #expect(try TestAttestation.refusal(after: change) == error)
        }
        let attestation = TestAttestation()
        let verifier = try attestation.verifier()
        var evidence = try attestation.evidence()
        evidence.challenge = Secret([UInt8](repeating: 8, count: 16).span)
        #expect(throws: AttestationError.invalidSignature) {
            try verifier.verify(evidence, at: Self.now)
        }
        evidence = try attestation.evidence()
        evidence.response = SignedElements(
            elements: [0x15, 0x18], challenge: evidence.challenge, signedBy: attestation.dacKey)
        #expect(throws: AttestationError.malformedElements(.missing(tag: 1))) {
            try verifier.verify(evidence, at: Self.now)
        }
    }

    private static func expect(
        declaration cases: [(DeclarationError?, (inout TestAttestation) -> Void)]
    ) throws {
        try expect(cases.map { ($0.map(AttestationError.declaration), $1) })
    }

    @Test("§6.3.1 the declaration must be well formed and signed by one who may")
    func declarations() throws {
        let strangerID = KeyIdentifier.of(TestAttestation().strangerKey.publicKey)
        let signerID = KeyIdentifier.of(TestAttestation().signerKey.publicKey)
        let cases: [(DeclarationError?, (inout TestAttestation) -> Void)] = [
            (.unknownSigner(keyID: strangerID), { $0.declarationKeyID = strangerID }),
            (.invalidSignature, { $0.declarationSigner = $0.strangerKey }),
            (.testSigner(keyID: signerID), { $0.signerIsTest = true }),
            (
                .testSignerOfCertifiedProduct,
                {
                    $0.signerIsTest = true
                    $0.allowTestDevices = true
                }
            ),
            (
                nil,
                {
                    $0.signerIsTest = true
                    $0.allowTestDevices = true
                    $0.declaration.certificationType = CertificationDeclaration.provisional
                }
            ),
            (nil, { $0.declaration.certificationType = CertificationDeclaration.provisional }),
            (.testProduct, { $0.declaration.certificationType = CertificationDeclaration.test }),
            (.unknownForm, { $0.declaration.certificationType = 3 }),
            (.unknownForm, { $0.declaration.formatVersion = 2 }),
            (.malformedContent(.outOfRange(tag: 2)), { $0.declaration.productIDs = [] }),
            (
                .malformedContent(.outOfRange(tag: 2)),
                {
                    $0.declaration.productIDs = (0..<101).map { ProductID($0) }
                }
            ),
            (.malformedContent(.outOfRange(tag: 4)), { $0.declaration.certificateID = "CSA" }),
            (
                .malformedContent(.missing(tag: 10)),
                {
                    $0.declaration.dacOriginVendorID = TestAttestation.vendorID
                }
            ),
            (
                .malformedContent(.missing(tag: 9)),
                {
                    $0.declaration.dacOriginProductID = TestAttestation.productID
                }
            ),
            (.malformedContent(.outOfRange(tag: 11)), { $0.declaration.authorizedPAAs = [] }),
        ]
        try Self.expect(declaration: cases)
    }

    @Test("§6.2.3.1 the declaration must be about this product and these certificates")
    func declaredProducts() throws {
        let strangerID = KeyIdentifier.of(TestAttestation().strangerKey.publicKey)
        let paaID = KeyIdentifier.of(TestAttestation().paaKey.publicKey)
        let cases: [(DeclarationError?, (inout TestAttestation) -> Void)] = [
            (
                .vendorMismatch(declared: TestAttestation.vendorID, device: VendorID(7)),
                {
                    $0.vendorID = VendorID(7)
                }
            ),
            (.productNotDeclared(ProductID(7)), { $0.productID = ProductID(7) }),
            (nil, { $0.productID = ProductID(1) }),
            (
                .certificateVendorNotDeclared(TestAttestation.vendorID),
                {
                    $0.declaration.vendorID = VendorID(7)
                    $0.vendorID = VendorID(7)
                }
            ),
            (
                .certificateProductNotDeclared(TestAttestation.productID),
                {
                    $0.declaration.productIDs = [ProductID(1)]
                    $0.productID = ProductID(1)
                }
            ),
            // A product of vendor 7 that carries the certificates of its maker.
            (
                nil,
                {
                    $0.declaration.vendorID = VendorID(7)
                    $0.declaration.productIDs = [ProductID(1)]
                    $0.declaration.dacOriginVendorID = TestAttestation.vendorID
                    $0.declaration.dacOriginProductID = TestAttestation.productID
                    $0.vendorID = VendorID(7)
                    $0.productID = ProductID(1)
                }
            ),
            (
                .certificateVendorNotDeclared(TestAttestation.vendorID),
                {
                    $0.declaration.dacOriginVendorID = VendorID(8)
                    $0.declaration.dacOriginProductID = TestAttestation.productID
                }
            ),
            (
                .certificateProductNotDeclared(TestAttestation.productID),
                {
                    $0.declaration.dacOriginVendorID = TestAttestation.vendorID
                    $0.declaration.dacOriginProductID = ProductID(1)
                }
            ),
            (nil, { $0.declaration.authorizedPAAs = [strangerID, paaID] }),
            (
                .authorityNotDeclared(keyID: paaID),
                {
                    $0.declaration.authorizedPAAs = [strangerID]
                }
            ),
        ]
        try Self.expect(declaration: cases)
    }

    @Test("every truncation throws, and no random change traps or is accepted")
    func damaged() throws {
        let attestation = TestAttestation()
        let verifier = try attestation.verifier()
        let good = try attestation.evidence()
        var random = SeededNumbers(seed: 6)
        for count in 0..<good.dac.count {
            var evidence = good
            evidence.dac.removeLast(count + 1)
            #expect(throws: AttestationError.self) { try verifier.verify(evidence, at: Self.now) }
        }
        for _ in 0..<300 {
            var evidence = good
            let index = Int.random(in: 0..<good.pai.count, using: &random)
            evidence.pai[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
            #expect(throws: AttestationError.self) { try verifier.verify(evidence, at: Self.now) }
        }
        let cms = try attestation.declarationCMS()
        for _ in 0..<300 {
            var changed = cms
            let index = Int.random(in: 0..<cms.count, using: &random)
            changed[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
            #expect(throws: DeclarationError.self) {
                try verifier.verify(declaration: changed.span)
            }
        }
    }
}

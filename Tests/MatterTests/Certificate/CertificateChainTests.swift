import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("CertificateChain")
struct CertificateChainTests {
    private static let now = MatterTime.day(2026, 6, 1)

    @Test("§6.4.5 the public chains verify")
    func publicChains() throws {
        let noc = try CertificateVectors.certificate("NOC1")
        let identity = try CertificateChain.verify(
            noc: noc, icac: try CertificateVectors.certificate("ICAC1"),
            root: try CertificateVectors.certificate("RCAC1"), at: Self.now)
        #expect(identity.nodeID == NodeID(0xBC5C02))
        #expect(identity.fabricID == FabricID(1))
        #expect(identity.cats.isEmpty)
        #expect(identity.publicKey == noc.publicKey)
        for name in ["CHIP test Root01 (RCAC)", "RCAC1"] {
            try CertificateChain.verify(
                root: try CertificateVectors.certificate(name), at: Self.now)
        }
        let endless = try CertificateChain.verify(
            noc: try CertificateVectors.certificate("NOC with notAfter 0 (no expiry)"), icac: nil,
            root: try CertificateVectors.certificate("RCAC for notAfter 0"),
            at: .day(2023, 8, 1))
        #expect(endless.fabricID == FabricID(1))
    }

    @Test("the public bad certificates are refused for their own reason")
    func publicFaults() throws {
        let noc = try CertificateVectors.certificate("NOC1")
        let icac = try CertificateVectors.certificate("ICAC1")
        let root = try CertificateVectors.certificate("RCAC1")
        #expect(
            Self.refusal(
                try CertificateVectors.certificate("NOC1 authority key id broken"), icac, root)
                == .wrongIssuer(.node))
        #expect(
            Self.refusal(noc, try CertificateVectors.certificate("ICAC2 (other chain)"), root)
                == .wrongIssuer(.intermediate))
        #expect(Self.refusal(noc, nil, root) == .wrongIssuer(.node))
        let other = try CertificateVectors.certificate("CHIP test Root01 (RCAC)")
        #expect(
            Self.refusal(noc, icac, other)
                == .wrongIssuer(.intermediate))
        #expect(Self.refusal(noc, icac, icac) == .wrongSubject(.root))
        #expect(Self.refusal(noc, root, root) == .wrongSubject(.intermediate))
        #expect(Self.refusal(icac, nil, root) == .wrongSubject(.node))
    }

    @Test("each certificate counts from its first to its last second")
    func times() throws {
        let noc = try CertificateVectors.certificate("NOC with notAfter 0 (no expiry)")
        let root = try CertificateVectors.certificate("RCAC for notAfter 0")
        #expect(Self.refusal(noc, nil, root, at: .day(2024, 8, 1)) == .expired(.root))
        #expect(Self.refusal(noc, nil, root, at: .day(2023, 7, 1)) == .notYetValid(.root))
        #expect(Self.refusal(noc, nil, root, at: root.validity.notAfter) == nil)
        #expect(Self.refusal(noc, nil, root, at: noc.validity.notBefore) == nil)
        let earlier = MatterTime(secondsSince2000: noc.validity.notBefore.seconds - 1)
        #expect(Self.refusal(noc, nil, root, at: earlier) == .notYetValid(.node))
    }

    @Test("every single octet of a node certificate matters")
    func everyOctet() throws {
        let root = try CertificateVectors.certificate("RCAC for notAfter 0")
        let tlv = CertificateVectors.vector("NOC with notAfter 0 (no expiry)")["tlv"].hex
        for index in tlv.indices {
            var changed = tlv
            changed[index] ^= 1
            guard let noc = try? MatterCertificate(tlv: changed.span) else { continue }
            #expect(Self.refusal(noc, nil, root, at: .day(2023, 8, 1)) != nil, "octet \(index)")
        }
    }

    @Test("a chain made here verifies, and with one wrong name it is refused for that")
    func oneNameWrong() throws {
        var chain = TestChain()
        #expect(chain.refusal { _ in } == nil)
        #expect(chain.refusal { $0.icac = nil } == nil)
        let cases: [(CertificateError, (inout TestChain.Plan) -> Void)] = [
            (.wrongFabric(.root), { $0.rootSubject.append(.number(.fabricID, 2)) }),
            (.wrongFabric(.intermediate), { $0.icac?.append(.number(.fabricID, 2)) }),
            (.wrongSubject(.root), { $0.rootSubject.append(.number(.nodeID, 2)) }),
            (.wrongSubject(.root), { $0.rootSubject = [] }),
            (.wrongSubject(.intermediate), { $0.icac?.append(.number(.icacID, 2)) }),
            (
                .wrongSubject(.intermediate),
                {
                    $0.icac?.append(.number(.caseAuthenticatedTag, 0x1_0001))
                }
            ),
            (.wrongSubject(.node), { $0.nodeSubject = [.number(.nodeID, 7)] }),
            (.wrongSubject(.node), { $0.nodeSubject[1] = .number(.fabricID, 0) }),
            (.wrongSubject(.node), { $0.nodeSubject[0] = .number(.nodeID, 0) }),
            (
                .wrongSubject(.node),
                {
                    $0.nodeSubject[0] = .number(.nodeID, 0xFFFF_FFF0_0000_0000)
                }
            ),
            (.wrongSubject(.node), { $0.nodeSubject.append(.number(.firmwareSigningID, 1)) }),
            (
                .wrongSubject(.node),
                {
                    $0.nodeSubject.append(.number(.caseAuthenticatedTag, 0x1_0000))
                }
            ),
            (
                .wrongSubject(.node),
                {
                    $0.nodeSubject += [1, 2].map { .number(.caseAuthenticatedTag, 0x1_0000 + $0) }
                }
            ),
        ]
        for (error, change) in cases { #expect(chain.refusal(change) == error) }
    }

    @Test("with one extension, issuer or signature wrong it is refused for that")
    func oneThingWrong() throws {
        var chain = TestChain()
        let cases: [(CertificateError, (inout TestChain.Plan) -> Void)] = [
            (.wrongBasicConstraints(.root), { $0.rootConstraints = nil }),
            (
                .wrongBasicConstraints(.root),
                {
                    $0.rootConstraints = .basicConstraints(isCA: false, pathLength: nil)
                }
            ),
            (
                .wrongBasicConstraints(.node),
                {
                    $0.nodeConstraints = .basicConstraints(isCA: true, pathLength: nil)
                }
            ),
            (.wrongBasicConstraints(.node), { $0.nodeConstraints = nil }),
            (
                .pathTooLong(.root),
                {
                    $0.rootConstraints = .basicConstraints(isCA: true, pathLength: 0)
                }
            ),
            (.wrongKeyUsage(.root), { $0.rootUsage = .keyUsage(.crlSign) }),
            (.wrongKeyUsage(.root), { $0.rootUsage = nil }),
            (.wrongKeyUsage(.node), { $0.nodeUsage = .keyUsage(.keyCertSign) }),
            (.wrongExtendedKeyUsage(.node), { $0.nodePurposes = [.clientAuth] }),
            (.wrongExtendedKeyUsage(.node), { $0.nodePurposes = [] }),
            (
                .unknownCriticalExtension(.node),
                {
                    $0.nodeExtra = TestChain.unknown(critical: true)
                }
            ),
            (.wrongIssuer(.node), { $0.nodeAuthorityKeyID = nil }),
            (.wrongIssuer(.node), { $0.nodeAuthorityKeyID = FixedBytes() }),
            (.wrongIssuer(.node), { $0.nodeIssuer = [.number(.icacID, 77)] }),
            (.invalidSignature(.node), { $0.nodeSigner = .stranger }),
            (.invalidSignature(.intermediate), { $0.icacSigner = .stranger }),
        ]
        for (error, change) in cases { #expect(chain.refusal(change) == error) }
        #expect(chain.refusal { $0.nodeExtra = TestChain.unknown(critical: false) } == nil)
        #expect(
            chain.refusal {
                $0.nodeSubject += [1, 2, 3].map {
                    .number(
                        .caseAuthenticatedTag, $0 << 16 | 1)
                }
            } == nil)
    }

    private static func refusal(
        _ noc: MatterCertificate, _ icac: MatterCertificate?, _ root: MatterCertificate,
        at time: MatterTime = now
    ) -> CertificateError? {
        do throws(CertificateError) {
            _ = try CertificateChain.verify(noc: noc, icac: icac, root: root, at: time)
            return nil
        } catch { return error }
    }
}

/// Makes chains of three certificates that differ from a good one as a test wants.
struct TestChain {
    enum Signer { case own, stranger }

    struct Plan {
        var rootSubject: [DistinguishedName.Attribute] = [.number(.rcacID, 1)]
        var icac: [DistinguishedName.Attribute]? = [.number(.icacID, 2)]
        var nodeSubject: [DistinguishedName.Attribute] = [
            .number(.nodeID, 7), .number(.fabricID, 1),
        ]
        var rootConstraints: CertificateExtension? = .basicConstraints(isCA: true, pathLength: 1)
        var nodeConstraints: CertificateExtension? = .basicConstraints(isCA: false, pathLength: nil)
        var rootUsage: CertificateExtension? = .keyUsage([.keyCertSign, .crlSign])
        var nodeUsage: CertificateExtension = .keyUsage(.digitalSignature)
        var nodePurposes: [CertificateExtension.KeyPurpose] = [.clientAuth, .serverAuth]
        var nodeExtra: CertificateExtension?
        var nodeIssuer: [DistinguishedName.Attribute]?
        var nodeAuthorityKeyID: FixedBytes<20>?
        var nodeSigner = Signer.own
        var icacSigner = Signer.own
    }

    private let rootKey, icacKey, nodeKey, strangerKey: P256.PrivateKey

    init() {
        var random = SeededRandom(seed: 4)
        rootKey = .generate(using: &random)
        icacKey = .generate(using: &random)
        nodeKey = .generate(using: &random)
        strangerKey = .generate(using: &random)
    }

    static func unknown(critical: Bool) -> CertificateExtension {
        let bytes: [UInt8] =
            critical
            ? [0x30, 0x0C, 0x06, 3, 0x55, 0x1D, 0x50, 1, 1, 0xFF, 4, 2, 5, 0]
            : [0x30, 0x09, 0x06, 3, 0x55, 0x1D, 0x50, 4, 2, 5, 0]
        return .other(bytes, isCritical: critical)
    }

    mutating func refusal(_ change: (inout Plan) -> Void) -> CertificateError? {
        let signer = plan(change).icac == nil ? rootKey : icacKey
        var plan = Plan()
        plan.nodeAuthorityKeyID = KeyIdentifier.of(signer.publicKey)
        change(&plan)
        let rootID = KeyIdentifier.of(rootKey.publicKey)
        let root = Self.certificate(
            plan.rootSubject, by: plan.rootSubject, rootKey.publicKey,
            [plan.rootConstraints, plan.rootUsage, .subjectKeyID(rootID), .authorityKeyID(rootID)],
            rootKey)
        let icac = plan.icac.map { subject in
            Self.certificate(
                subject, by: plan.rootSubject, icacKey.publicKey,
                [
                    .basicConstraints(isCA: true, pathLength: 0),
                    .keyUsage([.keyCertSign, .crlSign]),
                    .subjectKeyID(KeyIdentifier.of(icacKey.publicKey)), .authorityKeyID(rootID),
                ], plan.icacSigner == .own ? rootKey : strangerKey)
        }
        let noc = Self.certificate(
            plan.nodeSubject, by: plan.nodeIssuer ?? plan.icac ?? plan.rootSubject,
            nodeKey.publicKey,
            [
                plan.nodeConstraints, plan.nodeUsage,
                plan.nodePurposes.isEmpty ? nil : .extendedKeyUsage(plan.nodePurposes),
                .subjectKeyID(KeyIdentifier.of(nodeKey.publicKey)),
                plan.nodeAuthorityKeyID.map(CertificateExtension.authorityKeyID), plan.nodeExtra,
            ], plan.nodeSigner == .own ? signer : strangerKey)
        do throws(CertificateError) {
            _ = try CertificateChain.verify(
                noc: noc, icac: icac, root: root, at: .day(2026, 6, 1))
            return nil
        } catch { return error }
    }

    private func plan(_ change: (inout Plan) -> Void) -> Plan {
        var plan = Plan()
        change(&plan)
        return plan
    }

    private static func certificate(
        _ subject: [DistinguishedName.Attribute], by issuer: [DistinguishedName.Attribute],
        _ key: P256.PublicKey, _ extensions: [CertificateExtension?], _ signer: P256.PrivateKey
    ) -> MatterCertificate {
        MatterCertificate(
            serialNumber: [1], issuer: DistinguishedName(issuer),
            subject: DistinguishedName(subject),
            validity: Validity(notBefore: .day(2021, 1, 1), notAfter: .noExpiry), publicKey: key,
            extensions: extensions.compactMap { $0 }
        ).signed(by: signer)
    }
}

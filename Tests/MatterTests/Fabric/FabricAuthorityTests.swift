import Base
import Crypto
import Matter
import Testing

@Suite("FabricAuthority")
struct FabricAuthorityTests {
    private let now = MatterTime.day(2026, 6, 1)

    @Test("§6.4 what it issues is what its root proves")
    func issues() throws {
        var random = SeededRandom(seed: 1)
        let authority = FabricAuthority(fabricID: FabricID(0xFAB), using: &random)
        try CertificateChain.verify(root: authority.root, at: now)
        let key = P256.PrivateKey.generate(using: &random).publicKey
        let tags = [CASEAuthenticatedTag(0x0001_0002), CASEAuthenticatedTag(0x0002_0001)]
        let noc = authority.issueNOC(
            publicKey: key, nodeID: NodeID(7), cats: tags, using: &random)
        let identity = try CertificateChain.verify(
            noc: noc, icac: nil, root: authority.root, at: now)
        #expect(
            identity
                == OperationalIdentity(
                    nodeID: NodeID(7), fabricID: FabricID(0xFAB), cats: tags, publicKey: key))
        let inFarFuture = MatterTime.day(2400, 1, 1)
        #expect(
            try CertificateChain.verify(
                noc: noc, icac: nil, root: authority.root, at: inFarFuture) == identity)
    }

    @Test("§6.5 root and node certificate have the usual form and come back from both encodings")
    func form() throws {
        var random = SeededRandom(seed: 2)
        let authority = FabricAuthority(fabricID: FabricID(1), using: &random)
        let key = P256.PrivateKey.generate(using: &random).publicKey
        let noc = authority.issueNOC(publicKey: key, nodeID: NodeID(1), using: &random)
        for certificate in [authority.root, noc] {
            #expect(try MatterCertificate(tlv: certificate.tlv().span) == certificate)
            #expect(try MatterCertificate(der: certificate.der().span) == certificate)
            #expect(
                certificate.validity
                    == Validity(notBefore: .day(2021, 1, 1), notAfter: .noExpiry))
            #expect(certificate.subjectKeyID == KeyIdentifier.of(certificate.publicKey))
            #expect(certificate.authorityKeyID == authority.root.subjectKeyID)
            #expect(certificate.serialNumber.count == 8)
            #expect((0x40...0x7F).contains(certificate.serialNumber[0]))
        }
        #expect(authority.root.keyUsage == [.keyCertSign, .crlSign])
        #expect(noc.extendedKeyUsage == [.clientAuth, .serverAuth])
        #expect(noc.serialNumber != authority.root.serialNumber)
        #expect(authority.root.subject.attributes.map(\.type) == [.rcacID])
        #expect(noc.subject.attributes.map(\.type) == [.nodeID, .fabricID])
    }

    @Test("an authority that was stored issues as before; a foreign key is refused")
    func stored() throws {
        var random = SeededRandom(seed: 3)
        let authority = FabricAuthority(fabricID: FabricID(9), using: &random)
        let root = try MatterCertificate(tlv: authority.root.tlv().span)
        let key = try P256.PrivateKey(scalar: authority.key.scalar)
        let restored = try FabricAuthority(key: key, root: root, fabricID: FabricID(9))
        let noc = restored.issueNOC(publicKey: key.publicKey, nodeID: NodeID(5), using: &random)
        _ = try CertificateChain.verify(noc: noc, icac: nil, root: authority.root, at: now)
        let other = P256.PrivateKey.generate(using: &random)
        #expect(throws: CertificateError.wrongAuthorityKey) {
            try FabricAuthority(key: other, root: root, fabricID: FabricID(9))
        }
    }
}

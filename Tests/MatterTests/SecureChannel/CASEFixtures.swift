import Base
import Crypto
import Matter
import Testing

/// A fabric with a root, and with an intermediate authority where a test wants one.
struct TestFabric {
    static let now = MatterTime(secondsSince2000: 800_000_000)

    let index: FabricIndex
    let fabricID: FabricID
    let root: MatterCertificate
    let icac: MatterCertificate?
    let ipk: Secret
    private let issuer: P256.PrivateKey
    private let authority: FabricAuthority

    init(_ index: UInt8 = 1, fabricID: UInt64 = 0xFAB1, hasICAC: Bool = false, seed: UInt64 = 7) {
        var random = SeededRandom(seed: seed)
        self.index = FabricIndex(index)
        self.fabricID = FabricID(fabricID)
        authority = FabricAuthority(fabricID: self.fabricID, using: &random)
        root = authority.root
        ipk = Secret([UInt8](random.bytes() as FixedBytes<16>))
        guard hasICAC else {
            icac = nil
            issuer = authority.key
            return
        }
        issuer = P256.PrivateKey.generate(using: &random)
        icac = Self.certificate(
            DistinguishedName([.number(.icacID, 5)]), of: issuer.publicKey, by: root,
            [.basicConstraints(isCA: true, pathLength: 0), .keyUsage([.keyCertSign, .crlSign])],
            key: authority.key)
    }

    /// How credentials are false; as they are, they are good.
    struct Flaw {
        var validity = TestFabric.validity
        /// The private key is not that of the certificate.
        var hasOtherKey = false
        /// Somebody else than the authority signed the certificate.
        var isForged = false
        /// The ids in the certificate, where they are others than the node claims.
        var certifiedFabric: UInt64?
        var certifiedNode: UInt64?
        /// The fabric that the node claims to be on.
        var claimed: (root: MatterCertificate, ipk: Secret)?
    }

    func credentials(node: UInt64, _ flaw: Flaw = Flaw()) -> CASECredentials {
        var random = SeededRandom(seed: node)
        let key = P256.PrivateKey.generate(using: &random)
        let other = P256.PrivateKey.generate(using: &random)
        let noc = Self.certificate(
            DistinguishedName([
                .number(.nodeID, flaw.certifiedNode ?? node),
                .number(.fabricID, flaw.certifiedFabric ?? fabricID.rawValue),
            ]),
            of: key.publicKey, by: icac ?? root,
            [
                .basicConstraints(isCA: false, pathLength: nil), .keyUsage(.digitalSignature),
                .extendedKeyUsage([.clientAuth, .serverAuth]),
            ], validity: flaw.validity, key: flaw.isForged ? other : issuer)
        return CASECredentials(
            fabricIndex: index, fabricID: fabricID, nodeID: NodeID(node),
            root: flaw.claimed?.root ?? root, noc: noc.tlv(), icac: icac?.tlv(),
            privateKey: flaw.hasOtherKey ? other : key, ipk: flaw.claimed?.ipk ?? ipk)
    }

    static let validity = Validity(
        notBefore: MatterTime(secondsSince2000: 700_000_000), notAfter: .noExpiry)

    private static func certificate(
        _ subject: DistinguishedName, of key: P256.PublicKey, by issuer: MatterCertificate,
        _ extensions: [CertificateExtension], validity: Validity = TestFabric.validity,
        key signer: P256.PrivateKey
    ) -> MatterCertificate {
        MatterCertificate(
            serialNumber: [1], issuer: issuer.subject, subject: subject, validity: validity,
            publicKey: key,
            extensions: extensions + [
                .subjectKeyID(KeyIdentifier.of(key)),
                .authorityKeyID(KeyIdentifier.of(issuer.publicKey)),
            ]
        ).signed(by: signer)
    }
}

/// Both sides of one handshake in memory: node 0x1001 seeks node 0x2002.
struct CASEPair {
    var random: SeededRandom
    var initiator: CASEInitiator
    var responder: CASEResponder

    init(
        _ ours: CASECredentials = TestFabric().credentials(node: 0x1001),
        _ theirs: [CASECredentials] = [TestFabric().credentials(node: 0x2002)],
        sought: UInt64 = 0x2002, resumption: SessionResumption? = nil,
        resumptions: [SessionResumption] = [], seed: UInt64 = 3,
        at now: MatterTime = TestFabric.now
    ) {
        random = SeededRandom(seed: seed)
        initiator = CASEInitiator(
            credentials: ours, peer: NodeID(sought), sessionID: SessionID(0x1111),
            parameters: SessionParameters(activeInterval: .milliseconds(900)),
            resumption: resumption, at: now)
        responder = CASEResponder(
            credentials: theirs, sessionID: SessionID(0x2222),
            parameters: SessionParameters(activeInterval: .milliseconds(800)),
            resumptions: resumptions, at: now)
    }

    /// Goes on until `count` messages are under way, and gives the last.
    mutating func message(_ count: Int) throws -> HandshakeMessage {
        var message = initiator.start(using: &random)
        for number in 1..<count {
            let step = try deliver(message, as: number)
            message = try #require(step.message)
        }
        return message
    }

    /// Odd numbers go to the responder.
    mutating func deliver(
        _ message: HandshakeMessage, as number: Int
    ) throws(CASEError) -> HandshakeStep {
        if number % 2 == 1 {
            return try responder.receive(message.opcode, message.payload.span, using: &random)
        }
        return try initiator.receive(message.opcode, message.payload.span, using: &random)
    }

    /// Goes on from the `number`th message to the end.
    /// - Returns: what the two sides established, ours first; nil for a side that did not.
    mutating func run(
        _ message: HandshakeMessage, as number: Int = 1
    ) throws(CASEError) -> (ours: SessionSecrets?, theirs: SessionSecrets?) {
        var established: (ours: SessionSecrets?, theirs: SessionSecrets?)
        var message = message
        for number in number... {
            let step = try deliver(message, as: number)
            if let secrets = step.secrets {
                if number % 2 == 1 {
                    established.theirs = secrets
                } else {
                    established.ours = secrets
                }
            }
            guard let answer = step.message else { break }
            message = answer
        }
        return established
    }

    /// A whole handshake that must succeed.
    static func establish(
        _ pair: CASEPair
    ) throws -> (ours: SessionSecrets, theirs: SessionSecrets) {
        var pair = pair
        let sigma1 = pair.initiator.start(using: &pair.random)
        let (ours, theirs) = try pair.run(sigma1)
        return (try #require(ours), try #require(theirs))
    }

    /// The error that ends a handshake, nil when it succeeds.
    static func failure(_ pair: CASEPair) -> CASEError? {
        var pair = pair
        let sigma1 = pair.initiator.start(using: &pair.random)
        do throws(CASEError) {
            _ = try pair.run(sigma1)
            return nil
        } catch { return error }
    }
}

import Base
import Crypto
import Matter

/// Two nodes of one fabric: their handshake, and the session that comes of it.
struct Pair {
    static let now = MatterTime(secondsSince2000: 800_000_000)
    static let ids = (initiator: NodeID(0x1001), responder: NodeID(0x2002))
    static let address = PeerAddress.udp(
        SocketAddress(IPAddress(ipv4: FixedBytes()), port: 5540))

    private let ours: CASECredentials
    private let theirs: CASECredentials
    private let keys: (ours: P256.PrivateKey, theirs: P256.PrivateKey)
    private var random = SystemRandom()

    init() {
        let fabricID = FabricID(1)
        let authority = FabricAuthority(fabricID: fabricID, using: &random)
        let ipk = Secret([UInt8](repeating: 7, count: 16).span)
        keys = (
            P256.PrivateKey.generate(using: &random), P256.PrivateKey.generate(using: &random)
        )
        var made: [CASECredentials] = []
        for (node, key) in [(Pair.ids.initiator, keys.ours), (Pair.ids.responder, keys.theirs)] {
            let noc = authority.issueNOC(
                publicKey: key.publicKey, nodeID: node, using: &random)
            made.append(
                CASECredentials(
                    fabricIndex: FabricIndex(1), fabricID: fabricID, nodeID: node,
                    root: authority.root, noc: noc.tlv(), icac: nil, privateKey: key, ipk: ipk))
        }
        ours = made[0]
        theirs = made[1]
    }

    /// One whole handshake of CASE, both sides.
    mutating func shakeHands(
        _ ourID: SessionID, _ theirID: SessionID
    ) throws -> (ours: SessionSecrets, theirs: SessionSecrets) {
        var initiator = CASEInitiator(
            credentials: ours, peer: Pair.ids.responder, sessionID: ourID, at: Pair.now)
        var responder = CASEResponder(
            credentials: [theirs], sessionID: theirID, parameters: nil, resumptions: [],
            at: Pair.now)
        var message = initiator.start(using: &random)
        var secrets: SessionSecrets?
        while true {
            let answer = try responder.receive(
                message.opcode, message.payload.span, using: &random)
            switch answer {
            case .send(let next): message = next
            case .sendAndEstablish(let next, let established):
                message = next
                secrets = established
            case .established: preconditionFailure("the responder has the last word")
            }
            switch try initiator.receive(message.opcode, message.payload.span, using: &random) {
            case .send(let next): message = next
            case .established(let established), .sendAndEstablish(_, let established):
                guard let secrets else { preconditionFailure("both establish") }
                return (established, secrets)
            }
        }
    }

    /// The curve's operations that such a handshake needs, alone: two ephemeral keys, two
    /// agreements, two signatures, and four verified (each side: the peer's and its NOC's).
    mutating func operateAlone(_ message: [UInt8]) throws -> Bool {
        let first = P256.PrivateKey.generate(using: &random)
        let second = P256.PrivateKey.generate(using: &random)
        let (firstPoint, secondPoint) = (first.publicKey.bytes, second.publicKey.bytes)
        let shared = try (
            first.sharedSecret(with: P256.PublicKey(secondPoint.span)),
            second.sharedSecret(with: P256.PublicKey(firstPoint.span))
        )
        let signatures = (keys.ours.sign(message.span), keys.theirs.sign(message.span))
        var isGood = shared.0 == shared.1
        for _ in 0..<2 {
            isGood = keys.ours.publicKey.verify(signatures.0, over: message.span) && isGood
            isGood = keys.theirs.publicKey.verify(signatures.1, over: message.span) && isGood
        }
        return isGood
    }
}

/// A session between two message layers.
struct Conversation {
    private var sender = MessageLayer(jitterSeed: 1)
    private var receiver = MessageLayer(jitterSeed: 2)
    private let session: SessionHandle
    private let now = Instant(nanoseconds: 1_000_000_000)

    init(_ pair: inout Pair) throws {
        let places = try (sender.reserveSession(random: 1), receiver.reserveSession(random: 2))
        let secrets = try pair.shakeHands(places.0.id, places.1.id)
        sender.establish(
            places.0, secrets.ours, isInitiator: true, local: Pair.ids.initiator,
            peer: Pair.ids.responder, address: Pair.address, counterRandom: 1, at: now)
        receiver.establish(
            places.1, secrets.theirs, isInitiator: false, local: Pair.ids.responder,
            peer: Pair.ids.initiator, address: Pair.address, counterRandom: 1, at: now)
        session = places.0.handle
    }

    /// One message is framed, sealed, sent, received, found good and opened.
    mutating func carry(_ payload: [UInt8]) throws -> Bool {
        let exchange = try sender.openExchange(on: session, random: 9)
        try sender.send(
            on: exchange, .interactionModel, opcode: 5, payload.span, reliably: false, at: now)
        var isOpened = false
        let instant = now
        while sender.nextTransmit({ bytes, _ in
            do throws(MessageError) {
                guard let got = try receiver.receive(bytes, from: Pair.address, at: instant)
                else { return }
                receiver.abandon(got.exchange)
                isOpened = true
            } catch {}
        }) {}
        sender.abandon(exchange)
        return isOpened
    }
}

import Base
import Crypto
import MatterNode
import Simulation

@testable import Matter

/// Messages in sessions, and those that make them.
enum SessionTargets {
    private static let address = PeerAddress.udp(
        SocketAddress(IPAddress(ipv4: FixedBytes()), port: 5540))
    private static let paths = [AttributePath(BasicInformation.serialNumber, endpoint: .root)]

    /// Raw datagrams, and messages of a peer that has the keys.
    static func session(_ input: [UInt8]) {
        var pieces = Pieces(input)
        var ours = MessageLayer(jitterSeed: 1)
        var theirs = MessageLayer(jitterSeed: 2)
        guard let own = establish(&ours, isInitiator: true),
            let other = establish(&theirs, isInitiator: false),
            let asked = try? ours.openExchange(on: own, random: 9),
            (try? ours.send(
                on: asked, .interactionModel, opcode: 2, [0x15, 0x18].span, at: .start)) != nil
        else { preconditionFailure("an exchange opens in a new session") }
        var exchange: ExchangeHandle?
        var subscription = Subscription(id: 1, responseTime: .seconds(30))
        var now = Instant.start
        for _ in 0..<64 where !pieces.isEmpty {
            let kind = pieces.byte()
            now = now + .milliseconds(Int64(kind) * 32)
            var datagrams: [[UInt8]] = []
            if kind & 1 == 0 {
                datagrams = [pieces.piece()]
            } else {
                if exchange == nil || kind & 2 == 0 {
                    exchange = try? theirs.openExchange(on: other, random: UInt16(kind))
                }
                let (opcode, protocolID) = (pieces.byte(), UInt16(pieces.byte() & 1))
                let payload = [UInt8](pieces.piece().prefix(1024))
                if let exchange {
                    try? theirs.send(
                        on: exchange, ProtocolID(rawValue: protocolID), opcode: opcode,
                        payload.span, at: now)
                }
                while theirs.nextTransmit({ bytes, _ in datagrams.append([UInt8](bytes)) }) {}
            }
            for datagram in datagrams {
                guard let received = try? ours.receive(datagram.span, from: address, at: now)
                else { continue }
                _ = try? subscription.receive(ours.payload, at: now)
                _ = try? StatusReport(ours.payload)
                if received.isNew { ours.close(received.exchange) }
            }
            ours.advance(to: now)
            theirs.advance(to: now)
            while ours.nextEvent() != nil {}
            while theirs.nextEvent() != nil {}
            while ours.nextTransmit({ _, _ in }) {}
        }
        precondition(ours.sessionCount <= 64 && ours.exchangeCount <= 256)
    }

    private static func establish(
        _ layer: inout MessageLayer, isInitiator: Bool
    ) -> SessionHandle? {
        guard let place = try? layer.reserveSession(random: 1) else { return nil }
        let secret = Secret([UInt8](repeating: 7, count: 32).span)
        let secrets = SessionSecrets(
            keys: SessionKeys(secret, salt: Span(), info: "SessionKeys"),
            localSessionID: place.id, peerSessionID: place.id,
            peerParameters: SessionParameters())
        layer.establish(
            place, secrets, isInitiator: isInitiator, local: NodeID(1), peer: NodeID(1),
            address: address, counterRandom: 1, at: .start)
        return place.handle
    }

    /// Feeds both ends; one that has failed receives nothing more.
    private static func shakeHands(
        _ input: [UInt8], _ initiator: (SecureChannelOpcode, [UInt8]) -> Bool,
        _ responder: (SecureChannelOpcode, [UInt8]) -> Bool
    ) {
        var pieces = Pieces(input)
        var (isInitiating, isResponding) = (true, true)
        for _ in 0..<4 where !pieces.isEmpty {
            let (kind, opcode) = (pieces.byte(), SecureChannelOpcode(rawValue: pieces.byte()))
            let payload = pieces.piece()
            if kind & 1 == 0, isInitiating {
                isInitiating = initiator(opcode, payload)
            } else if kind & 1 == 1, isResponding {
                isResponding = responder(opcode, payload)
            }
        }
    }

    static func pase(_ input: [UInt8]) {
        var random = SeededRandom(seed: 1)
        var initiator = PASEInitiator(
            passcode: Secret([0x25, 0x48, 0x34, 0x01].span), sessionID: SessionID(rawValue: 1))
        _ = initiator.start(using: &random)
        var responder = PASEResponder(
            verifier: verifier, iterations: 1000, salt: [UInt8](repeating: 1, count: 16),
            sessionID: SessionID(rawValue: 2))
        shakeHands(input) { opcode, payload in
            (try? initiator.receive(opcode, payload.span, using: &random)) != nil
        } _: { opcode, payload in
            (try? responder.receive(opcode, payload.span, using: &random)) != nil
        }
    }

    private static let verifier: SPAKE2PlusVerifier = {
        let salt = [UInt8](repeating: 1, count: 16)
        return SPAKE2PlusVerifier(
            SPAKE2PlusSecrets(
                passcode: Secret([0x25, 0x48, 0x34, 0x01].span), salt: salt.span,
                iterations: 1000))
    }()

    static func `case`(_ input: [UInt8]) {
        var random = SeededRandom(seed: 1)
        var initiator = CASEInitiator(
            credentials: fabric.credentials, peer: NodeID(2), sessionID: SessionID(rawValue: 1),
            at: MatterTime(unixSeconds: 1_780_000_000))
        _ = initiator.start(using: &random)
        var responder = CASEResponder(
            credentials: [fabric.credentials], sessionID: SessionID(rawValue: 2),
            at: MatterTime(unixSeconds: 1_780_000_000))
        shakeHands(input) { opcode, payload in
            (try? initiator.receive(opcode, payload.span, using: &random)) != nil
        } _: { opcode, payload in
            (try? responder.receive(opcode, payload.span, using: &random)) != nil
        }
    }

    private static let fabric: Fabric = {
        var random = SeededRandom(seed: 3)
        let record = Fabric.create(adminVendorID: VendorID(0xFFF1), using: &random)
        do throws(FabricError) { return try Fabric(record) } catch {
            preconditionFailure("a new fabric is in order")
        }
    }()

    /// Answers to what we ask.
    static func interaction(_ input: [UInt8]) {
        var pieces = Pieces(input)
        var read = ReadClient(paths: paths)
        var request = SubscribeRequest()
        request.attributeRequests = paths
        var subscribe = try? SubscribeClient(request)
        var command = GeneralCommissioning.ArmFailSafe()
        command.expiryLengthSeconds = 60
        var invoke = try? InvokeClient(command, endpoint: .root)
        guard let number = try? EncodedElement(UInt64(1)) else { return }
        let value = AttributeDataIB(
            path: AttributePath(GeneralCommissioning.breadcrumb, endpoint: .root),
            data: number)
        var write = try? WriteClient([value])
        for _ in 0..<32 where !pieces.isEmpty {
            let (kind, opcode) = (pieces.byte(), InteractionOpcode(rawValue: pieces.byte()))
            let payload = pieces.piece()
            switch kind & 3 {
            case 0: _ = try? read.receive(opcode, payload.span)
            case 1: _ = try? subscribe?.receive(opcode, payload.span)
            case 2:
                if case .done(let result)? = try? invoke?.receive(opcode, payload.span) {
                    _ = try? result.response(to: GeneralCommissioning.ArmFailSafe.self)
                }
            default: _ = try? write?.receive(opcode, payload.span)
            }
        }
        for report in read.reports.all {
            if case .data(let value) = report.value { _ = value.json }
        }
    }

    /// Requests to the virtual device's server.
    static func server(_ input: [UInt8]) {
        var pieces = Pieces(input)
        var layer = MessageLayer(jitterSeed: 1)
        guard let session = establish(&layer, isInitiator: false) else { return }
        var table = AttributeTable()
        table.add(
            GeneralCommissioning.self, on: .root, revision: 1,
            commands: [GeneralCommissioning.ArmFailSafe.id])
        table.set(GeneralCommissioning.breadcrumb, 7)
        var server = InteractionServer(attributes: table, seed: 1)
        let accessor = Accessor(subject: .pase, fabricIndex: nil, session: session)
        var exchange: ExchangeHandle?
        var now = Instant.start
        for _ in 0..<32 where !pieces.isEmpty {
            let (kind, opcode) = (pieces.byte(), InteractionOpcode(rawValue: pieces.byte()))
            now = now + .milliseconds(Int64(kind) * 64)
            let payload = pieces.piece()
            let isNew = exchange == nil || kind & 1 == 0
            if isNew { exchange = try? layer.openExchange(on: session, random: UInt16(kind)) }
            guard let exchange else { return }
            server.receive(
                opcode, payload.span, on: exchange, isNew: isNew, from: accessor, at: now)
            server.advance(to: now)
            while let event = server.nextEvent() {
                switch event {
                case .invoke(let invocation):
                    server.answer(invocation.id, .status(.success), at: now)
                case .write(let write):
                    _ = server.result(write)
                    server.answer(write.id, .success, at: now)
                }
            }
            while server.nextTransmit() != nil {}
        }
    }
}

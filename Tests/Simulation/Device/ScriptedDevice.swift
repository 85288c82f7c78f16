package import Base
package import Crypto
package import Matter
package import MatterNode

/// A small device on a simulated network: the message layer, the answering sides of both
/// handshakes, a table of attributes, and what commissioning needs. It does what its script says
/// instead where it has one for a request.
package final class ScriptedDevice: @unchecked Sendable {
    package struct Settings: Sendable {
        package var passcode: UInt32 = 20_202_021
        package var discriminator: UInt16 = 3840
        /// What it recommends, and what it allows in all.
        package var failSafeSeconds: UInt16 = 60
        package var cumulativeSeconds: UInt16 = 900
        package var hasTimeSynchronization = true
        /// Octets beyond which a report goes into the next message.
        package var chunkOctets = 1000
        /// Commands that it takes in one message.
        package var maxPathsPerInvoke: UInt16 = 1
        /// Answers to commands that it puts into one message.
        package var commandAnswersPerMessage = 8
        /// Whether it refuses a handshake that tells it session parameters, as old devices do.
        package var refusesSessionParameters = false
        /// Seconds that it lets pass between two reports at most.
        package var maxInterval: UInt16 = 600
        /// Whether it wants no answer to a report that only tells that it is alive.
        package var suppressesKeepAlives = false
        /// CM of its record.
        package var commissioningMode: UInt8 = 1
        /// Whether it tells that it can be commissioned.
        package var announcesWindow = true
        /// Whether it tells its name once it has an identity.
        package var announcesIdentity = true

        package init() {}
    }

    package let settings: Settings
    package let loop: Loop
    package let link: SimulatedLink
    package let answerer: ServiceAnswerer
    /// Its name while it can be commissioned.
    let instance: UInt64
    let random: SharedRandom
    var layer: MessageLayer

    /// The script.
    package var react: (DeviceRequest) -> DeviceReaction = { _ in .proceed }
    /// Requests in the order in which they came, without repetitions by the network.
    package private(set) var heard: [DeviceRequest] = []
    /// A run of days hears without end.
    package var keepsHeard = true

    var attributes: [(path: ConcreteAttributePath, value: AttributeValue)] = []
    package var commandAnswers: [DeviceRequest: CommandAnswer] = [:]
    package internal(set) var written: [AttributeDataIB] = []
    /// Commands that it was to carry out, with their fields.
    package internal(set) var invoked: [CommandDataIB<EncodedElement>] = []
    /// Commands with the timed request that they must have.
    /// More are refused with `pathsExhausted`.
    package var maxPathsPerSubscription = Int.max
    package var timedCommands: Set<DeviceRequest> = [
        .invoke(AdministratorCommissioning.OpenCommissioningWindow.self),
        .invoke(AdministratorCommissioning.RevokeCommissioning.self),
    ]
    /// The window that an administrator has opened.
    package internal(set) var window: DeviceWindow?

    /// What happened, in the order of the numbers.
    package var events: [EventDataIB] = []
    package internal(set) var subscriptions: [DeviceSubscription] = []
    /// What subscribers answered to reports.
    package internal(set) var reportAnswers: [InteractionStatus] = []
    var nextSubscription: UInt32 = 100

    var sessions: [SessionHandle: DeviceSession] = [:]
    var conversations: [ExchangeHandle: Conversation] = [:]

    package internal(set) var fabrics: [DeviceFabric] = []
    var failSafe: DeviceFailSafe?
    /// The lengths of all ArmFailSafe commands that were carried out, 0 for disarming.
    package internal(set) var armings: [UInt16] = []
    /// Those that would have gone beyond what it allows in all.
    package internal(set) var excessiveArmings = 0
    package internal(set) var failSafeExpiries = 0
    /// What it keeps of sessions, the newest last. Without any it has forgotten all of them.
    package var resumptions: [SessionResumption] = []
    /// Whether AddNOC is answered with the fabric index.
    package var tellsFabricIndex = true
    /// Handshakes that broke at the key confirmation.
    package private(set) var wrongPasscodes = 0

    private let verifier: SPAKE2PlusVerifier
    private let salt: [UInt8]
    private var buffer = [UInt8](repeating: 0, count: Limits.datagramBytes + 1)
    private var timer: TimerID?
    private var isLeaving = false

    package static let port: UInt16 = 5540
    private static let iterations: UInt32 = 1000
    /// Core §4.14.2.2: at least that many for each fabric.
    private static let resumptionBound = 3

    /// - Parameter number: makes the address; 1 ... 255.
    package init(
        on network: SimulatedNetwork, number: UInt8, settings: Settings = Settings(),
        seed: UInt64 = 1
    ) {
        self.settings = settings
        loop = network.loop
        random = SharedRandom(SeededRandom(seed: seed &* 257 &+ UInt64(number)))
        layer = MessageLayer(jitterSeed: random.drawUInt64())
        instance = random.drawUInt64()
        let address = IPAddress.simulated(0x100 + UInt16(number))
        link = network.link(at: SocketAddress(address, port: Self.port))
        answerer = ServiceAnswerer(
            loop: loop, link: network.multicast(at: address, interface: 2),
            host: "HOST\(number)", addresses: [address], seed: random.drawUInt64())
        let salt = [UInt8](random.drawBytes() as FixedBytes<16>)
        self.salt = salt
        verifier = SPAKE2PlusVerifier(
            SPAKE2PlusSecrets(
                passcode: .passcode(settings.passcode), salt: salt.span,
                iterations: Int(Self.iterations)))
        link.onReadable = { [weak self] in self?.pump() }
        setUpAttributes()
        if settings.announcesWindow { openWindow() }
    }

    package var address: SocketAddress { link.address }
    package var sessionCount: Int { sessions.count }
    package var isArmed: Bool { failSafe != nil }
    /// How long the fail-safe will last; nil when it is not armed.
    package var failSafeLeft: Duration? { failSafe.map { $0.end - loop.now } }
    package func count(_ request: DeviceRequest) -> Int { heard.count { $0 == request } }

    /// From now on it is as if it had no power.
    package func vanish() {
        link.isOff = true
        answerer.link.isOff = true
    }

    /// Tells the peer of each session that it is over.
    package func closeSessions() {
        for handle in sessions.keys { closeSession(handle) }
        flush()
    }

    /// Says something in each session that nobody asked for.
    package func sendUnasked() {
        for handle in sessions.keys {
            guard let exchange = try? layer.openExchange(on: handle, random: random.drawUInt16())
            else { continue }
            say(.reportData, ReportData { $0.suppressResponse = true }, on: exchange)
            layer.close(exchange)
        }
        flush()
    }

    /// Exchanges that are open or still wait for an acknowledgement.
    package var exchangeCount: Int { layer.exchangeCount }

    // MARK: Messages

    struct Message {
        let received: MessageLayer.Received
        let payload: [UInt8]

        var exchange: ExchangeHandle { received.exchange }
        var session: SessionHandle { received.session }
    }

    private func pump() {
        while true {
            var span = buffer.mutableSpan
            guard let source = link.receive(into: &span) else { return }
            do throws(MessageError) {
                let received = try layer.receive(
                    buffer.span.extracting(0..<source.count), from: .udp(source.sender),
                    at: loop.now)
                if let received {
                    take(Message(received: received, payload: [UInt8](layer.payload)))
                }
            } catch {
                // The layer has counted it, and has acknowledged a repetition.
            }
            flush()
        }
    }

    func flush() {
        var isMore = true
        while isMore {
            isMore = layer.nextTransmit { [link] bytes, address in
                if case .udp(let peer) = address { link.send(bytes, to: peer) }
            }
        }
        while let event = layer.nextEvent() {
            switch event {
            case .lost(let exchange): end(exchange)
            }
        }
        if let timer { loop.cancel(timer) }
        timer = layer.nextDeadline.map { deadline in
            loop.schedule(at: deadline) { [weak self] in self?.tick() }
        }
        if isLeaving, layer.nextDeadline == nil { vanish() }
    }

    private func tick() {
        timer = nil
        layer.advance(to: loop.now)
        flush()
    }

    private func take(_ message: Message) {
        let request = self.request(message)
        if keepsHeard { heard.append(request) }
        switch react(request) {
        case .proceed: proceed(message)
        case .late(let delay):
            _ = loop.schedule(at: loop.now + delay) { [weak self] in
                self?.proceed(message)
                self?.flush()
            }
        case .status(let status):
            say(.statusResponse, StatusResponse { $0.status = status }, on: message.exchange)
            end(message.exchange)
        case .code(let code): refuse(message, code)
        case .report(let report):
            say(HandshakeMessage(report), on: message.exchange)
            end(message.exchange)
        case .mute: break
        case .garbage:
            say(message.received.protocolID, message.garbageOpcode, [0xFF], message.exchange)
            end(message.exchange)
        case .say(let opcode, let payload, let endlessly):
            say(.interactionModel, opcode.rawValue, payload, message.exchange)
            if endlessly {
                conversations[message.exchange] = .endless(opcode, payload)
            } else {
                end(message.exchange)
            }
        case .foreignProtocol:
            let other: ProtocolID =
                message.received.protocolID == .secureChannel ? .interactionModel : .secureChannel
            say(other, message.received.opcode + 1, [0x15, 0x18], message.exchange)
            end(message.exchange)
        case .closeSession: closeSession(message.session)
        case .vanish: vanish()
        case .proceedThenVanish:
            proceed(message)
            isLeaving = true
        }
    }

    private func request(_ message: Message) -> DeviceRequest {
        if message.received.protocolID == .interactionModel { return interactionRequest(message) }
        let opcode = SecureChannelOpcode(rawValue: message.received.opcode)
        if opcode == .statusReport, message.received.isNew { return .closeSession }
        return .handshake(opcode)
    }

    private func proceed(_ message: Message) {
        if message.received.protocolID == .interactionModel { return interact(message) }
        switch SecureChannelOpcode(rawValue: message.received.opcode) {
        case .statusReport where message.received.isNew:
            layer.close(message.exchange)
            forget(message.session)
        case .pbkdfParamRequest where message.received.isNew: beginPASE(message)
        case .sigma1 where message.received.isNew: beginCASE(message)
        default: shakeHands(message)
        }
    }

    // MARK: Sending

    func say(
        _ protocolID: ProtocolID, _ opcode: UInt8, _ payload: [UInt8],
        _ exchange: ExchangeHandle
    ) {
        // A session that has ended meanwhile has nobody to say it to.
        _ = try? layer.send(
            on: exchange, protocolID, opcode: opcode, payload.span, at: loop.now)
    }

    func say(_ message: HandshakeMessage, on exchange: ExchangeHandle) {
        say(.secureChannel, message.opcode.rawValue, message.payload, exchange)
    }

    /// Forgets the exchange once what was said last has arrived.
    func end(_ exchange: ExchangeHandle) {
        if case .handshake(_, let reserved)? = conversations.removeValue(forKey: exchange) {
            layer.removeSession(reserved.handle)
        }
        layer.close(exchange)
    }

    func closeSession(_ session: SessionHandle) {
        if let exchange = try? layer.openExchange(on: session, random: random.drawUInt16()) {
            _ = try? layer.send(
                on: exchange, .secureChannel, opcode: SecureChannelOpcode.statusReport.rawValue,
                StatusReport.closeSession.encode().span, reliably: false, at: loop.now)
        }
        flush()
        forget(session)
    }

    func forget(_ session: SessionHandle) {
        sessions[session] = nil
        endSubscriptions(in: session)
        layer.removeSession(session)
    }
}

/// A session with keys, at the device.
struct DeviceSession {
    let attestationChallenge: Secret
    /// Nil in a PASE session.
    let fabricIndex: FabricIndex?
}

/// What an exchange is in the middle of.
enum Conversation {
    case handshake(any HandshakeResponder, MessageLayer.ReservedSession)
    /// Messages of a report that follow when the peer has the one before.
    case report([[UInt8]])
    /// The same of the answers to commands.
    case answers([[UInt8]])
    case timed
    /// The first report of a subscription.
    case priming(DeviceSubscription, [[UInt8]])
    /// One that comes again each time that the peer has taken it.
    case endless(InteractionOpcode, [UInt8])
    /// A later one, of the subscription with this id.
    case reporting(UInt32, [[UInt8]])
}

/// The answering side of a handshake: what PASE and CASE have in common.
protocol HandshakeResponder {
    /// - Throws: `HandshakeRefusal`.
    mutating func take(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>, _ random: SharedRandom
    ) throws(HandshakeRefusal) -> HandshakeStep
}

struct HandshakeRefusal: Error {
    let reply: StatusReport?
    let isWrongPasscode: Bool
}

extension PASEResponder: HandshakeResponder {
    mutating func take(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>, _ random: SharedRandom
    ) throws(HandshakeRefusal) -> HandshakeStep {
        var random = random
        do throws(PASEError) { return try receive(opcode, payload, using: &random) } catch {
            // The initiator finds out first, and says so instead of Pake3.
            let report = StatusReport(.failure, .invalidParameter)
            throw HandshakeRefusal(
                reply: error.reply,
                isWrongPasscode: error == .wrongPasscode || error == .statusReport(report))
        }
    }
}

extension CASEResponder: HandshakeResponder {
    mutating func take(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>, _ random: SharedRandom
    ) throws(HandshakeRefusal) -> HandshakeStep {
        var random = random
        do throws(CASEError) { return try receive(opcode, payload, using: &random) } catch {
            throw HandshakeRefusal(reply: error.reply, isWrongPasscode: false)
        }
    }
}

extension ScriptedDevice {
    /// Whether the handshake tells it session parameters; it has refused them then.
    private func refusesParameters(_ message: Message) -> Bool {
        guard settings.refusesSessionParameters else { return false }
        let payload = message.payload
        let told =
            (try? PBKDFParamRequest(tlv: payload.span))?.initiatorSessionParams
            ?? (try? Sigma1(tlv: payload.span))?.initiatorSessionParams
        if told == nil { return false }
        say(HandshakeMessage(StatusReport(.failure, .invalidParameter)), on: message.exchange)
        end(message.exchange)
        return true
    }

    private func beginPASE(_ message: Message) {
        if refusesParameters(message) { return }
        guard let reserved = try? layer.reserveSession(random: random.drawUInt16()) else {
            return
        }
        let responder = PASEResponder(
            verifier: window?.verifier ?? verifier,
            iterations: window?.iterations ?? Self.iterations, salt: window?.salt ?? salt,
            sessionID: reserved.id)
        conversations[message.exchange] = .handshake(responder, reserved)
        shakeHands(message)
    }

    private func beginCASE(_ message: Message) {
        if refusesParameters(message) { return }
        guard let reserved = try? layer.reserveSession(random: random.drawUInt16()) else {
            return
        }
        let responder = CASEResponder(
            credentials: fabrics.map(\.credentials), sessionID: reserved.id,
            resumptions: resumptions,
            at: Self.certificateTime)
        conversations[message.exchange] = .handshake(responder, reserved)
        shakeHands(message)
    }

    private func shakeHands(_ message: Message) {
        guard case .handshake(var responder, let reserved)? = conversations[message.exchange]
        else { return }
        let opcode = SecureChannelOpcode(rawValue: message.received.opcode)
        do throws(HandshakeRefusal) {
            switch try responder.take(opcode, message.payload.span, random) {
            case .send(let answer):
                conversations[message.exchange] = .handshake(responder, reserved)
                say(answer, on: message.exchange)
            case .established(let secrets): establish(reserved, secrets, message)
            case .sendAndEstablish(let answer, let secrets):
                establish(reserved, secrets, message)
                say(answer, on: message.exchange)
                layer.close(message.exchange)
            }
        } catch {
            if error.isWrongPasscode { wrongPasscodes += 1 }
            if let reply = error.reply { say(HandshakeMessage(reply), on: message.exchange) }
            end(message.exchange)
        }
    }

    private func establish(
        _ reserved: MessageLayer.ReservedSession, _ secrets: SessionSecrets, _ message: Message
    ) {
        guard let address = layer.address(of: message.session) else { return }
        conversations[message.exchange] = nil
        let fabric = fabrics.first { $0.index == secrets.fabricIndex }
        layer.establish(
            reserved, secrets, isInitiator: false, local: fabric?.nodeID ?? .unspecified,
            peer: secrets.peer?.nodeID ?? .unspecified, address: address,
            counterRandom: random.drawUInt32(), at: loop.now)
        if let resumption = secrets.resumption {
            resumptions.removeAll { $0.sharedSecret == resumption.sharedSecret }
            resumptions = resumptions.suffix(Self.resumptionBound - 1) + [resumption]
        }
        sessions[reserved.handle] = DeviceSession(
            attestationChallenge: secrets.attestationChallenge, fabricIndex: secrets.fabricIndex)
    }

    /// In 2026.
    package static var certificateTime: MatterTime { MatterTime(secondsSince2000: 830_000_000) }
}

extension ScriptedDevice.Message {
    /// The opcode of the answer that is due.
    fileprivate var garbageOpcode: UInt8 {
        guard received.protocolID == .interactionModel else { return received.opcode + 1 }
        switch InteractionOpcode(rawValue: received.opcode) {
        case .readRequest: return InteractionOpcode.reportData.rawValue
        case .timedRequest: return InteractionOpcode.statusResponse.rawValue
        case .subscribeRequest: return InteractionOpcode.reportData.rawValue
        default: return received.opcode + 1
        }
    }
}

extension Secret {
    /// As SPAKE2+ wants it.
    package static func passcode(_ value: UInt32) -> Secret {
        Secret(count: 4) { octets in
            for index in 0..<4 {
                octets[index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index))
            }
        }
    }
}

extension IPAddress {
    /// fe80::NUMBER on the second interface.
    package static func simulated(_ number: UInt16) -> IPAddress {
        var octets = FixedBytes<16>()
        octets[0] = 0xFE
        octets[1] = 0x80
        octets[14] = UInt8(number >> 8)
        octets[15] = UInt8(number & 0xFF)
        return IPAddress(octets, scope: 2)
    }
}

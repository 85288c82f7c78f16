package import Base
internal import Crypto
package import Matter

/// The gateway's presence on the network: the message layer, its link, and the flows that wait.
///
/// `pump` is the only place where the layer meets the link: it drains what arrived, hands
/// messages to the exchanges that wait for them and sends what the layer wants sent.
package actor Node {
    package nonisolated let loop: Loop
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    private let link: any DatagramLink
    private let random: SharedRandom
    var layer: MessageLayer
    var subscriptions = Subscriptions()
    /// Devices over Bluetooth, by the number of their address.
    var bluetoothLinks: [UInt16: BTPLink] = [:]
    var lastBluetoothLink: UInt16 = 0
    private var inboxes: [ExchangeHandle: LoopQueue<Result<IncomingMessage, ExchangeError>>] = [:]
    private var buffer = [UInt8](repeating: 0, count: Limits.datagramBytes + 1)
    private var timer: TimerID?
    /// In flight that were begun here; what can wait does.
    package internal(set) var handshakes = 0
    /// Sessions without keys in which the last word is still to be acknowledged.
    private var retiring: [SessionHandle] = []

    /// Made once: the timer is set anew after every datagram.
    private lazy var ticking: () -> Void = { [weak self] in
        self?.assumeIsolated { node in node.tick() }
    }

    /// Messages that may wait in one exchange; the peer sends the next after our answer, so
    /// two are enough, and a stray one more.
    private static let inboxBound = 4
    /// Datagrams taken in one turn, so that a flood cannot starve the timers.
    private static let datagramsPerTurn = 64

    package init(loop: Loop, link: any DatagramLink, random: SharedRandom) {
        self.loop = loop
        self.link = link
        layer = MessageLayer(jitterSeed: random.drawUInt64())
        self.random = random
    }

    /// Begins to take what arrives.
    package func start() {
        link.onReadable = { [weak self] in
            self?.assumeIsolated { node in node.pump() }
        }
    }

    /// Datagrams that were dropped, by reason, since the start.
    package var dropped: MessageLayer.DropCounts { layer.dropped }

    // MARK: The pump

    private func pump() {
        var turns = 0
        while turns < Self.datagramsPerTurn {
            turns += 1
            var span = buffer.mutableSpan
            guard let source = link.receive(into: &span) else { break }
            take(buffer.span.extracting(0..<source.count), from: .udp(source.sender))
        }
    }

    func take(_ datagram: Span<UInt8>, from address: PeerAddress) {
        do throws(MessageError) {
            let received = try layer.receive(datagram, from: address, at: loop.now)
            if let received { deliver(received) }
        } catch {
            // Counted by the layer; nobody answers what is not a message.
        }
        flush()
    }

    /// Sends and reports what the layer has made, and sets the timer anew.
    func flush() {
        let (link, bluetoothLinks) = (link, bluetoothLinks)
        var isMore = true
        while isMore {
            var unreachable: PeerAddress?
            isMore = layer.nextTransmit { bytes, address in
                switch address {
                case .udp(let peer): if !link.send(bytes, to: peer) { unreachable = address }
                // What a link does not take is of an exchange that times out.
                case .btp(let number): _ = bluetoothLinks[number]?.send(bytes)
                }
            }
            if let unreachable { layer.noRoute(to: unreachable) }
        }
        while let event = layer.nextEvent() {
            switch event {
            case .lost(let exchange):
                if let inbox = inboxes[exchange] {
                    inbox.push(.failure(.unreachable))
                } else {
                    // Of a report that was to go on; its subscription has its own deadline.
                    layer.abandon(exchange)
                }
            }
        }
        if !retiring.isEmpty { endRetired() }
        if let timer { loop.cancel(timer) }
        timer = layer.nextDeadline.map { deadline in
            loop.schedule(at: deadline, ticking)
        }
    }

    private func endRetired() {
        retiring.removeAll { session in
            guard !layer.hasExchange(in: session) else { return false }
            layer.removeSession(session)
            return true
        }
    }

    private func tick() {
        timer = nil
        layer.advance(to: loop.now)
        flush()
    }

    private func deliver(_ received: MessageLayer.Received) {
        if isCloseSession(received) {
            end(received.session)
            return
        }
        if let inbox = inboxes[received.exchange] {
            let message = IncomingMessage(
                protocolID: received.protocolID, opcode: received.opcode,
                payload: [UInt8](layer.payload))
            inbox.push(.success(message))
            return
        }
        if takeReport(received) { return }
        // Nobody here serves what a peer asks for unasked; the message is acknowledged.
        if received.isNew { layer.close(received.exchange) }
    }

    private func isCloseSession(_ received: MessageLayer.Received) -> Bool {
        guard received.isNew, received.protocolID == .secureChannel,
            received.opcode == SecureChannelOpcode.statusReport.rawValue,
            let report = try? StatusReport(layer.payload)
        else { return false }
        return report.generalCode == .success && report.secureChannelCode == .closeSession
    }

    // MARK: Exchanges

    /// Opens an exchange in a session.
    package func open(_ session: SessionHandle) throws(ExchangeError) -> ExchangeHandle {
        do throws(MessageError) {
            let exchange = try layer.openExchange(on: session, random: random.drawUInt16())
            inboxes[exchange] = LoopQueue(on: loop, bound: Self.inboxBound)
            return exchange
        } catch .unknownSession {
            throw .sessionEnded
        } catch {
            throw .message(error)
        }
    }

    package func send(
        on exchange: ExchangeHandle, _ protocolID: ProtocolID, opcode: UInt8,
        _ payload: Span<UInt8>
    ) throws(ExchangeError) {
        defer { flush() }
        do throws(MessageError) {
            try layer.send(
                on: exchange, protocolID, opcode: opcode, payload, at: loop.now)
        } catch .unknownSession, .unknownExchange {
            throw .sessionEnded
        } catch {
            throw .message(error)
        }
    }

    /// Waits for the next message of the exchange.
    /// - Parameters:
    ///   - protocolID: of the exchange; nothing else is an answer in it.
    ///   - processing: what the peer may need to think, beside the network's time.
    package func receive(
        on exchange: ExchangeHandle, _ protocolID: ProtocolID, processing: Duration
    ) async throws(ExchangeError) -> IncomingMessage {
        guard let inbox = inboxes[exchange], let session = layer.session(of: exchange) else {
            throw .sessionEnded
        }
        let deadline = loop.now + layer.responseTime(of: session, processing: processing)
        let bluetoothLink = bluetoothLink(of: session)
        bluetoothLink?.beginWaiting()
        defer { bluetoothLink?.endWaiting() }
        let result: Result<IncomingMessage, ExchangeError>?
        do throws(CancellationError) {
            result = try await inbox.next(until: deadline)
        } catch {
            // Nobody waits for the answer any more; if it comes it is acknowledged all the same.
            abandon(exchange)
            throw .cancelled
        }
        guard let result else { throw .noAnswer }
        let message = try result.get()
        guard message.protocolID == protocolID else {
            throw .foreignProtocol(message.protocolID)
        }
        return message
    }

    /// Ends an exchange: what is owed is acknowledged, what is outstanding still arrives.
    package func close(_ exchange: ExchangeHandle) {
        inboxes[exchange] = nil
        layer.close(exchange)
        flush()
    }

    /// Ends an exchange at once; nothing of it is sent again.
    package func abandon(_ exchange: ExchangeHandle) {
        inboxes[exchange] = nil
        layer.abandon(exchange)
        flush()
    }

    // MARK: Sessions

    /// Ends a session here, without a word to the peer.
    package func end(_ session: SessionHandle) {
        for (exchange, inbox) in inboxes where layer.session(of: exchange) == session {
            inbox.push(.failure(.sessionEnded))
        }
        endSubscriptions(of: session, .sessionEnded)
        layer.removeSession(session)
        flush()
    }

    /// Tells the peer that the session is over, and ends it. Core §4.11.1.4.
    package func closeSession(_ session: SessionHandle) {
        if let exchange = try? layer.openExchange(on: session, random: random.drawUInt16()) {
            let report = StatusReport.closeSession.encode()
            // A session that cannot say goodbye is ended all the same.
            _ = try? layer.send(
                on: exchange, .secureChannel, opcode: SecureChannelOpcode.statusReport.rawValue,
                report.span, reliably: false, at: loop.now)
        }
        flush()
        end(session)
    }

    package func isOpen(_ session: SessionHandle) -> Bool { layer.isOpen(session) }

    package func address(of session: SessionHandle) -> PeerAddress? {
        layer.address(of: session)
    }

    /// Whether a handshake that goes on with this address has had any answer.
    func hasHeard(from address: PeerAddress) -> Bool { layer.hasHeard(from: address) }

    package var sessionCount: Int { layer.sessionCount }
    /// Those that are open or still wait for an acknowledgement.
    package var exchangeCount: Int { layer.exchangeCount }
    /// Those that a flow has not done with.
    package var inboxCount: Int { inboxes.count }

    // MARK: What handshakes need

    func openUnsecured(
        to address: PeerAddress, parameters: SessionParameters
    ) throws(ExchangeError) -> SessionHandle {
        defer { flush() }
        do throws(MessageError) {
            return try layer.openUnsecured(
                to: address, ephemeral: NodeID(random.drawUInt64()), parameters: parameters,
                counterRandom: random.drawUInt32())
        } catch { throw .message(error) }
    }

    func reserveSession() throws(ExchangeError) -> MessageLayer.ReservedSession {
        defer { flush() }
        do throws(MessageError) {
            return try layer.reserveSession(random: random.drawUInt16())
        } catch { throw .message(error) }
    }

    func establish(
        _ reserved: MessageLayer.ReservedSession, _ secrets: SessionSecrets, local: NodeID,
        peer: NodeID, address: PeerAddress
    ) {
        layer.establish(
            reserved, secrets, isInitiator: true, local: local, peer: peer, address: address,
            counterRandom: random.drawUInt32(), at: loop.now)
    }

    func removeSession(_ session: SessionHandle) { layer.removeSession(session) }

    /// Ends a session once all that was said in it has arrived, or counts as lost.
    func retireSession(_ session: SessionHandle) {
        retiring.append(session)
        flush()
    }

    /// Where the machines of handshakes draw from.
    nonisolated var randomSource: SharedRandom { random }
}

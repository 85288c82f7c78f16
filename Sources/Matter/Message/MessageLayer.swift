package import Base
internal import Crypto

/// Sessions, exchanges and the reliability protocol over any number of peers.
///
/// Scope: Core §4.4 to §4.13 without group messages: what is on the wire, who may say it, what
/// is acknowledged and what is sent again. Not scope: handshakes, and what messages mean.
///
/// After each `receive`, `send`, `close` or `advance`, take the datagrams by `nextTransmit` and
/// the events by `nextEvent` before the next one, and call `advance` at `nextDeadline`.
/// Nothing here allocates for a datagram once buffers have reached their size.
package struct MessageLayer {
    var sessions = SessionTable()
    var exchanges = ExchangeTable()
    var outbox = Outbox()
    private var events: [Event] = []
    var jitter: JitterSource
    /// The payload of the message last received, decrypted.
    private var plaintext = [UInt8](repeating: 0, count: Limits.datagramBytes)
    private var received = 0..<0
    /// The protocol header and payload of the message being sent.
    private var scratch = [UInt8](repeating: 0, count: Limits.datagramBytes)
    /// Datagrams that were dropped, by reason.
    package private(set) var dropped = DropCounts()

    /// - Parameter jitterSeed: random; it spreads retransmissions (§4.12.2.1).
    package init(jitterSeed: UInt64) {
        jitter = JitterSource(state: jitterSeed)
    }

    package enum Event: Equatable, Sendable {
        /// The peer acknowledged none of the transmissions of the message last sent.
        case lost(ExchangeHandle)
    }

    /// A message that came; its payload is `payload` until the next `receive`.
    package struct Received: Equatable, Sendable {
        package let session: SessionHandle
        package let exchange: ExchangeHandle
        /// The peer opened the exchange with this message.
        package let isNew: Bool
        package let protocolID: ProtocolID
        package let opcode: UInt8
    }

    package struct DropCounts: Equatable, Sendable {
        package var malformed = 0
        package var unknownSession = 0
        package var notAuthentic = 0
        package var duplicate = 0
        package var unknownExchange = 0
        package var noRoom = 0
    }

    // MARK: What comes out

    package mutating func nextTransmit(_ body: (Span<UInt8>, PeerAddress) -> Void) -> Bool {
        outbox.next(body)
    }

    package mutating func nextEvent() -> Event? {
        events.isEmpty ? nil : events.removeFirst()
    }

    package var nextDeadline: Instant? { exchanges.nextDeadline }

    /// The application payload of the message last received.
    package var payload: Span<UInt8> {
        @_lifetime(borrow self)
        get { plaintext.span.extracting(received) }
    }

    // MARK: Receiving

    /// Takes one datagram.
    /// - Returns: the message in it, or nil when it only acknowledged.
    /// - Throws: why it was dropped; a duplicate has been acknowledged again.
    package mutating func receive(
        _ datagram: Span<UInt8>, from address: PeerAddress, at now: Instant
    ) throws(MessageError) -> Received? {
        do throws(MessageError) {
            return try take(datagram, from: address, at: now)
        } catch {
            count(error)
            throw error
        }
    }

    private mutating func take(
        _ datagram: Span<UInt8>, from address: PeerAddress, at now: Instant
    ) throws(MessageError) -> Received? {
        guard datagram.count <= Limits.datagramBytes else { throw .tooLong }
        var reader = ByteReader(datagram)
        let header = try MessageHeader(&reader)
        guard !header.securityFlags.contains(.privacy),
            header.securityFlags.sessionType == 0
        else { throw .unsupported }
        let slot = try slot(for: header, from: address)
        try open(header, datagram, payloadAt: reader.offset, slot: slot)
        var inner = ByteReader(plaintext.span.extracting(received))
        let message = try ProtocolHeader(&inner)
        received = (received.lowerBound + inner.offset)..<received.upperBound
        let (session, isFresh) = sessions.update(slot: slot) { session in
            let isFresh = session.window.accept(header.counter)
            if isFresh {
                session.lastReceived = now
                session.address = address
            }
            return (session.handle, isFresh)
        }
        return try route(header, message, session: session, isFresh: isFresh, at: now)
    }

    /// Finds the session, or makes one for a peer that opens an unsecured exchange.
    private mutating func slot(
        for header: MessageHeader, from address: PeerAddress
    ) throws(MessageError) -> Int {
        if header.sessionID != .unsecured {
            guard let slot = sessions.secured(header.sessionID) else { throw .unknownSession }
            return slot
        }
        if case .node(let destination) = header.destination {
            let slot = sessions.firstSlot { session in
                if case .unsecured(destination, true) = session.security { true } else { false }
            }
            guard let slot else { throw .unknownSession }
            return slot
        }
        guard let source = header.source else { throw .malformedHeader }
        let known = sessions.firstSlot { session in
            if case .unsecured(source, false) = session.security { true } else { false }
        }
        if let known { return known }
        return try addUnsecured(
            initiator: source, isInitiator: false, address: address,
            counterRandom: UInt32(truncatingIfNeeded: jitter.next())
        ).slot
    }

    /// Decrypts the payload into `plaintext`, or copies it where there is no key yet.
    private mutating func open(
        _ header: MessageHeader, _ datagram: Span<UInt8>, payloadAt offset: Int, slot: Int
    ) throws(MessageError) {
        guard let session = sessions.session(inSlot: slot) else { throw .unknownSession }
        let body = datagram.extracting(offset..<datagram.count)
        switch session.security {
        case .reserved:
            throw .unknownSession
        case .unsecured:
            for index in body.indices { plaintext[index] = body[index] }
            received = 0..<body.count
        case .secured(_, let opening, _, let peer):
            guard body.count > Self.tagBytes else { throw .malformedHeader }
            let count = body.count - Self.tagBytes
            received = 0..<count
            var target = plaintext.mutableSpan
            var output = target._mutatingExtracting(0..<count)
            do throws(CryptoError) {
                try opening.open(
                    body, nonce: header.nonce(sender: peer),
                    authenticating: datagram.extracting(0..<offset), into: &output)
            } catch {
                throw .notAuthentic
            }
        }
    }

    private mutating func route(
        _ header: MessageHeader, _ message: ProtocolHeader, session: SessionHandle,
        isFresh: Bool, at now: Instant
    ) throws(MessageError) -> Received? {
        var exchange = exchanges.find(
            session: session, id: message.exchangeID, isInitiator: !message.isFromInitiator)
        if let exchange, let counter = message.acknowledgedCounter {
            acknowledge(counter, on: exchange)
        }
        let wantsAnswer = message.needsAcknowledgement && !address(of: session).isReliable
        guard isFresh else {
            if wantsAnswer {
                sendAcknowledgement(
                    of: header.counter, session: session, id: message.exchangeID,
                    isInitiator: !message.isFromInitiator)
            }
            throw .duplicate
        }
        if message.protocolID == .secureChannel, message.opcode == Self.standaloneAcknowledgement {
            return nil
        }
        if let open = exchange, exchanges[open]?.isClosing ?? true { exchange = nil }
        let isNew = exchange == nil
        if isNew, message.isFromInitiator {
            exchange = exchanges.insert(
                session: session, id: message.exchangeID, isInitiator: false)
            if exchange == nil { throw .noRoom }
        }
        guard let exchange else {
            if wantsAnswer {
                sendAcknowledgement(
                    of: header.counter, session: session, id: message.exchangeID,
                    isInitiator: !message.isFromInitiator)
            }
            throw .unknownExchange
        }
        if wantsAnswer { owe(header.counter, on: exchange, at: now) }
        return Received(
            session: session, exchange: exchange, isNew: isNew,
            protocolID: message.protocolID, opcode: message.opcode)
    }

    private mutating func acknowledge(_ counter: UInt32, on handle: ExchangeHandle) {
        guard var exchange = exchanges[handle], exchange.outstanding?.counter == counter else {
            return
        }
        exchange.outstanding = nil
        exchanges[handle] = exchange
        if exchange.isClosing { exchanges.remove(handle) }
    }

    private mutating func owe(_ counter: UInt32, on handle: ExchangeHandle, at now: Instant) {
        guard var exchange = exchanges[handle] else { return }
        if let earlier = exchange.owed {
            sendAcknowledgement(
                of: earlier.counter, session: exchange.session, id: exchange.id,
                isInitiator: exchange.isInitiator)
        }
        exchange.owed = Exchange.OwedAcknowledgement(
            counter: counter, deadline: now + MRP.standaloneAcknowledgementDelay)
        exchanges[handle] = exchange
    }

    // MARK: Exchanges

    /// - Parameter random: for the exchange's id.
    /// - Throws: `unknownSession`, or `noRoom`.
    package mutating func openExchange(
        on session: SessionHandle, random: UInt16
    ) throws(MessageError) -> ExchangeHandle {
        guard sessions[session] != nil else { throw .unknownSession }
        var id = ExchangeID(random)
        while exchanges.find(session: session, id: id, isInitiator: true) != nil {
            id = ExchangeID(id.rawValue &+ 1)
        }
        guard let handle = exchanges.insert(session: session, id: id, isInitiator: true) else {
            throw .noRoom
        }
        return handle
    }

    /// Sends a message; the acknowledgement that is owed goes with it.
    /// - Parameter reliably: ask for an acknowledgement and send again until it comes.
    /// - Throws: `tooLong`, `unknownExchange`, `unknownSession`, or `noRoom` when the session's
    ///   counters are used up.
    package mutating func send(
        on handle: ExchangeHandle, _ protocolID: ProtocolID, opcode: UInt8,
        _ payload: Span<UInt8>, reliably: Bool = true, at now: Instant
    ) throws(MessageError) {
        guard var exchange = exchanges[handle] else { throw .unknownExchange }
        guard let session = sessions[exchange.session] else { throw .unknownSession }
        var header = ProtocolHeader(
            exchangeID: exchange.id, protocolID: protocolID, opcode: opcode,
            isFromInitiator: exchange.isInitiator)
        header.acknowledgedCounter = exchange.owed?.counter
        header.needsAcknowledgement = reliably && !session.address.isReliable
        let keeper = header.needsAcknowledgement ? handle : nil
        let counter = try transmit(header, payload, session: session.handle, keeper: keeper)
        exchange.owed = nil
        if header.needsAcknowledgement {
            exchange.outstanding = Exchange.Outstanding(
                counter: counter, retransmissions: 0,
                deadline: now
                    + MRP.wait(
                        interval: session.interval(at: now), retransmissions: 0,
                        random: jitter.unitInterval()))
        }
        exchanges[handle] = exchange
    }

    /// The owner is done: what is owed is acknowledged now, what is outstanding still arrives.
    package mutating func close(_ handle: ExchangeHandle) {
        guard var exchange = exchanges[handle] else { return }
        if let owed = exchange.owed {
            sendAcknowledgement(
                of: owed.counter, session: exchange.session, id: exchange.id,
                isInitiator: exchange.isInitiator)
            exchange.owed = nil
        }
        exchange.isClosing = true
        exchanges[handle] = exchange
        if exchange.outstanding == nil { exchanges.remove(handle) }
    }

    /// No way leads to this address from here: a handshake with it need not wait for silence. An
    /// established session waits all the same, for a link may come back.
    package mutating func noRoute(to address: PeerAddress) {
        for handle in exchanges.handles {
            guard var exchange = exchanges[handle], exchange.outstanding != nil,
                let session = sessions[exchange.session], session.address == address,
                case .unsecured(_, true) = session.security
            else { continue }
            exchange.outstanding = nil
            exchanges[handle] = exchange
            events.append(.lost(handle))
        }
    }

    /// Forgets the exchange at once; nothing of it is sent again.
    package mutating func abandon(_ handle: ExchangeHandle) {
        exchanges.remove(handle)
    }

    // MARK: Time

    /// Sends again what was not acknowledged, and acknowledges what waited long enough.
    package mutating func advance(to now: Instant) {
        while let handle = exchanges.due(at: now), var exchange = exchanges[handle] {
            if let owed = exchange.owed, owed.deadline <= now {
                sendAcknowledgement(
                    of: owed.counter, session: exchange.session, id: exchange.id,
                    isInitiator: exchange.isInitiator)
                exchange.owed = nil
                exchanges[handle] = exchange
            }
            if let outstanding = exchange.outstanding, outstanding.deadline <= now {
                retransmit(outstanding, exchange, at: now)
            }
        }
    }

    private mutating func retransmit(
        _ outstanding: Exchange.Outstanding, _ exchange: Exchange, at now: Instant
    ) {
        var exchange = exchange
        guard let session = sessions[exchange.session],
            outstanding.retransmissions + 1 < MRP.transmissions
        else {
            exchange.outstanding = nil
            exchanges[exchange.handle] = exchange
            if exchange.isClosing {
                exchanges.remove(exchange.handle)
            } else {
                events.append(.lost(exchange.handle))
            }
            return
        }
        let datagram = exchanges.datagram(of: exchange.handle)
        outbox.add(to: session.address, size: datagram.count) { target in
            for index in datagram.indices { target[index] = datagram[index] }
        }
        let made = outstanding.retransmissions + 1
        exchange.outstanding = Exchange.Outstanding(
            counter: outstanding.counter, retransmissions: made,
            deadline: now
                + MRP.wait(
                    interval: session.interval(at: now), retransmissions: made,
                    random: jitter.unitInterval()))
        exchanges[exchange.handle] = exchange
    }

    // MARK: Making datagrams

    private mutating func sendAcknowledgement(
        of counter: UInt32, session: SessionHandle, id: ExchangeID, isInitiator: Bool
    ) {
        var header = ProtocolHeader(
            exchangeID: id, protocolID: .secureChannel, opcode: Self.standaloneAcknowledgement,
            isFromInitiator: isInitiator)
        header.acknowledgedCounter = counter
        // Without a session or a counter there is nobody to acknowledge to.
        _ = try? transmit(header, Span(), session: session, keeper: nil)
    }

    /// - Parameter keeper: the exchange that may have to send the datagram again.
    /// - Returns: the message's counter.
    mutating func transmit(
        _ message: ProtocolHeader, _ payload: Span<UInt8>, session handle: SessionHandle,
        keeper: ExchangeHandle?
    ) throws(MessageError) -> UInt32 {
        guard sessions[handle] != nil else { throw .unknownSession }
        let session = sessions.update(slot: handle.slot) { session in
            (counter: session.counter.take(), value: session)
        }
        guard let counter = session.counter else { throw .noRoom }
        var header = MessageHeader(sessionID: session.value.peerID, counter: counter)
        if case .unsecured(let node, let isInitiator) = session.value.security {
            if isInitiator { header.source = node } else { header.destination = .node(node) }
        }
        let sizes = try assemble(message, payload)
        var prefix = InlineArray<24, UInt8>(repeating: 0)
        let prefixCount = Self.write(header, into: &prefix)
        var total = prefixCount + sizes
        if case .secured = session.value.security { total += Self.tagBytes }
        guard total <= Limits.datagramBytes else { throw .tooLong }
        // What is to be sent again must have been sent once.
        if keeper != nil, outbox.count == Limits.outbox { throw .noRoom }
        let made = scratch
        let plain = made.span.extracting(0..<sizes)
        outbox.add(to: session.value.address, size: total) { target in
            for index in 0..<prefixCount { target[index] = prefix[index] }
            var body = target._mutatingExtracting(prefixCount..<total)
            switch session.value.security {
            case .reserved, .unsecured:
                for index in plain.indices { body[index] = plain[index] }
            case .secured(let sealing, _, let local, _):
                sealing.seal(
                    plain, nonce: header.nonce(sender: local),
                    authenticating: prefix.span.extracting(0..<prefixCount), into: &body)
            }
        }
        if let keeper, let sent = outbox.newest {
            exchanges.keep(sent.bytes.span.extracting(0..<sent.count), for: keeper)
        }
        return counter
    }

    /// Puts the protocol header and the payload together in `scratch`.
    private mutating func assemble(
        _ message: ProtocolHeader, _ payload: Span<UInt8>
    ) throws(MessageError) -> Int {
        var writer = ByteWriter(scratch.mutableSpan)
        do throws(ByteError) {
            try message.write(&writer)
            try writer.bytes(payload)
        } catch {
            throw .tooLong
        }
        return writer.count
    }

    private static func write(
        _ header: MessageHeader, into prefix: inout InlineArray<24, UInt8>
    ) -> Int {
        var writer = ByteWriter(prefix.mutableSpan)
        do throws(ByteError) { try header.write(&writer) } catch {
            preconditionFailure("the longest header has 24 octets")
        }
        return writer.count
    }

    private mutating func count(_ error: MessageError) {
        switch error {
        case .malformedHeader, .tooLong, .unsupported: dropped.malformed += 1
        case .unknownSession: dropped.unknownSession += 1
        case .notAuthentic: dropped.notAuthentic += 1
        case .duplicate: dropped.duplicate += 1
        case .unknownExchange: dropped.unknownExchange += 1
        case .noRoom: dropped.noRoom += 1
        }
    }

    private func address(of session: SessionHandle) -> PeerAddress {
        sessions[session]?.address ?? .btp(0)
    }

    /// Secure channel opcode, Core §4.12.7.1.
    private static let standaloneAcknowledgement: UInt8 = 0x10
    /// Octets of the authentication tag, Core §3.6.
    private static let tagBytes = 16
}

/// Spreads retransmissions; it need not be unpredictable, only different from node to node.
struct JitterSource {
    var state: UInt64

    /// splitmix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    mutating func unitInterval() -> Double { Double(next() >> 11) * 0x1p-53 }
}

import Base
import Crypto
import Testing

@testable import Matter

/// Two message layers joined in memory: what one sends, the other receives, at virtual time.
private struct Pair {
    var controller = MessageLayer(jitterSeed: 1)
    var device = MessageLayer(jitterSeed: 2)
    var controllerSession: SessionHandle
    var deviceSession: SessionHandle
    var now = Instant(nanoseconds: 1_000_000_000)
    /// Datagrams on the way, oldest first.
    var toDevice: [[UInt8]] = []
    var toController: [[UInt8]] = []

    static let controllerAddress = PeerAddress.udp(
        SocketAddress(IPAddress(ipv4: FixedBytes()), port: 1000))
    static let deviceAddress = PeerAddress.udp(
        SocketAddress(IPAddress(ipv4: FixedBytes()), port: 5540))

    init() throws {
        let secret = Secret([UInt8](repeating: 7, count: 32).span)
        let keys = SessionKeys(secret, salt: Span(), info: "SessionKeys")
        let ours = try controller.reserveSession(random: 0xABCD)
        let theirs = try device.reserveSession(random: 0x1234)
        controllerSession = ours.handle
        deviceSession = theirs.handle
        controller.establish(
            ours,
            SessionSecrets(
                keys: keys, localSessionID: ours.id, peerSessionID: theirs.id,
                peerParameters: SessionParameters()),
            isInitiator: true, local: NodeID(1), peer: NodeID(2), address: Self.deviceAddress,
            counterRandom: 10, at: now)
        device.establish(
            theirs,
            SessionSecrets(
                keys: keys, localSessionID: theirs.id, peerSessionID: ours.id,
                peerParameters: SessionParameters()),
            isInitiator: false, local: NodeID(2), peer: NodeID(1),
            address: Self.controllerAddress, counterRandom: 20, at: now)
    }

    mutating func drain() {
        var sent: [[UInt8]] = []
        while controller.nextTransmit({ bytes, _ in sent.append([UInt8](bytes)) }) {}
        toDevice += sent
        sent = []
        while device.nextTransmit({ bytes, _ in sent.append([UInt8](bytes)) }) {}
        toController += sent
    }

    mutating func deviceReceives() throws -> MessageLayer.Received? {
        drain()
        let datagram = toDevice.removeFirst()
        return try device.receive(datagram.span, from: Self.controllerAddress, at: now)
    }

    mutating func controllerReceives() throws -> MessageLayer.Received? {
        drain()
        let datagram = toController.removeFirst()
        return try controller.receive(datagram.span, from: Self.deviceAddress, at: now)
    }

    mutating func ask(_ payload: [UInt8] = [1, 2, 3]) throws -> ExchangeHandle {
        let exchange = try controller.openExchange(on: controllerSession, random: 77)
        try controller.send(
            on: exchange, .interactionModel, opcode: 2, payload.span, at: now)
        return exchange
    }
}

@Suite("MessageLayer")
struct MessageLayerTests {
    @Test("a question, its answer, and the acknowledgement that the answer carries")
    func roundTrip() throws {
        var pair = try Pair()
        let exchange = try pair.ask([9, 8, 7])
        let asked = try pair.deviceReceives()
        let question = try #require(asked)
        #expect(question.isNew)
        #expect(question.opcode == 2)
        #expect(question.protocolID == .interactionModel)
        let heard = [UInt8](pair.device.payload)
        #expect(heard == [9, 8, 7])
        try pair.device.send(
            on: question.exchange, .interactionModel, opcode: 5, [4].span, at: pair.now)
        let answered = try pair.controllerReceives()
        let answer = try #require(answered)
        #expect(answer.exchange == exchange)
        #expect(!answer.isNew)
        let said = [UInt8](pair.controller.payload)
        #expect(said == [4])
        pair.controller.close(exchange)
        pair.device.close(question.exchange)
        let silence = try pair.deviceReceives()
        #expect(silence == nil)
        #expect(pair.controller.exchangeCount == 0)
        #expect(pair.device.exchangeCount == 0)
        #expect(pair.controller.nextDeadline == nil)
        #expect(pair.device.nextDeadline == nil)
    }

    @Test("§4.12.2 what is not acknowledged is sent five times, the same octets, then given up")
    func retransmission() throws {
        var pair = try Pair()
        let exchange = try pair.ask()
        pair.drain()
        var times: [Duration] = []
        let start = pair.now
        while let deadline = pair.controller.nextDeadline {
            pair.now = deadline
            times.append(deadline - start)
            pair.controller.advance(to: deadline)
            pair.drain()
        }
        #expect(pair.toDevice.count == 5)
        #expect(Set(pair.toDevice).count == 1)
        let event = pair.controller.nextEvent()
        #expect(event == .lost(exchange))
        // The peer was active for 4 s, so its active interval of 300 ms counts.
        #expect(times[0] >= .milliseconds(330) && times[0] <= .milliseconds(413))
        #expect(times[1] - times[0] >= .milliseconds(330))
        #expect(times[2] - times[1] >= .milliseconds(528))
    }

    @Test("§4.12.5.2.2 an acknowledgement goes alone after 200 ms when nothing carries it")
    func standaloneAcknowledgement() throws {
        var pair = try Pair()
        _ = try pair.ask()
        _ = try pair.deviceReceives()
        #expect(pair.device.nextDeadline == pair.now + .milliseconds(200))
        pair.now = pair.now + .milliseconds(200)
        pair.device.advance(to: pair.now)
        let nothing = try pair.controllerReceives()
        #expect(nothing == nil)
        #expect(pair.controller.nextDeadline == nil)
        #expect(pair.device.nextDeadline == nil)
    }

    @Test("§4.12.5.2.1 a duplicate is acknowledged again and not delivered")
    func duplicate() throws {
        var pair = try Pair()
        _ = try pair.ask()
        pair.drain()
        let copy = pair.toDevice[0]
        _ = try pair.deviceReceives()
        #expect(throws: MessageError.duplicate) {
            try pair.device.receive(copy.span, from: Pair.controllerAddress, at: pair.now)
        }
        #expect(pair.device.dropped.duplicate == 1)
        let nothing = try pair.controllerReceives()
        #expect(nothing == nil)
        #expect(pair.controller.nextDeadline == nil)
    }

    @Test("one changed bit anywhere is refused and changes nothing")
    func authenticity() throws {
        var pair = try Pair()
        _ = try pair.ask()
        pair.drain()
        let whole = pair.toDevice[0]
        for index in whole.indices {
            for bit in 0..<8 {
                var changed = whole
                changed[index] ^= 1 << bit
                let received = try? pair.device.receive(
                    changed.span, from: Pair.controllerAddress, at: pair.now)
                #expect(received == nil, "octet \(index), bit \(bit)")
            }
        }
        for count in 0..<whole.count {
            #expect(throws: MessageError.self) {
                try pair.device.receive(
                    whole.span.extracting(0..<count), from: Pair.controllerAddress, at: pair.now)
            }
        }
        #expect(pair.device.exchangeCount == 0)
        let unharmed = try pair.deviceReceives()
        #expect(unharmed != nil)
    }

    @Test("an answer in an exchange that was closed is acknowledged and dropped")
    func lateAnswer() throws {
        var pair = try Pair()
        let exchange = try pair.ask()
        let asked = try pair.deviceReceives()
        let question = try #require(asked)
        pair.controller.abandon(exchange)
        try pair.device.send(
            on: question.exchange, .interactionModel, opcode: 5, [4].span, at: pair.now)
        #expect(throws: MessageError.unknownExchange) { try pair.controllerReceives() }
        let silence = try pair.deviceReceives()
        #expect(silence == nil)
        #expect(pair.device.nextDeadline == nil)
    }

    @Test("a session that ended is unknown, and its exchanges are gone")
    func endedSession() throws {
        var pair = try Pair()
        let exchange = try pair.ask()
        pair.device.removeSession(pair.deviceSession)
        #expect(throws: MessageError.unknownSession) { try pair.deviceReceives() }
        pair.controller.removeSession(pair.controllerSession)
        #expect(throws: MessageError.unknownExchange) {
            try pair.controller.send(
                on: exchange, .interactionModel, opcode: 2, [1].span, at: pair.now)
        }
        #expect(throws: MessageError.unknownSession) {
            try pair.controller.openExchange(on: pair.controllerSession, random: 1)
        }
        #expect(pair.controller.nextDeadline == nil)
    }

    @Test("tables are bounded: exchanges, sessions and messages refuse what is beyond")
    func bounds() throws {
        var pair = try Pair()
        for number in 0..<Limits.exchanges {
            _ = try pair.controller.openExchange(
                on: pair.controllerSession, random: UInt16(number))
        }
        #expect(throws: MessageError.noRoom) {
            try pair.controller.openExchange(on: pair.controllerSession, random: 9)
        }
        for _ in 0..<Limits.sessions { _ = try pair.device.reserveSession(random: 3) }
        #expect(throws: MessageError.noRoom) { try pair.device.reserveSession(random: 3) }
        pair = try Pair()
        for _ in 0..<Limits.outbox { _ = try pair.ask() }
        #expect(throws: MessageError.noRoom) { try pair.ask() }
        // Two headers of 8 and 6 octets and a tag of 16.
        let long = [UInt8](repeating: 0, count: Limits.datagramBytes - 29)
        pair = try Pair()
        #expect(throws: MessageError.tooLong) { try pair.ask(long) }
        _ = try pair.ask([UInt8](long.dropLast()))
        let longest = try pair.deviceReceives()
        #expect(longest != nil)
    }

    @Test("a handshake with an address that no route leads to is lost at once, a session waits")
    func noRoute() throws {
        var pair = try Pair()
        _ = try pair.ask()
        pair.controller.noRoute(to: Pair.deviceAddress)
        let patience = pair.controller.nextEvent()
        #expect(patience == nil)
        #expect(pair.controller.nextDeadline != nil)
        var controller = MessageLayer(jitterSeed: 1)
        let session = try controller.openUnsecured(
            to: Pair.deviceAddress, ephemeral: NodeID(0xE1), parameters: SessionParameters(),
            counterRandom: 5)
        let exchange = try controller.openExchange(on: session, random: 1)
        try controller.send(on: exchange, .secureChannel, opcode: 0x20, [1].span, at: pair.now)
        controller.noRoute(to: Pair.controllerAddress)
        let other = controller.nextEvent()
        #expect(other == nil)
        controller.noRoute(to: Pair.deviceAddress)
        let event = controller.nextEvent()
        #expect(event == .lost(exchange))
        #expect(controller.nextDeadline == nil)
    }

    @Test("§4.13.2.1 messages without a session find their handshake by the ephemeral node id")
    func unsecured() throws {
        var controller = MessageLayer(jitterSeed: 1)
        var device = MessageLayer(jitterSeed: 2)
        let now = Instant(nanoseconds: 0)
        let session = try controller.openUnsecured(
            to: Pair.deviceAddress, ephemeral: NodeID(0xE1), parameters: SessionParameters(),
            counterRandom: 5)
        let exchange = try controller.openExchange(on: session, random: 1)
        try controller.send(on: exchange, .secureChannel, opcode: 0x20, [1].span, at: now)
        var datagram: [UInt8] = []
        while controller.nextTransmit({ bytes, _ in datagram = [UInt8](bytes) }) {}
        let asked = try device.receive(datagram.span, from: Pair.controllerAddress, at: now)
        let question = try #require(asked)
        try device.send(on: question.exchange, .secureChannel, opcode: 0x21, [2].span, at: now)
        while device.nextTransmit({ bytes, _ in datagram = [UInt8](bytes) }) {}
        let answered = try controller.receive(
            datagram.span, from: Pair.deviceAddress, at: now)
        let answer = try #require(answered)
        #expect(answer.exchange == exchange)
        var other = MessageLayer(jitterSeed: 3)
        #expect(throws: MessageError.unknownSession) {
            try other.receive(datagram.span, from: Pair.deviceAddress, at: now)
        }
    }

    @Test("a flood of unsecured openings never takes more than the tables hold")
    func flood() throws {
        var device = MessageLayer(jitterSeed: 2)
        let reserved = try device.reserveSession(random: 1)
        for number in 0..<2000 {
            let datagram = try [UInt8](capacity: 64) { writer throws(ByteError) in
                var header = MessageHeader(sessionID: .unsecured, counter: 1)
                header.source = NodeID(UInt64(number) + 1)
                try header.write(&writer)
                let message = ProtocolHeader(
                    exchangeID: ExchangeID(1), protocolID: .secureChannel, opcode: 0x20,
                    isFromInitiator: true)
                try message.write(&writer)
            }
            _ = try? device.receive(
                datagram.span, from: Pair.controllerAddress,
                at: Instant(nanoseconds: Int64(number)))
        }
        #expect(device.sessionCount <= Limits.sessions)
        #expect(device.exchangeCount <= Limits.exchanges)
        #expect(device.isOpen(reserved.handle))
    }
}

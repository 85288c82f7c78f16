import Base
import Testing

@testable import Matter

@Suite("BTP: both ends back to back")
struct BTPSessionTests {
    /// Messages of both directions at once, until both have all.
    private func converse(attMTU: Int, window: UInt8, counts: [Int]) throws {
        var pair = try BTPPair.connected(attMTU: attMTU, window: window)
        let messages = counts.enumerated().map { BTPPair.message($1, seed: $0) }
        for message in messages {
            let sent = pair.central.send(message.span, at: pair.now)
            let answered = pair.peripheral.send(message.span, at: pair.now)
            #expect(sent && answered)
        }
        _ = try pair.exchange()
        // A window of a segment or two has to wait for acknowledgements that are not due.
        while window <= 2, pair.centralClosure == nil,
            pair.receivedByCentral != messages || pair.receivedByPeripheral != messages
        {
            pair.advance()
            _ = try pair.exchange()
        }
        #expect(pair.receivedByPeripheral == messages)
        #expect(pair.receivedByCentral == messages)
        #expect(pair.centralClosure == nil && pair.peripheralClosure == nil)
    }

    @Test("messages arrive whole with every segment size", arguments: 20...244)
    func segmentSizes(size: Int) throws {
        try converse(attMTU: size + 3, window: 6, counts: [1, size - 5, size - 4, 1280])
    }

    @Test("messages arrive whole with every window")
    func windows() throws {
        for window in UInt8(1)...255 {
            try converse(attMTU: 23, window: window, counts: [300, 1, 17])
        }
    }

    @Test("every length of message arrives")
    func lengths() throws {
        var pair = try BTPPair.connected(attMTU: 40)
        for count in 1...Limits.btpMessageBytes {
            let message = BTPPair.message(count)
            let sent = pair.central.send(message.span, at: pair.now)
            #expect(sent)
            _ = try pair.exchange()
            #expect(pair.receivedByPeripheral.popLast() == message)
        }
    }

    @Test("sequence numbers go on past 255, many times")
    func wrap() throws {
        var pair = try BTPPair.connected(attMTU: 23, window: 4)
        for round in 0..<200 {
            let message = BTPPair.message(100, seed: round)
            let sent = pair.central.send(message.span, at: pair.now)
            #expect(sent)
            _ = try pair.exchange()
            let answered = pair.peripheral.send(message.span, at: pair.now)
            #expect(answered)
            _ = try pair.exchange()
        }
        #expect(pair.toPeripheral.count > 1_000 && pair.toCentral.count > 1_000)
        #expect(pair.receivedByCentral.count == 200 && pair.receivedByPeripheral.count == 200)
    }

    @Test("§4.20.3.8 the last place in a window is for a segment that acknowledges")
    func lastPlace() throws {
        var pair = try BTPPair.connected(attMTU: 23, window: 3)
        let message = BTPPair.message(200)
        let sent = pair.central.send(message.span, at: pair.now)
        #expect(sent)
        var flags: [UInt8] = []
        // The first acknowledges the handshake response; nothing comes back.
        while pair.central.nextTransmit({ flags.append($0[0]) }) {}
        #expect(flags == [0x09, 0x02])
    }

    @Test("a window that is all but used up is acknowledged at once, and only once")
    func immediateAcknowledgement() throws {
        var pair = try BTPPair.connected(attMTU: 23, window: 6)
        let message = BTPPair.message(100)
        let sent = pair.central.send(message.span, at: pair.now)
        #expect(sent)
        _ = try pair.exchange()
        #expect(pair.receivedByPeripheral == [message])
        #expect(pair.toCentral.dropFirst().map { $0[0] } == [0x08])
    }

    @Test("what acknowledges alone is not acknowledged at once: two peers come to rest")
    func rest() throws {
        for window in UInt8(1)...6 {
            var pair = try BTPPair.connected(attMTU: 23, window: window)
            let packets = try pair.exchange()
            #expect(packets < 4)
        }
    }
}

@Suite("BTP: time")
struct BTPTimeTests {
    @Test("what was received is acknowledged after 2.5 s at the latest")
    func delayedAcknowledgement() throws {
        var pair = try BTPPair.connected()
        let start = pair.now
        let early = pair.central.nextTransmit { _ in }
        #expect(!early)
        #expect(pair.central.nextDeadline == start + .milliseconds(2500))
        pair.advance(to: start + .milliseconds(2500))
        var packet = ""
        let had = pair.central.nextTransmit { packet = Hex.lower($0) }
        #expect(had)
        #expect(packet == "080000")
    }

    @Test("no acknowledgement for 15 s ends the session")
    func acknowledgementTimeout() throws {
        var pair = try BTPPair.connected()
        let start = pair.now
        pair.peripheral.advance(to: start + .milliseconds(14_999))
        let none = pair.peripheral.nextEvent()
        #expect(none == nil)
        #expect(pair.peripheral.nextDeadline == start + .seconds(15))
        pair.peripheral.advance(to: start + .seconds(15))
        let event = pair.peripheral.nextEvent()
        #expect(event == .closed(.acknowledgementTimeout))
        #expect(!pair.peripheral.isConnected && pair.peripheral.nextDeadline == nil)
    }

    @Test("an acknowledgement alone needs none")
    func acknowledgedAcknowledgement() throws {
        var pair = try BTPPair.connected()
        pair.advance()
        _ = pair.central.nextTransmit { _ in }
        // It is lost for the peer, which is silent; only the idle time is left.
        #expect(pair.central.nextDeadline == Instant(nanoseconds: 1_000) + .seconds(30))
    }

    @Test("30 s without a message end the session, acknowledgements or not")
    func idle() throws {
        var pair = try BTPPair.connected()
        let start = pair.now
        var packets = 0
        while pair.centralClosure == nil, packets < 100 {
            pair.advance()
            packets += try pair.exchange()
        }
        #expect(pair.centralClosure == .idle && pair.peripheralClosure == .idle)
        #expect(pair.now == start + .seconds(30))
        #expect((8...26).contains(packets))
    }

    @Test("silence while an answer is awaited does not end the session; afterwards it counts anew")
    func awaiting() throws {
        var pair = try BTPPair.connected()
        pair.central.setAwaitsAnswer(true, at: pair.now)
        pair.peripheral.setAwaitsAnswer(true, at: pair.now)
        let end = pair.now + .seconds(300)
        while pair.now < end {
            pair.advance()
            _ = try pair.exchange()
        }
        #expect(pair.central.isConnected && pair.peripheral.isConnected)
        pair.central.setAwaitsAnswer(false, at: pair.now)
        let sent = pair.peripheral.send([1].span, at: pair.now)
        #expect(sent)
        _ = try pair.exchange()
        #expect(pair.receivedByCentral == [[1]])
        let last = pair.now
        while pair.centralClosure == nil {
            pair.advance()
            _ = try pair.exchange()
        }
        #expect(pair.now == last + .seconds(30))
    }

    @Test("no handshake response for 15 s ends the attempt")
    func handshakeTimeout() {
        var pair = BTPPair()
        let had = pair.central.nextTransmit { _ in }
        #expect(had)
        pair.advance()
        #expect(pair.centralClosure == .handshakeTimeout)
        #expect(pair.now == Instant(nanoseconds: 1_000) + .seconds(15))
        let again = pair.central.nextTransmit { _ in }
        #expect(!again)
    }

    @Test("a central that does not subscribe is given up after 15 s")
    func subscriptionTimeout() throws {
        var pair = BTPPair()
        _ = try pair.stepCentral()
        let had = pair.peripheral.nextTransmit { _ in }
        #expect(!had)
        pair.advance()
        #expect(pair.peripheralClosure == .handshakeTimeout)
    }
}

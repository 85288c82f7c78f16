import Base
import Testing

@testable import Matter

@Suite("BTP: what a peer must not do")
struct BTPRefusalTests {
    /// What the central says about packets that it gets after the handshake.
    private func fault(
        _ packets: [String], attMTU: Int = 23, window: UInt8 = 6
    ) throws -> BTPError? {
        var pair = try BTPPair.connected(attMTU: attMTU, window: window)
        for packet in packets {
            let bytes = try #require(Hex.decode(packet))
            do throws(BTPError) {
                try pair.central.receive(bytes.span, at: pair.now)
            } catch {
                // It is over: nothing is sent and nothing more can be wrong.
                let transmits = pair.central.nextTransmit { _ in }
                let event = pair.central.nextEvent()
                #expect(!transmits && event == nil && !pair.central.isConnected)
                try pair.central.receive(bytes.span, at: pair.now)
                return error
            }
        }
        return nil
    }

    @Test(
        "a packet that is wrong is refused with what is wrong",
        arguments: [
            ([""], .truncated(at: 0)), (["05"], .truncated(at: 1)), (["0501"], .truncated(at: 2)),
            (["050101"], .truncated(at: 2)), (["0d00"], .truncated(at: 2)),
            (["08"], .truncated(at: 1)), (["0800"], .truncated(at: 2)),
            // A second handshake, a management packet, nothing at all, an acknowledgement of
            // nothing with octets behind it.
            (["656c04140006"], .invalidFlags(0x65)), (["25010100ff"], .invalidFlags(0x25)),
            (["0001"], .invalidFlags(0)), (["000155"], .invalidFlags(0)),
            // Continuing or ending what did not begin, beginning twice.
            (["0201ff"], .invalidFlags(2)), (["0401ff"], .invalidFlags(4)),
            (["01010300ff", "05020100ff"], .invalidFlags(5)),
            // Lengths.
            (["05010000ff"], .invalidMessageLength(0)),
            (["05010105ff"], .invalidMessageLength(1281)),
            (["0501ffffff"], .invalidMessageLength(65535)),
            (["05010100"], .emptySegment), (["01010100"], .emptySegment),
            (["05010100ffff"], .lengthMismatch(announced: 1, received: 2)),
            (["05010200ff"], .lengthMismatch(announced: 2, received: 1)),
            (["01010200ff", "0202ffff"], .lengthMismatch(announced: 2, received: 3)),
            (["01010300ff", "0402ff"], .lengthMismatch(announced: 3, received: 2)),
            (["0101340000000000000000000000000000000000ff"], .oversizedSegment(count: 21)),
            // Repeated, lost.
            (["05010100ff", "05010100ff"], .outOfOrder(expected: 2, received: 1)),
            (["05020100ff"], .outOfOrder(expected: 1, received: 2)),
            (["05000100ff"], .outOfOrder(expected: 1, received: 0)),
            // An acknowledgement before anything was sent.
            (["0d00010100ff"], .invalidAcknowledgement(0)),
            (["08ff01"], .invalidAcknowledgement(255)),
        ] as [([String], BTPError)])
    func wrong(packets: [String], error: BTPError) throws {
        #expect(try fault(packets) == error)
    }

    @Test("more segments than the window has are refused, one more is not (CHIP counts so)")
    func window() throws {
        let packets = (1...9).map { "050\($0)0100ff" }
        #expect(try fault(Array(packets.prefix(3)), window: 3) == nil)
        #expect(try fault(Array(packets.prefix(4)), window: 3) == .windowExceeded)
    }

    @Test("an acknowledgement counts once")
    func repeatedAcknowledgement() throws {
        var pair = try BTPPair.connected()
        let sent = pair.central.send([1].span, at: pair.now)
        #expect(sent)
        _ = try pair.stepCentral()
        try pair.central.receive([0x08, 0, 1].span, at: pair.now)
        #expect(throws: BTPError.invalidAcknowledgement(0)) {
            try pair.central.receive([0x08, 0, 2].span, at: pair.now)
        }
    }

    @Test("every truncation of every packet of a conversation is refused or changes nothing")
    func truncations() throws {
        var pair = try BTPPair.connected(attMTU: 30)
        let message = BTPPair.message(90)
        let sent = pair.peripheral.send(message.span, at: pair.now)
        #expect(sent)
        _ = try pair.exchange()
        let packets = Array(pair.toCentral.dropFirst())
        #expect(packets.count == 4)
        for (index, packet) in packets.enumerated() {
            for count in 0..<packet.count {
                var short = try BTPPair.connected(attMTU: 30)
                #expect(throws: BTPError.self) {
                    for (other, whole) in packets.enumerated() {
                        let part = other == index ? Array(whole.prefix(count)) : whole
                        try short.central.receive(part.span, at: short.now)
                    }
                }
                let event = short.central.nextEvent()
                #expect(event == nil)
            }
        }
    }

    @Test("handshakes that are cut, long or offer nothing usable are refused")
    func handshakes() throws {
        let responses: [(String, BTPError)] = [
            ("", .invalidHandshake), ("656c0414000600", .invalidHandshake),
            ("656c041400", .invalidHandshake),
            ("646c04140006", .invalidHandshake), ("656d04140006", .invalidHandshake),
            ("656c05140006", .unsupportedVersion), ("656c00140006", .unsupportedVersion),
            ("656c04130006", .invalidSegmentSize(19)), ("656c04f50006", .invalidSegmentSize(245)),
            ("656c04140000", .invalidWindow(0)), ("656c04140007", .invalidWindow(7)),
        ]
        for (hex, error) in responses {
            var pair = BTPPair()
            _ = try pair.stepCentral()
            let bytes = try #require(Hex.decode(hex))
            #expect(throws: error) { try pair.central.receive(bytes.span, at: pair.now) }
        }
        let requests: [(String, BTPError)] = [
            ("656c04000000b900", .invalidHandshake), ("656c04000000b9000600", .invalidHandshake),
            ("656c05000000b90006", .unsupportedVersion), ("656c04000000b90000", .invalidWindow(0)),
            ("05000100ff", .invalidHandshake),
        ]
        for (hex, error) in requests {
            var pair = BTPPair()
            let bytes = try #require(Hex.decode(hex))
            #expect(throws: error) { try pair.peripheral.receive(bytes.span, at: pair.now) }
        }
    }

    @Test("a response that nobody asked for yet is refused, and a second request too")
    func order() throws {
        var pair = BTPPair()
        let response = try #require(Hex.decode("656c04140006"))
        #expect(throws: BTPError.invalidHandshake) {
            try pair.central.receive(response.span, at: pair.now)
        }
        let request = try #require(Hex.decode("656c04000000b90006"))
        try pair.peripheral.receive(request.span, at: pair.now)
        #expect(throws: BTPError.invalidHandshake) {
            try pair.peripheral.receive(request.span, at: pair.now)
        }
    }

    @Test("a segment never exceeds what can be written, whatever the response says")
    func ownMTU() throws {
        var pair = BTPPair(attMTU: 23)
        _ = try pair.stepCentral()
        let response = try #require(Hex.decode("656c04f40006"))
        try pair.central.receive(response.span, at: pair.now)
        let event = pair.central.nextEvent()
        #expect(event == .connected(segmentBytes: 20))
    }

    @Test("more messages than may wait are not taken, nor any before the session is open")
    func queue() throws {
        var pair = BTPPair()
        let early = pair.central.send([1].span, at: pair.now)
        #expect(!early)
        pair = try .connected()
        for _ in 0..<Limits.btpMessages {
            let sent = pair.central.send([1].span, at: pair.now)
            #expect(sent)
        }
        let late = pair.central.send([1].span, at: pair.now)
        #expect(!late)
    }

    @Test("octets by chance never trap", arguments: 0..<20)
    func chance(seed: Int) throws {
        var state = UInt64(seed) &+ 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<200 {
            var pair = try BTPPair.connected(attMTU: 30)
            for sequence in 1..<8 {
                var packet = (0..<random(30)).map { _ in UInt8(random(256)) }
                if packet.count > 4, random(4) > 0 {
                    packet[0] = UInt8(random(8))
                    packet[1] = UInt8(sequence)
                    packet[3] = 0
                }
                guard (try? pair.central.receive(packet.span, at: pair.now)) != nil else { break }
                _ = pair.central.nextTransmit { _ in }
            }
        }
    }
}

import Base
import Testing

@testable import Matter

/// A client and a server joined in memory.
struct GATTPair {
    var client: GATTClient
    var server: GATTServer
    var now = Instant(nanoseconds: 1_000)
    var toServer: [[UInt8]] = []
    var toClient: [[UInt8]] = []
    var clientEvents: [GATTClient.Event] = []
    var serverEvents: [GATTServer.Event] = []

    init(additionalData: [UInt8]? = nil) {
        client = GATTClient(at: now)
        server = GATTServer(additionalData: additionalData)
    }

    static func ready(additionalData: [UInt8]? = nil) throws -> GATTPair {
        var pair = GATTPair(additionalData: additionalData)
        try pair.exchange()
        pair.client.subscribe(at: pair.now)
        try pair.exchange()
        pair.clientEvents = []
        pair.serverEvents = []
        return pair
    }

    /// Until neither has anything to send.
    mutating func exchange() throws(ATTError) {
        var isBusy = true
        while isBusy {
            var packet: [UInt8] = []
            let asked = client.nextTransmit { packet = [UInt8]($0) }
            if asked {
                toServer.append(packet)
                try server.receive(packet.span, at: now)
                drain()
            }
            let answered = server.nextTransmit { packet = [UInt8]($0) }
            if answered {
                toClient.append(packet)
                try client.receive(packet.span, at: now)
                drain()
            }
            isBusy = asked || answered
        }
    }

    mutating func drain() {
        while let event = client.nextEvent() { clientEvents.append(event) }
        while let event = server.nextEvent() { serverEvents.append(event) }
    }
}

@Suite("GATT: client and server back to back")
struct GATTTests {
    @Test("§4.20.2 the service is found, written, subscribed to and indicated")
    func conversation() throws {
        var pair = GATTPair()
        try pair.exchange()
        #expect(pair.clientEvents == [.ready(attMTU: 247, hasAdditionalData: false)])
        pair.client.subscribe(at: pair.now)
        try pair.exchange()
        let value = BTPPair.message(244)
        pair.client.write(value.span, at: pair.now)
        try pair.exchange()
        let written = [UInt8](pair.server.value)
        #expect(written == value)
        pair.server.indicate(value.span, at: pair.now)
        #expect(!pair.server.canIndicate)
        try pair.exchange()
        let indicated = [UInt8](pair.client.value)
        #expect(indicated == value)
        #expect(Array(pair.clientEvents.dropFirst()) == [.subscribed, .written, .indication])
        #expect(pair.serverEvents == [.subscribed, .written, .confirmed])
        #expect(pair.server.canIndicate)
    }

    @Test("C3 is read in as many parts as it has", arguments: [0, 1, 245, 246, 247, 492, 500, 512])
    func additionalData(count: Int) throws {
        let data = BTPPair.message(count)
        var pair = try GATTPair.ready(additionalData: data)
        pair.client.readAdditionalData(at: pair.now)
        try pair.exchange()
        let read = [UInt8](pair.client.value)
        #expect(pair.clientEvents == [.additionalData])
        #expect(read == data)
    }

    @Test("BTP runs over GATT from the first octet to a message each way")
    func transport() throws {
        var pair = GATTPair()
        try pair.exchange()
        var central = BTPCentral(attMTU: pair.client.attMTU, at: pair.now)
        var peripheral = BTPPeripheral(attMTU: pair.server.attMTU, at: pair.now)
        let message = BTPPair.message(1280)
        var received: [[UInt8]] = []
        for step in 0..<40 {
            var value: [UInt8] = []
            if pair.client.isIdle, central.nextTransmit({ value = [UInt8]($0) }) {
                pair.client.write(value.span, at: pair.now)
                try pair.exchange()
                let written = [UInt8](pair.server.value)
                try peripheral.receive(written.span, at: pair.now)
                if step == 0 {
                    pair.client.subscribe(at: pair.now)
                    try pair.exchange()
                    peripheral.subscribe(at: pair.now)
                }
            }
            if pair.server.canIndicate, peripheral.nextTransmit({ value = [UInt8]($0) }) {
                pair.server.indicate(value.span, at: pair.now)
                try pair.exchange()
                let indicated = [UInt8](pair.client.value)
                try central.receive(indicated.span, at: pair.now)
            }
            if step == 0 {
                let sent = central.send(message.span, at: pair.now)
                let answered = peripheral.send(message.span, at: pair.now)
                #expect(sent && answered)
            }
            if central.nextEvent() == .message { received.append([UInt8](central.message)) }
            if peripheral.nextEvent() == .message { received.append([UInt8](peripheral.message)) }
        }
        #expect(received == [message, message])
    }

    @Test("a missing service is looked for once more after a second, then given up")
    func rediscovery() throws {
        var client = GATTClient(at: Instant(nanoseconds: 0))
        var now = Instant(nanoseconds: 0)
        let refusals: [[UInt8]] = [
            [1, 2, 0, 0, 6], [1, 0x10, 1, 0, 0x0A], [1, 0x10, 1, 0, 0x0A],
        ]
        for (index, refusal) in refusals.enumerated() {
            var request: [UInt8] = []
            let asked = client.nextTransmit { request = [UInt8]($0) }
            #expect(asked)
            #expect(request[0] == refusal[1])
            try client.receive(refusal.span, at: now)
            let event = client.nextEvent()
            #expect(event == (index == 2 ? .failed(.serviceNotFound) : nil))
            if index == 1 {
                let early = client.nextTransmit { _ in }
                #expect(!early)
                #expect(client.nextDeadline == now + .seconds(1))
                now = now + .seconds(1)
                client.advance(to: now)
            }
        }
        #expect(client.attMTU == 23 && client.nextDeadline == nil)
    }

    @Test("no answer for 30 s is the end, and so is no confirmation")
    func timeouts() throws {
        var client = GATTClient(at: Instant(nanoseconds: 0))
        let end = Instant(nanoseconds: 0) + .seconds(30)
        #expect(client.nextDeadline == end)
        client.advance(to: end)
        let event = client.nextEvent()
        let asks = client.nextTransmit { _ in }
        #expect(event == .failed(.timeout))
        #expect(!asks && client.nextDeadline == nil)

        var pair = try GATTPair.ready()
        pair.server.indicate([1].span, at: pair.now)
        pair.server.advance(to: pair.now + .seconds(30))
        let timeout = pair.server.nextEvent()
        #expect(timeout == .timeout)
        #expect(!pair.server.canIndicate)
    }

    @Test("requests of the peer's are answered that they are not supported, commands are not")
    func peerRequests() throws {
        for opcode in [0x02, 0x04, 0x08, 0x0A, 0x10, 0x12, 0x16, 0x20, 0x3E] as [UInt8] {
            var pair = try GATTPair.ready()
            try pair.client.receive([opcode, 0, 0].span, at: pair.now)
            #expect(throws: ATTError.requestBeforeAnswer(opcode: opcode)) {
                var copy = pair.client
                try copy.receive([opcode, 0, 0].span, at: pair.now)
            }
            var answer: [UInt8] = []
            let had = pair.client.nextTransmit { answer = [UInt8]($0) }
            #expect(had)
            #expect(answer == [1, opcode, 0, 0, 6])
        }
        var pair = try GATTPair.ready()
        for opcode in [0x52, 0xD2, 0x7F, 0x1B, 0x23] as [UInt8] {
            try pair.client.receive([opcode, 0, 0].span, at: pair.now)
        }
        let had = pair.client.nextTransmit { _ in }
        #expect(!had)
    }

    @Test("an indication of something else is confirmed and not shown")
    func otherIndication() throws {
        var pair = try GATTPair.ready()
        try pair.client.receive([0x1D, 0x77, 0, 1].span, at: pair.now)
        let event = pair.client.nextEvent()
        var answer: [UInt8] = []
        let had = pair.client.nextTransmit { answer = [UInt8]($0) }
        #expect(event == nil && had && answer == [0x1E])
    }

    @Test("a refused write is told, and the next may be accepted")
    func refusedWrite() throws {
        var pair = try GATTPair.ready()
        pair.client.write([1].span, at: pair.now)
        _ = pair.client.nextTransmit { _ in }
        try pair.client.receive([1, 0x12, 3, 0, 0x05].span, at: pair.now)
        let event = pair.client.nextEvent()
        #expect(event == .refused(.insufficientAuthentication))
        #expect(pair.client.isIdle)
    }
}

@Suite("GATT: what a peer must not do")
struct GATTRefusalTests {
    @Test(
        "a packet out of place or shape ends the client's bearer",
        arguments: [
            ([], .empty), ([0x13], .unexpected(opcode: 0x13)), ([0x1E], .unexpected(opcode: 0x1E)),
            ([0x01, 0x12, 0, 0, 1], .unexpected(opcode: 1)), ([0x01], .malformed(opcode: 1)),
            ([0x1D, 5], .malformed(opcode: 0x1D)),
        ] as [([UInt8], ATTError)])
    func client(packet: [UInt8], error: ATTError) throws {
        var pair = try GATTPair.ready()
        #expect(throws: error) { try pair.client.receive(packet.span, at: pair.now) }
        #expect(!pair.client.isIdle)
    }

    @Test("a packet longer than the ATT_MTU is refused on both sides")
    func oversized() throws {
        var pair = try GATTPair.ready()
        let long = [UInt8](repeating: 0x1B, count: 248)
        #expect(throws: ATTError.oversized(count: 248)) {
            try pair.client.receive(long.span, at: pair.now)
        }
        #expect(throws: ATTError.oversized(count: 248)) {
            try pair.server.receive(long.span, at: pair.now)
        }
    }

    @Test("answers of a discovery that are cut, misplaced or go back are refused")
    func discoveries() throws {
        let answers: [[UInt8]] = [
            [0x11], [0x11, 6], [0x11, 6, 1, 0], [0x11, 5, 1, 0, 2, 0, 0], [0x11, 0, 1],
            [0x11, 6, 0, 0, 2, 0, 0xF6, 0xFF], [0x11, 6, 9, 0, 2, 0, 0xF6, 0xFF],
            [0x11, 6, 1, 0, 2, 0, 0, 0x18, 1, 0, 2, 0, 0xF6, 0xFF],
        ]
        for answer in answers {
            var client = GATTClient(at: Instant(nanoseconds: 0))
            try client.receive([1, 2, 0, 0, 6].span, at: Instant(nanoseconds: 0))
            #expect(throws: ATTError.malformed(opcode: 0x11)) {
                try client.receive(answer.span, at: Instant(nanoseconds: 0))
            }
        }
    }

    @Test("a server without end is given up")
    func endless() throws {
        let now = Instant(nanoseconds: 0)
        var client = GATTClient(at: now)
        try client.receive([1, 2, 0, 0, 6].span, at: now)
        var answers = 0
        var event: GATTClient.Event?
        while event == nil, answers < 1_000 {
            answers += 1
            let (low, high) = (UInt8(answers & 0xFF), UInt8(answers >> 8))
            try client.receive([0x11, 6, low, high, low, high, 0, 0x18].span, at: now)
            event = client.nextEvent()
        }
        #expect(event == .failed(.endlessDiscovery))
        #expect(answers == Limits.gattDiscoveryRequests)
    }

    @Test("every truncation of every answer of a discovery is refused, or asks on")
    func truncations() throws {
        var pair = GATTPair(additionalData: [1, 2, 3])
        try pair.exchange()
        for index in pair.toClient.indices {
            for count in 0..<pair.toClient[index].count {
                var client = GATTClient(at: pair.now)
                for packet in pair.toClient[..<index] {
                    try client.receive(packet.span, at: pair.now)
                }
                let part = Array(pair.toClient[index].prefix(count))
                _ = try? client.receive(part.span, at: pair.now)
                let event = client.nextEvent()
                #expect(event == nil)
            }
        }
    }

    @Test(
        "the server refuses what it has not",
        arguments: [
            ([0x0A, 0, 0], [1, 0x0A, 0, 0, 1]), ([0x0A, 3, 0], [1, 0x0A, 3, 0, 2]),
            ([0x0A, 9, 0], [1, 0x0A, 9, 0, 1]), ([0x0A, 3], [1, 0x0A, 0, 0, 4]),
            ([0x12, 5, 0, 1], [1, 0x12, 5, 0, 3]), ([0x12, 6, 0, 1], [1, 0x12, 6, 0, 0x0D]),
            ([0x10, 0, 0, 5, 0, 0, 0x28], [1, 0x10, 0, 0, 1]),
            ([0x10, 5, 0, 4, 0, 0, 0x28], [1, 0x10, 5, 0, 1]),
            ([0x10, 1, 0, 4, 0, 3, 0x28], [1, 0x10, 1, 0, 0x10]),
            ([0x08, 1, 0, 4, 0, 3], [1, 0x08, 0, 0, 4]),
            ([0x08, 9, 0, 255, 255, 3, 0x28], [1, 0x08, 9, 0, 0x0A]),
            ([0x0C, 6, 0, 9, 0], [1, 0x0C, 6, 0, 7]), ([0x18, 1], [1, 0x18, 0, 0, 6]),
        ] as [([UInt8], [UInt8])])
    func server(request: [UInt8], answer: [UInt8]) throws {
        var server = GATTServer()
        try server.receive(request.span, at: Instant(nanoseconds: 0))
        var answered: [UInt8] = []
        let had = server.nextTransmit { answered = [UInt8]($0) }
        #expect(had)
        #expect(answered == answer)
    }

    @Test("the service is also found by its value")
    func findByTypeValue() throws {
        var server = GATTServer()
        let request: [UInt8] = [6, 1, 0, 255, 255, 0, 0x28, 0xF6, 0xFF]
        try server.receive(request.span, at: Instant(nanoseconds: 0))
        var answered: [UInt8] = []
        _ = server.nextTransmit { answered = [UInt8]($0) }
        #expect(answered == [7, 1, 0, 6, 0])
    }

    @Test("octets by chance never trap either side", arguments: 0..<20)
    func chance(seed: Int) throws {
        var state = UInt64(seed) &+ 99
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<200 {
            var client = GATTClient(at: Instant(nanoseconds: 0))
            var server = GATTServer(additionalData: [1])
            for _ in 0..<8 {
                let packet = (0..<random(23)).map { index in
                    UInt8(index == 0 ? random(0x24) : random(9))
                }
                _ = try? client.receive(packet.span, at: Instant(nanoseconds: 0))
                _ = try? server.receive(packet.span, at: Instant(nanoseconds: 0))
                _ = server.nextTransmit { _ in }
                _ = client.nextTransmit { _ in }
            }
        }
    }
}

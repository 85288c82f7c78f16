import Base
import Matter
import Testing

@Suite("MDNSResponder, bounds and the querier")
struct MDNSResponderBoundsTests {
    private static let query = MDNSPacket(flags: 0)

    @Test("what does not fit one datagram is said in several")
    func split() throws {
        var link = ResponderLink()
        for node in 1...32 { link.publish(Lamp.operational(UInt64(node))) }
        link.run(to: 10)
        link.forgetTrace()
        try link.ask(Self.query.question("_matter._tcp.local", 12))
        link.run(to: 11)
        #expect(link.sent.count > 1)
        #expect(link.sent.allSatisfy { $0.response.payload.count <= 1232 })
        let records = try link.contents().flatMap(\.records)
        #expect(records.count { $0.name == "_matter._tcp.local" } == 32)
        // All messages but the last are full of answers.
        #expect(
            try link.contents().dropLast().allSatisfy { content in
                content.records.allSatisfy { $0.section == .answer }
            })
    }

    @Test("a thousand askers at once cost no more answers than the records allow")
    func flood() throws {
        var link = ResponderLink()
        link.publish(Lamp.announced())
        link.run(to: 10)
        link.forgetTrace()
        for asker in 1...1000 {
            try link.ask(
                Self.query.question(Lamp.service, 12, unicast: true),
                from: "[fe80::\(String(asker, radix: 16))%2]:5353")
        }
        #expect(link.sent.isEmpty)
        link.run(to: 20)
        #expect(link.sent.count <= Limits.mdnsAskers + 1)
    }

    @Test("a message with more questions and known answers than bounds allow is read to them")
    func manyQuestions() throws {
        var link = ResponderLink()
        link.publish(Lamp.announced())
        link.run(to: 10)
        link.forgetTrace()
        var packet = Self.query
        for _ in 0..<Limits.mdnsQuestionsPerMessage { packet = packet.question("x.local", 1) }
        try link.ask(packet.question(Lamp.instance, 33))
        #expect(link.sent.isEmpty)
        packet = Self.query.question(Lamp.instance, 33)
        for _ in 0..<300 { packet = packet.ptr(Lamp.service, "other.\(Lamp.service)") }
        try link.ask(packet.srv(Lamp.instance, Lamp.host))
        #expect(link.sent.count == 1)
    }

    @Test("no truncation and no change of one octet does harm")
    func malformed() throws {
        let packet = Self.query.question(Lamp.service, 12).question(Lamp.instance, 33)
            .ptr(Lamp.service, Lamp.instance).srv(Lamp.instance, Lamp.host).octets
        for count in 0..<packet.count {
            var link = ResponderLink()
            link.publish(Lamp.announced())
            link.run(to: 10)
            link.forgetTrace()
            #expect(throws: DNSError.self) { try link.ask(Array(packet[..<count])) }
            link.run(to: 20)
            #expect(link.sent.isEmpty)
        }
        var scatter = Scatter(seed: 7)
        var link = ResponderLink()
        link.publish(Lamp.announced())
        for _ in 0..<3000 {
            var octets = packet
            octets[scatter.next(octets.count)] = UInt8(scatter.next(256))
            octets[scatter.next(octets.count)] ^= UInt8(1 << scatter.next(8))
            try? link.ask(octets)
            link.run(to: Double(link.now.nanoseconds) / 1e9 + 0.05)
        }
        #expect(link.sent.allSatisfy { $0.response.payload.count <= 1232 })
    }

    @Test("a querier finds, follows and loses what a responder says, also when a tenth is lost")
    func backToBack() throws {
        for seed in UInt64(1)...20 {
            var link = Link(seed: seed)
            try link.querier.browse(.longDiscriminator(3840), at: link.now)
            link.run(to: 2)
            link.responder.publish(Lamp.announced(), at: link.now)
            link.run(to: 20)
            let record = try #require(link.found.first, "seed \(seed)")
            #expect(record.instanceName == Lamp.name && record.port == 5540)
            #expect(record.addresses.map(\.description) == ["fe80::1%2", "fd00::1"])
            link.responder.publish(Lamp.announced(mode: 2), at: link.now)
            link.run(to: 400)
            #expect(link.changed.last?.text.commissioningMode == 2, "seed \(seed)")
            #expect(link.removals == 0, "seed \(seed)")
            link.loss = 0
            link.responder.withdraw(Lamp.name, .commissionableNode, at: link.now)
            link.run(to: 402)
            #expect(link.removals == 1, "seed \(seed)")
        }
    }

    @Test("once both know each other they are quiet")
    func quiet() throws {
        var link = Link(seed: 1)
        link.loss = 0
        link.responder.publish(Lamp.operational(7), at: link.now)
        try link.querier.browse(.operationalNodes, at: link.now)
        link.run(to: 60)
        let before = link.datagrams
        link.run(to: 3660)
        // An hour: a question a minute without answers, and the host's records renewed at 80
        // per cent of 120 s, with their answers.
        #expect(link.datagrams - before < 60 + 2 * 2 * 3600 / 96)
    }

    /// A querier and a responder on one lossy link.
    private struct Link {
        var querier = MDNSQuerier(interfaces: [2])
        var responder: MDNSResponder
        var loss = 10
        private(set) var now = Instant(nanoseconds: 0)
        private(set) var found: [ServiceRecord] = []
        private(set) var changed: [ServiceRecord] = []
        private(set) var removals = 0
        private(set) var datagrams = 0
        private var scatter: Scatter
        private let asker = SocketAddress("[fe80::9%2]:5353")
        private let host = SocketAddress("[fe80::1%2]:5353")

        init(seed: UInt64) {
            scatter = Scatter(seed: seed)
            responder = MDNSResponder(interfaces: [2], seed: seed)
            responder.set(addresses: Lamp.addresses.compactMap { IPAddress($0) }, on: 2, at: now)
        }

        mutating func run(to seconds: Double) {
            let end = Instant(nanoseconds: Int64(seconds * 1e9))
            drain()
            while true {
                let next = [querier.nextDeadline, responder.nextDeadline].compactMap { $0 }.min()
                guard let next, next <= end else { break }
                now = max(now, next)
                querier.advance(to: now)
                responder.advance(to: now)
                drain()
            }
            now = end
        }

        private mutating func drain() {
            guard let asker, let host else { return }
            var isMoving = true
            while isMoving {
                isMoving = false
                while let query = querier.nextTransmit() {
                    isMoving = true
                    datagrams += 1
                    guard scatter.next(100) >= loss else { continue }
                    try? responder.receive(query.payload.span, from: asker, on: 2, at: now)
                }
                while let response = responder.nextTransmit() {
                    isMoving = true
                    datagrams += 1
                    guard scatter.next(100) >= loss else { continue }
                    try? querier.receive(
                        response.payload.span, from: host, interface: 2, at: now)
                }
                while let event = querier.nextEvent() {
                    switch event {
                    case .found(let record, _): found.append(record)
                    case .updated(let record, _): changed.append(record)
                    case .removed: removals += 1
                    }
                }
            }
        }
    }
}

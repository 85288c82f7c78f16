import Base
import Matter
import Testing

@Suite("MDNSResponder")
struct MDNSResponderTests {
    private static let query = MDNSPacket(flags: 0)
    private static let services = "_services._dns-sd._udp.local"

    /// A lamp that has announced itself, some while ago.
    private func settled(to seconds: Double = 10) -> ResponderLink {
        var link = ResponderLink()
        link.publish(Lamp.announced())
        link.run(to: seconds)
        link.forgetTrace()
        return link
    }

    @Test("RFC 6762 §8.3: a service is announced at once and again a second later")
    func announcement() throws {
        var link = ResponderLink()
        link.publish(Lamp.announced())
        link.run(to: 100)
        #expect(link.times == [0, 1])
        #expect(link.sent[0].response == link.sent[1].response)
        #expect(link.sent[0].response.destination == .group(interface: 2))
        let payload = link.sent[0].response.payload
        let header = try DNSReader(payload.span).header
        #expect(header.id == 0 && header.flags == 0x8400 && header.questionCount == 0)
        let records = try link.contents()[0].records
        #expect(records.allSatisfy { $0.section == .answer })
        #expect(
            records.map { "\($0.name) \($0.type) \($0.ttl) \($0.flush) \($0.data)" } == [
                "\(Lamp.service) 12 4500 false \(Lamp.instance)",
                "_S15._sub.\(Lamp.service) 12 4500 false \(Lamp.instance)",
                "_L3840._sub.\(Lamp.service) 12 4500 false \(Lamp.instance)",
                "_CM._sub.\(Lamp.service) 12 4500 false \(Lamp.instance)",
                "_V65521._sub.\(Lamp.service) 12 4500 false \(Lamp.instance)",
                "_T256._sub.\(Lamp.service) 12 4500 false \(Lamp.instance)",
                "\(Self.services) 12 4500 false \(Lamp.service)",
                "\(Lamp.instance) 33 120 true 0 0 5540 \(Lamp.host)",
                "\(Lamp.instance) 16 4500 true D=3840 CM=1 VP=65521+32769 DT=256"
                    + " DN=Kitchen lamp SII=500 SAI=300 SAT=4000",
                "\(Lamp.host) 28 120 true fe80::1",
                "\(Lamp.host) 28 120 true fd00::1",
            ])
    }

    @Test("RFC 6762 §6: an answer that others may have too waits 20 to 120 ms, other answers not")
    func delays() throws {
        var delays: Set<Int64> = []
        for seed in 1...40 {
            var link = ResponderLink(seed: UInt64(seed))
            link.publish(Lamp.announced())
            link.run(to: 10)
            link.forgetTrace()
            try link.ask(Self.query.question(Lamp.subtype, 12))
            #expect(link.sent.isEmpty)
            link.run(to: 20)
            #expect(link.sent.count == 1)
            delays.insert((link.sent[0].at.nanoseconds - 10_000_000_000) / 1_000_000)
        }
        #expect(delays.allSatisfy { (20...120).contains($0) })
        #expect(delays.count > 10)
        var link = settled()
        try link.ask(Self.query.question(Lamp.instance, 33))
        #expect(link.times == [10])
        #expect(
            try link.said()
                == ["\(Lamp.instance) 33", "+ \(Lamp.host) 28", "+ \(Lamp.host) 28"])
    }

    @Test("RFC 6763 §12: one answer has the port, the text and the addresses along")
    func additionals() throws {
        var link = settled()
        try link.ask(Self.query.question(Lamp.service, 12))
        link.run(to: 11)
        #expect(
            try link.said() == [
                "\(Lamp.service) 12", "+ \(Lamp.instance) 33", "+ \(Lamp.instance) 16",
                "+ \(Lamp.host) 28", "+ \(Lamp.host) 28",
            ])
    }

    @Test("case does not matter, and what is not ours is not answered")
    func names() throws {
        var link = settled()
        try link.ask(Self.query.question(Lamp.instance.lowercased(), 33))
        #expect(link.sent.count == 1)
        link.run(to: 20)
        link.forgetTrace()
        for name in ["_matter._tcp.local", "local", "DD20.local", "_L1._sub.\(Lamp.service)"] {
            try link.ask(Self.query.question(name, 255))
        }
        try link.ask(MDNSPacket().question(Lamp.instance, 33))
        try link.ask(MDNSPacket(flags: 0x0800).question(Lamp.instance, 33))
        try link.ask(Self.query.question(Lamp.instance, 33), on: 3)
        link.run(to: 30)
        #expect(link.sent.isEmpty)
        #expect(link.responder.nextDeadline == nil)
    }

    @Test("RFC 6762 §7.1: an answer that is known for more than half of its life is not given")
    func knownAnswers() throws {
        var link = settled()
        let question = Self.query.question(Lamp.service, 12)
        try link.ask(question.ptr(Lamp.service, Lamp.instance, ttl: 2250))
        link.run(to: 20)
        #expect(link.sent.isEmpty)
        try link.ask(question.ptr(Lamp.service, Lamp.instance, ttl: 2249))
        link.run(to: 30)
        #expect(link.sent.count == 1)
        try link.ask(question.ptr(Lamp.service, "Other._matterc._udp.local"))
        link.run(to: 40)
        #expect(link.sent.count == 2)
        link.forgetTrace()
        try link.ask(
            Self.query.question(Lamp.host, 28).address(Lamp.host, "fe80::1"))
        #expect(
            try link.contents()[0].records.map(\.data) == ["fd00::1", "fe80::1"])
    }

    @Test("RFC 6762 §7.2: with the truncated bit, known answers that follow are waited for")
    func truncated() throws {
        var link = settled()
        let more = MDNSPacket(flags: 0x0200)
        try link.ask(more.question(Lamp.service, 12))
        link.run(to: 10.3)
        #expect(link.sent.isEmpty)
        try link.ask(Self.query.ptr(Lamp.service, Lamp.instance), from: "[fe80::7%2]:5353")
        try link.ask(Self.query.ptr(Lamp.service, Lamp.instance))
        link.run(to: 20)
        #expect(link.sent.isEmpty)
        try link.ask(more.question(Lamp.service, 12))
        for step in 1...50 {
            try link.ask(more.ptr(Lamp.service, "Other._matterc._udp.local"))
            link.run(to: 20 + Double(step) * 0.2)
        }
        let at = try #require(link.times.first)
        #expect(at > 20.4 && at <= 22.5)
    }

    @Test("RFC 6762 §7.2: what a second asker waits for is not called off by the first")
    func twoAskers() throws {
        var link = settled()
        try link.ask(MDNSPacket(flags: 0x0200).question(Lamp.service, 12))
        try link.ask(Self.query.question(Lamp.service, 12), from: "[fe80::7%2]:5353")
        try link.ask(Self.query.ptr(Lamp.service, Lamp.instance))
        link.run(to: 10.2)
        #expect(link.sent.count == 1)
        link.run(to: 20)
        #expect(link.sent.count == 1)
    }

    @Test("RFC 6762 §6: a record goes to the group once a second at most")
    func onceASecond() throws {
        var link = settled()
        for step in 0..<100 {
            try link.ask(Self.query.question(Lamp.instance, 33))
            try link.ask(Self.query.question(Lamp.service, 12), from: "[fe80::7%2]:5353")
            link.run(to: 10 + Double(step) * 0.03)
        }
        var last: [MDNSContent.Record: Double] = [:]
        for (content, time) in zip(try link.contents(), link.times) {
            for record in content.records {
                let before = last[MDNSContent.Record(record, in: .answer)] ?? 0
                #expect(time - before >= 1)
                last[MDNSContent.Record(record, in: .answer)] = time
            }
        }
        #expect(link.sent.count >= 4 && link.sent.count <= 8)
    }

    @Test("RFC 6762 §8.1: who probes for our name is answered within the time of its next probe")
    func probe() throws {
        var link = settled()
        let probe = Self.query.question(Lamp.instance, 255).authority(Lamp.instance, 33)
        for step in 0..<3 {
            try link.ask(probe)
            link.run(to: 10 + Double(step + 1) * 0.25)
        }
        #expect(link.times == [10, 10.25, 10.5])
        #expect(try link.said().first == "\(Lamp.instance) 33")
    }

    @Test("RFC 6762 §5.4: who prefers it is answered alone, unless the group did not hear for long")
    func unicast() throws {
        var link = settled()
        try link.ask(Self.query.question(Lamp.instance, 33, unicast: true))
        let asker = try #require(SocketAddress("[fe80::9%2]:5353"))
        #expect(link.sent.map(\.response.destination) == [.asker(asker)])
        #expect(try link.contents()[0].records.map(\.flush) == [true, true, true])
        link.run(to: 1 + 31)
        link.forgetTrace()
        try link.ask(Self.query.question(Lamp.instance, 33, unicast: true))
        #expect(link.sent.map(\.response.destination) == [.group(interface: 2)])
        link.run(to: 40)
        link.forgetTrace()
        try link.ask(
            Self.query.question(Lamp.instance, 33, unicast: true), from: "[2001:db8::1]:5353")
        #expect(link.sent.map(\.response.destination) == [.group(interface: 2)])
    }

    @Test("RFC 6762 §6.7: a resolver that knows no multicast gets one ordinary answer")
    func legacy() throws {
        var link = settled()
        var octets = Self.query.question(Lamp.service, 12).octets
        octets[0] = 0x12
        octets[1] = 0x34
        try link.ask(octets, from: "[fd00::77]:40000")
        let asker = try #require(SocketAddress("[fd00::77]:40000"))
        #expect(link.sent.map(\.response.destination) == [.asker(asker)])
        #expect(link.times == [10])
        let payload = link.sent[0].response.payload
        let header = try DNSReader(payload.span).header
        #expect(header.id == 0x1234 && header.isResponse)
        let content = try link.contents()[0]
        #expect(content.questions.map(\.name) == [Lamp.service])
        #expect(content.records.count == 5)
        #expect(content.records.allSatisfy { !$0.flush && $0.ttl <= 10 })
        link.forgetTrace()
        try link.ask(octets, from: "192.0.2.9:40000")
        try link.ask(octets, from: "[2001:db8::9]:40000")
        #expect(link.sent.isEmpty)
    }

    @Test("RFC 6762 §6.1: a type that our name does not have is denied")
    func denial() throws {
        var link = settled()
        try link.ask(Self.query.question(Lamp.host, 1))
        let records = try link.contents()[0].records
        #expect(records.map(\.type) == [47])
        // The name as it is, window 0, four octets, bit 28.
        let name = Hex.lower(MDNSPacket.name(Lamp.host).span)
        #expect(records[0].data == name + "000400000008")
        #expect(records[0].ttl == 120 && records[0].flush)
        link.run(to: 20)
        link.forgetTrace()
        try link.ask(Self.query.question(Lamp.service, 33))
        #expect(link.sent.isEmpty)
    }

    @Test("RFC 6762 §10.1: goodbye to what goes, not to what others still use")
    func goodbye() throws {
        var link = settled()
        let node = Lamp.operational(1)
        link.publish(node)
        link.run(to: 20)
        link.forgetTrace()
        link.withdraw(Lamp.announced())
        #expect(link.times == [20])
        let records = try link.contents()[0].records
        #expect(records.allSatisfy { $0.ttl == 0 })
        #expect(records.count == 9)
        #expect(!records.contains { $0.name == Lamp.host })
        link.run(to: 30)
        try link.ask(Self.query.question(Lamp.service, 12).question(Lamp.instance, 33))
        link.run(to: 40)
        #expect(link.sent.count == 1)
        link.withdraw(node)
        link.withdraw(node)
        #expect(link.sent.count == 2)
        let last = try link.contents()[1].records
        #expect(last.filter { $0.name == Lamp.host }.count == 2)
    }

    @Test("RFC 6762 §8.4: a change is announced, and what it replaces is not said goodbye to")
    func change() throws {
        var link = settled()
        link.publish(Lamp.announced())
        #expect(link.sent.isEmpty)
        link.publish(Lamp.announced(mode: 0))
        link.run(to: 20)
        let contents = try link.contents()
        #expect(
            contents[0].records.map { "\($0.name) \($0.type) \($0.ttl)" }
                == ["_CM._sub.\(Lamp.service) 12 0"])
        #expect(link.times == [10, 10, 11])
        #expect(contents[1].records.map { "\($0.name) \($0.type)" } == ["\(Lamp.instance) 16"])
        link.forgetTrace()
        link.set(["fe80::1", "fd00::2"])
        #expect(
            try link.contents()[0].records.map(\.data) == ["fe80::1", "fd00::2"])
    }

    @Test("RFC 6762 §10.2: a set that caches flush is always said as a whole")
    func wholeSets() throws {
        var link = ResponderLink(addresses: ["fe80::1"])
        link.publish(Lamp.announced())
        link.run(to: 0.5)
        link.set(["fe80::2", "fe80::1"])
        link.publish(Lamp.operational(1))
        try link.ask(Self.query.question(Lamp.host, 28))
        try link.ask(Self.query.question(Lamp.instance, 33))
        link.run(to: 5)
        let sets = try link.contents().map { content in
            content.records.filter { $0.type == 28 }.map(\.data)
        }
        #expect(sets.allSatisfy { $0.count == 2 || $0.isEmpty || $0 == ["fe80::1"] })
        #expect(sets.count { $0.count == 1 } == 1, "before the second address came")
        #expect(sets.count { $0.count == 2 } >= 2)
    }

    @Test("an interface without an address is silent, and speaks when it has one")
    func addresses() throws {
        var link = ResponderLink(interfaces: [2, 5], addresses: [])
        link.publish(Lamp.announced())
        try link.ask(Self.query.question(Lamp.instance, 33))
        #expect(link.sent.isEmpty)
        link.set(["192.0.2.5"], on: 5)
        link.set(["fe80::1"], on: 9)
        link.run(to: 5)
        #expect(
            link.sent.map(\.response.destination)
                == Array(repeating: .group(interface: 5), count: 2))
        #expect(try link.contents()[0].records.last?.data == "192.0.2.5")
        link.forgetTrace()
        link.set([], on: 5)
        #expect(try link.contents()[0].records.allSatisfy { $0.ttl == 0 })
    }
}

extension MDNSContent.Record {
    fileprivate init(_ record: MDNSContent.Record, in section: DNSSection) {
        self = record
        self.section = section
    }
}

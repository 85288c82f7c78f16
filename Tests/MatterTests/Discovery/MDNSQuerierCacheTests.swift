import Base
import Matter
import TestVectors
import Testing

@Suite("MDNSQuerier's cache")
struct MDNSQuerierCacheTests {
    private func browsing(_ packet: MDNSPacket) throws -> MDNSLink {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        try link.hear(packet)
        return link
    }

    @Test("RFC 6762 §10.1: a goodbye counts after a second, unless it is taken back")
    func goodbye() throws {
        var link = try browsing(Lamp.whole())
        link.run(to: 5)
        try link.hear(MDNSPacket().ptr(Lamp.service, Lamp.instance, ttl: 0))
        link.run(to: 5.5)
        try link.hear(MDNSPacket().ptr(Lamp.service, Lamp.instance))
        link.run(to: 8)
        #expect(link.removed.isEmpty)
        try link.hear(MDNSPacket().srv(Lamp.instance, Lamp.host, ttl: 0))
        link.run(to: 8.999)
        #expect(link.removed.isEmpty)
        link.run(to: 9)
        #expect(link.removed.map(\.instanceName) == [Lamp.name])
        try link.hear(Lamp.whole())
        #expect(link.found.count == 2)
    }

    @Test("a goodbye of what is not known changes nothing")
    func unknownGoodbye() throws {
        var link = try browsing(Lamp.whole())
        try link.hear(MDNSPacket().ptr(Lamp.service, "other.\(Lamp.service)", ttl: 0))
        try link.hear(MDNSPacket().srv(Lamp.instance, Lamp.host, port: 1, ttl: 0))
        link.run(to: 3)
        #expect(link.events.count == 1)
    }

    @Test("§5.2: records are asked for again from 80 per cent of their life, then they end")
    func expiry() throws {
        var link = try browsing(Lamp.whole(ttl: 120))
        link.run(to: 95.9)
        link.forgetTrace()
        link.run(to: 96)
        #expect(Set(link.questions) == ["\(Lamp.instance) 33", "\(Lamp.host) 28"])
        link.run(to: 119.9)
        #expect(link.events.isEmpty)
        link.run(to: 120)
        #expect(link.removed.count == 1)
    }

    @Test("an answer renews the life: a device that answers is never removed")
    func renewal() throws {
        var link = try browsing(Lamp.whole(ttl: 120))
        var asked = 0
        for second in 1...1200 {
            link.forgetTrace()
            link.run(to: Double(second))
            guard link.questions.contains(where: { $0.hasPrefix(Lamp.instance) }) else { continue }
            asked += 1
            try link.hear(
                MDNSPacket().srv(Lamp.instance, Lamp.host).address(Lamp.host, "fe80::1"))
            #expect(link.removed.isEmpty)
        }
        #expect(asked == 12)
        #expect(link.querier.records(for: .commissionableNodes).count == 1)
    }

    @Test("§10.2: the flush bit voids older values after a second, but not those of a burst")
    func flush() throws {
        var link = try browsing(Lamp.whole())
        try link.hear(MDNSPacket().address(Lamp.host, "fd00::1"))
        link.run(to: 2)
        #expect(link.updated.last?.addresses.count == 2)
        try link.hear(MDNSPacket().address(Lamp.host, "fd00::2", flush: false))
        link.run(to: 4)
        #expect(link.updated.last?.addresses.count == 3)
        try link.hear(
            MDNSPacket().address(Lamp.host, "fd00::3").address(Lamp.host, "fe80::1"))
        link.run(to: 5)
        #expect(link.updated.last?.addresses.map(\.description) == ["fe80::1%2", "fd00::3"])
        link.run(to: 10)
        try link.hear(MDNSPacket().address(Lamp.host, "192.0.2.1"))
        link.run(to: 12)
        #expect(link.updated.last?.addresses.count == 3)
    }

    @Test("a flush on one interface leaves what another one said")
    func flushOfInterface() throws {
        var link = MDNSLink(interfaces: [2, 5])
        try link.browse(.commissionableNodes)
        try link.hear(Lamp.whole())
        link.run(to: 5)
        try link.hear(
            Lamp.whole(MDNSPacket().address(Lamp.host, "fe80::2")), from: "[fe80::9%5]:5353",
            interface: 5)
        link.run(to: 8)
        #expect(
            link.updated.last?.addresses.map(\.description)
                == ["fe80::1%2", "fe80::2%5", "fe80::1%5"])
    }

    @Test("§7.1: what was heard on an interface is listed there while half of its life is left")
    func knownAnswers() throws {
        var link = MDNSLink(interfaces: [2, 5])
        try link.browse(.commissionableNodes)
        try link.hear(MDNSPacket().ptr(Lamp.service, Lamp.instance, ttl: 100))
        link.forgetTrace()
        link.run(to: 50)
        func known(_ message: (at: Instant, transmit: MDNSTransmit)) throws -> [String] {
            let content = try MDNSContent(message.transmit.payload)
            guard content.questions.contains(where: { $0.type == 12 }) else { return [] }
            #expect(content.records.allSatisfy { $0.section == .answer && !$0.flush })
            return content.records.map { "\($0.data) \($0.ttl)" }
        }
        let here = try link.sent.filter { $0.transmit.interface == 2 }.map(known)
            .filter { !$0.isEmpty }
        let there = try link.sent.filter { $0.transmit.interface == 5 }.flatMap(known)
        #expect(here == [99, 96, 87, 60].map { ["\(Lamp.instance) \($0)"] })
        #expect(there.isEmpty)
        link.forgetTrace()
        link.run(to: 101)
        #expect(try link.sent.flatMap(known).isEmpty)
    }

    @Test(
        "what is no answer to us is passed over",
        arguments: [
            Lamp.whole(MDNSPacket(flags: 0)), Lamp.whole(MDNSPacket(flags: 0x8C00)),
            Lamp.whole(MDNSPacket(flags: 0x8403)),
        ])
    func notForUs(packet: MDNSPacket) throws {
        #expect(try browsing(packet).events.isEmpty)
    }

    @Test("§11: another source port, interface or a multicast source is passed over")
    func source() throws {
        var link = try browsing(MDNSPacket())
        try link.hear(Lamp.whole(), from: "[fe80::9%2]:5354")
        try link.hear(Lamp.whole(), from: "[ff02::fb%2]:5353")
        try link.hear(Lamp.whole(), interface: 3)
        #expect(link.events.isEmpty)
        try link.hear(Lamp.whole())
        #expect(link.found.count == 1)
    }

    @Test(
        "a host that cannot be reached is not found",
        arguments: ["::", "::1", "ff02::1", "0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255"])
    func addresses(text: String) throws {
        let packet = MDNSPacket().ptr(Lamp.service, Lamp.instance).srv(Lamp.instance, Lamp.host)
        #expect(try browsing(packet.address(Lamp.host, text)).events.isEmpty)
        #expect(try browsing(packet.address(Lamp.host, "fe80::1")).found.count == 1)
    }

    @Test("an IPv4 address disguised as IPv6 is none; loopback is heard on loopback")
    func disguised() throws {
        var mapped = [UInt8](repeating: 0, count: 10)
        mapped += [0xFF, 0xFF, 192, 0, 2, 1]
        let packet = MDNSPacket().ptr(Lamp.service, Lamp.instance).srv(Lamp.instance, Lamp.host)
        var link = try browsing(packet.record(Lamp.host, 28, mapped))
        #expect(link.events.isEmpty)
        try link.hear(packet.address(Lamp.host, "::1"), from: "[::1]:5353")
        #expect(link.found.map(\.addresses) == [[try #require(IPAddress("::1"))]])
    }

    @Test("port 0, a root host, and an instance of another service are refused")
    func nonsense() throws {
        let address = MDNSPacket().ptr(Lamp.service, Lamp.instance).address(Lamp.host, "fe80::1")
        #expect(try browsing(address.srv(Lamp.instance, Lamp.host, port: 0)).events.isEmpty)
        var link = try browsing(address.srv(Lamp.instance, ""))
        #expect(link.events.isEmpty)
        link.forgetTrace()
        for target in ["x._matter._tcp.local", "local", "", Lamp.service, "a.b.\(Lamp.service)"] {
            try link.hear(MDNSPacket().ptr(Lamp.service, target))
        }
        link.run(to: 0.5)
        #expect(link.questions.isEmpty)
    }

    @Test("what stands in front of a bad record is kept, and the error is told")
    func badRecord() throws {
        var link = try browsing(MDNSPacket())
        #expect(throws: DNSError.self) {
            try link.hear(Lamp.whole().record("x.local", 1, [1, 2, 3]))
        }
        #expect(link.found.count == 1)
        #expect(throws: DNSError.truncated(at: 0)) { try link.hear([1, 2, 3]) }
    }
}

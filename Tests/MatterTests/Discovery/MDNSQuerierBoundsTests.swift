import Base
import Matter
import TestVectors
import Testing

@Suite("MDNSQuerier's bounds")
struct MDNSQuerierBoundsTests {
    @Test("records of names that nobody asked for are not kept")
    func unasked() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        for index in 0..<3000 {
            let name = "n\(index)._matterc._udp.local"
            try link.hear(
                MDNSPacket().srv(name, "h\(index).local").txt(name, ["D=1"])
                    .address("h\(index).local", "fe80::1")
                    .ptr("_ipp._tcp.local", "p._ipp._tcp.local"))
        }
        #expect(link.querier.nextDeadline == Instant(nanoseconds: 1_000_000_000))
        link.forgetTrace()
        try link.hear(MDNSPacket().ptr(Lamp.service, "n1._matterc._udp.local"))
        #expect(link.questions.count == 2)
        #expect(link.events.isEmpty)
    }

    @Test("a flood of instances ends at the bound, and the latest are kept")
    func instances() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        for index in 0..<300 {
            let name = "n\(index).\(Lamp.service)"
            try link.hear(
                MDNSPacket().ptr(Lamp.service, name).srv(name, "h\(index).local")
                    .txt(name, []).address("h\(index).local", "fe80::1"))
            link.run(to: Double(index + 1) / 1000)
        }
        let records = link.querier.records(for: .commissionableNodes)
        #expect(records.count == Limits.mdnsListedInstances)
        #expect(link.found.count == 300)
        #expect(link.removed.count == 300 - Limits.mdnsListedInstances)
        #expect(records.contains { $0.instanceName == "n299" })
    }

    @Test("a flood of listed names ends at the bounds, in memory and in questions at a time")
    func names() throws {
        var link = MDNSLink(interfaces: [2, 5])
        let services = [Lamp.service, "_matter._tcp.local", "_matterd._udp.local"]
        try link.browse(.commissionableNodes)
        try link.browse(.operationalNodes)
        try link.browse(.commissioners)
        link.forgetTrace()
        let source = try #require(SocketAddress("[fe80::9%2]:5353"))
        for service in services {
            for index in 0..<3 {
                var packet = MDNSPacket()
                for part in 0..<100 {
                    packet = packet.ptr(service, "\(index)-\(part).\(service)")
                }
                let octets = packet.octets
                try link.querier.receive(octets.span, from: source, interface: 2, at: link.now)
                var taken = 0
                while link.querier.nextTransmit() != nil { taken += 1 }
                #expect(taken > 0 && taken <= 2 * 8)
            }
        }
        link.run(to: 3)
        let asked = Set(link.questions.map { $0.split(separator: " ")[0] })
        #expect(asked.count > Limits.mdnsListedInstances && asked.count <= Limits.mdnsNames)
        #expect(link.sent.allSatisfy { $0.transmit.payload.count <= Limits.datagramBytes })
    }

    @Test("addresses of a host are bounded")
    func addresses() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        try link.hear(Lamp.whole())
        for index in 1...60 {
            try link.hear(MDNSPacket().address(Lamp.host, "fd00::\(index)", flush: false))
        }
        let record = try #require(link.querier.records(for: .commissionableNodes).first)
        #expect(record.addresses.count == Limits.mdnsAddressesPerHost)
        #expect(record.addresses.contains { $0.description == "fd00::60" })
    }

    @Test("text and values of one instance are bounded")
    func values() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        let long = [String](repeating: String(repeating: "a", count: 250), count: 6)
        try link.hear(Lamp.whole().txt(Lamp.instance, long))
        #expect(link.found.first?.text.discriminator == 3840)
        for port in 1...50 {
            try link.hear(MDNSPacket().srv(Lamp.instance, Lamp.host, port: port, flush: false))
        }
        #expect(link.querier.records(for: .commissionableNodes).first?.port == 50)
    }

    @Test("queries beyond the bound are refused")
    func queries() throws {
        var link = MDNSLink()
        for index in 0..<Limits.mdnsQueries {
            try link.browse(.longDiscriminator(UInt16(index)))
        }
        #expect(link.questions.count == Limits.mdnsQueries)
        #expect(throws: DiscoveryError.tooManyQueries) { try link.browse(.borderRouters) }
        try link.browse(.longDiscriminator(0))
        link.querier.stop(.longDiscriminator(0))
        try link.browse(.borderRouters)
    }

    @Test("a hundred nodes are asked for at once, in messages that cross any link")
    func hundredNodes() throws {
        var link = MDNSLink()
        for node in 0..<100 {
            let name = OperationalName(
                compressedFabricID: FixedBytes(), nodeID: NodeID(UInt64(node + 1)))
            try link.querier.resolve(name, at: link.now)
        }
        link.run(to: 0)
        #expect(Set(link.questions).count == 200)
        #expect(link.sent.allSatisfy { $0.transmit.payload.count <= Limits.datagramBytes })
    }

    @Test("no answer makes the querier ask without pause")
    func shortLives() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        link.forgetTrace()
        for step in 1...1200 {
            try link.hear(Lamp.whole(ttl: 1))
            link.run(to: Double(step) / 10)
        }
        #expect(link.sent.count < 30)
        #expect(link.removed.isEmpty)
    }

    @Test("the longest life is bounded too")
    func longLives() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        try link.hear(
            MDNSPacket().ptr(Lamp.service, Lamp.instance, ttl: Int(UInt32.max))
                .srv(Lamp.instance, Lamp.host, ttl: Int(UInt32.max)).txt(Lamp.instance, [])
                .address(Lamp.host, "fe80::1", ttl: Int(UInt32.max)))
        #expect(link.found.count == 1)
        link.run(to: 4500)
        #expect(link.removed.count == 1)
    }

    @Test("events and messages that are not taken hold up others, and none is lost")
    func undrained() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        let source = try #require(SocketAddress("[fe80::9%2]:5353"))
        let first = Lamp.whole().octets
        let second = Lamp.whole(
            MDNSPacket().ptr(Lamp.service, "B.\(Lamp.service)").srv("B.\(Lamp.service)", Lamp.host)
        ).octets
        try link.querier.receive(first.span, from: source, interface: 2, at: link.now)
        try link.querier.receive(second.span, from: source, interface: 2, at: link.now)
        #expect(link.querier.nextDeadline == link.now)
        link.drain()
        #expect(link.found.count == 1)
        link.run(to: 0)
        #expect(link.found.count == 2)
    }

    @Test("damaged answers do not trap, and the querier still works afterwards")
    func damaged() throws {
        let packets = TestVectors.load("mdns")["packets"]
        var scatter = Scatter(seed: 23)
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        try link.browse(.borderRouters)
        for step in 0..<150 {
            for key in packets.keys {
                var message = packets[key].hex
                for _ in 0...scatter.next(3) {
                    message[scatter.next(message.count)] = UInt8(scatter.next(256))
                }
                try? link.hear(message)
            }
            link.run(to: Double(step))
            link.forgetTrace()
        }
        link.run(to: 10_000)
        #expect(link.querier.records(for: .commissionableNodes).isEmpty)
        try link.hear(packets["announcement"].hex)
        #expect(link.found.count == 1)
    }

    @Test("names that are instance and host in turn leave nothing that is looked at without end")
    func mixedUses() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        let other = "B.\(Lamp.service)"
        try link.hear(
            MDNSPacket().ptr(Lamp.service, Lamp.instance).ptr(Lamp.service, other)
                .srv(Lamp.instance, other).address(other, "fe80::1").srv(other, Lamp.service)
                .address(Lamp.service, "fe80::2"))
        #expect(link.found.count == 2)
        link.run(to: 5)
        try link.hear(
            MDNSPacket().srv(Lamp.instance, Lamp.host).srv(other, Lamp.host)
                .address(Lamp.host, "fe80::3"))
        link.run(to: 1000)
        link.forgetTrace()
        link.run(to: 1060)
        #expect(link.sent.count < 10)
    }
}

import Base
import Matter
import TestVectors
import Testing

@Suite("MDNSQuerier")
struct MDNSQuerierTests {
    private static let packets = TestVectors.load("mdns")["packets"]

    @Test("RFC 6762 §5.2, §5.4: the first question goes out at once and asks for unicast")
    func firstQuestion() throws {
        var link = MDNSLink(interfaces: [2, 5])
        try link.browse(.longDiscriminator(3840))
        #expect(link.questions == ["\(Lamp.subtype) 12 QU", "\(Lamp.subtype) 12 QU"])
        #expect(link.sent.map(\.transmit.interface) == [2, 5])
        #expect(
            link.sent.map(\.transmit.destination.description)
                == ["[ff02::fb%2]:5353", "[ff02::fb%5]:5353"])
        let payload = link.sent[0].transmit.payload
        let header = try DNSReader(payload.span).header
        #expect(header.id == 0 && header.flags == 0 && header.answerCount == 0)
    }

    @Test("questions are repeated ever more rarely, for multicast answers")
    func schedule() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        link.run(to: 170)
        #expect(link.sendTimes == [0, 1, 4, 13, 40, 100, 160])
        #expect(link.questions[1...].allSatisfy { $0 == "\(Lamp.service) 12" })
        link.querier.stop(.commissionableNodes)
        link.forgetTrace()
        link.run(to: 1000)
        #expect(link.sent.isEmpty)
        #expect(link.querier.nextDeadline == nil)
    }

    @Test(
        "§4.3: each query asks for its own name",
        arguments: [
            (.commissionableNodes, "_matterc._udp.local"),
            (.openCommissioningWindows, "_CM._sub._matterc._udp.local"),
            (.longDiscriminator(0), "_L0._sub._matterc._udp.local"),
            (.shortDiscriminator(15), "_S15._sub._matterc._udp.local"),
            (.commissioners, "_matterd._udp.local"),
            (.borderRouters, "_meshcop._udp.local"),
            (.operationalNodes, "_matter._tcp.local"),
            (.nodes(of: FixedBytes()), "_I0000000000000000._sub._matter._tcp.local"),
        ] as [(MDNSQuery, String)])
    func names(query: MDNSQuery, name: String) throws {
        var link = MDNSLink(prefersUnicast: false)
        try link.browse(query)
        #expect(link.questions == ["\(name) 12"])
    }

    @Test("one answer of another implementation is enough to be found")
    func commissionable() throws {
        var link = MDNSLink()
        try link.browse(.longDiscriminator(3840))
        try link.hear(Self.packets["commissionable"].hex)
        let record = try #require(link.found.first)
        #expect(link.events == [.found(record, for: .longDiscriminator(3840))])
        #expect(record.kind == .commissionableNode)
        #expect(record.instanceName == Lamp.name)
        #expect(record.host == Lamp.host)
        #expect(record.port == 5540)
        #expect(record.interface == 2)
        #expect(record.text.discriminator == 3840)
        #expect(record.text.vendorID == VendorID(0xFFF1))
        #expect(record.text.deviceName == Array("Kitchen lamp".utf8))
        #expect(
            record.addressesInGoodOrder.map(\.description)
                == ["fe80::200:5eff:fe00:5301%2", "fd11:22:33::5301", "192.0.2.53"])
        #expect(link.querier.records(for: .longDiscriminator(3840)) == [record])
    }

    @Test("announcements and goodbyes are heard without asking, and case does not matter")
    func announcement() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        try link.browse(.openCommissioningWindows)
        try link.hear(Self.packets["announcement"].hex)
        #expect(link.events.map(\.query) == [.commissionableNodes, .openCommissioningWindows])
        try link.hear(Lamp.whole().ptr("_MATTERC._UDP.Local", Lamp.instance.lowercased()))
        #expect(link.found.count == 2)
        link.forgetTrace()
        link.run(to: 5)
        try link.hear(Self.packets["goodbye"].hex)
        #expect(link.removed.isEmpty)
        link.run(to: 6)
        #expect(link.removed.map(\.instanceName) == [Lamp.name, Lamp.name])
    }

    @Test("a border router's text stays raw, and dots in its name are no labels")
    func borderRouter() throws {
        var link = MDNSLink()
        try link.browse(.borderRouters)
        try link.hear(Self.packets["border router"].hex)
        let record = try #require(link.found.first)
        #expect(record.instanceName == "Border Router (53.01)")
        #expect(record.textValue("NN") == Array("HomeT".utf8))
        #expect(record.textValue("xp") == [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88])
        #expect(record.textValue("none") == nil)
        #expect(record.text == ServiceText())
        #expect(record.port == 49152)
    }

    @Test("an operational node is asked for by its name")
    func resolve() throws {
        let label = Array("87E1B004E235A130-8FC7772401CD0696".utf8)
        let read = OperationalName(label.span)
        let name = try #require(read)
        var link = MDNSLink()
        try link.querier.resolve(name, at: link.now)
        link.drain()
        let full = "87E1B004E235A130-8FC7772401CD0696._matter._tcp.local"
        #expect(link.questions == ["\(full) 33 QU", "\(full) 16 QU"])
        try link.hear(Self.packets["operational"].hex)
        let record = try #require(link.found.first)
        #expect(record.operationalName == name)
        #expect(record.text.sessionIdleInterval == .milliseconds(5000))
        #expect(record.addresses.map(\.description) == ["fe80::200:5eff:fe00:5301%2"])
        link.forgetTrace()
        link.run(to: 60)
        #expect(link.sent.isEmpty)
    }

    @Test("records that come one by one: each asks for what it lacks")
    func spread() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        link.forgetTrace()
        try link.hear(MDNSPacket().ptr(Lamp.service, Lamp.instance))
        #expect(link.questions == ["\(Lamp.instance) 33 QU", "\(Lamp.instance) 16 QU"])
        link.forgetTrace()
        try link.hear(MDNSPacket().srv(Lamp.instance, Lamp.host))
        #expect(link.questions == ["\(Lamp.host) 28 QU", "\(Lamp.host) 1 QU"])
        #expect(link.events.isEmpty)
        try link.hear(MDNSPacket().address(Lamp.host, "fd00::1"))
        #expect(link.found.count == 1)
        try link.hear(MDNSPacket().txt(Lamp.instance, ["D=3840"]))
        #expect(link.updated.map(\.text.discriminator) == [3840])
        link.forgetTrace()
        link.run(to: 0.9)
        #expect(link.sent.isEmpty)
    }

    @Test("the order of records in a message does not matter, nor the section")
    func backwards() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        let address = try #require(IPAddress("fe80::1"))
        try link.hear(
            MDNSPacket().txt(Lamp.instance, ["D=3840"]).srv(Lamp.instance, Lamp.host)
                .ptr(Lamp.service, Lamp.instance)
                .record(Lamp.host, 28, [UInt8](address.octets), additional: true))
        #expect(link.found.map(\.addresses) == [[address.scoped(to: 2)]])
    }

    @Test("an address of IPv4 alone is found, and IPv6 is still asked for")
    func ipv4Alone() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        try link.hear(
            MDNSPacket().ptr(Lamp.service, Lamp.instance).txt(Lamp.instance, [])
                .srv(Lamp.instance, Lamp.host).address(Lamp.host, "192.0.2.1"))
        #expect(link.found.count == 1)
        link.forgetTrace()
        link.run(to: 2)
        #expect(link.questions.contains("\(Lamp.host) 28"))
        #expect(!link.questions.contains("\(Lamp.host) 1"))
    }

    @Test("a second query reports what is known already, and each is stopped alone")
    func twoQueries() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        try link.hear(Self.packets["announcement"].hex)
        link.forgetTrace()
        try link.browse(.commissionableNodes)
        #expect(link.found.count == 1)
        link.querier.stop(.commissionableNodes)
        link.run(to: 1)
        link.forgetTrace()
        try link.browse(.commissionableNodes)
        #expect(link.events.isEmpty)
        #expect(link.questions == ["\(Lamp.service) 12 QU"])
    }

    @Test("a change of host, port or text is an update")
    func changes() throws {
        var link = MDNSLink()
        try link.browse(.commissionableNodes)
        try link.hear(Lamp.whole())
        link.run(to: 10)
        try link.hear(MDNSPacket().srv(Lamp.instance, Lamp.host, port: 5541))
        #expect(link.updated.map(\.port) == [5541])
        try link.hear(MDNSPacket().txt(Lamp.instance, ["D=3840", "CM=0"]))
        #expect(link.updated.last?.text.commissioningMode == 0)
        link.forgetTrace()
        link.run(to: 12)
        #expect(link.events.isEmpty)
        try link.hear(
            MDNSPacket().srv(Lamp.instance, "OTHER.local").address("OTHER.local", "fe80::7"))
        #expect(link.updated.map(\.host) == ["OTHER.local"])
        #expect(link.updated.map(\.addresses.first?.description) == ["fe80::7%2"])
    }

    @Test("§4.3: the interface names the link-local addresses; both interfaces add up")
    func interfaces() throws {
        var link = MDNSLink(interfaces: [5, 2])
        try link.browse(.commissionableNodes)
        try link.hear(Lamp.whole().address(Lamp.host, "fd00::1"))
        try link.hear(
            Lamp.whole().address(Lamp.host, "fd00::1"), from: "[fe80::9%5]:5353", interface: 5)
        let record = try #require(link.updated.last)
        #expect(record.addresses.map(\.description) == ["fe80::1%5", "fd00::1", "fe80::1%2"])
        #expect(record.interface == 5)
        link.forgetTrace()
        link.querier.use(interfaces: [2], at: link.now)
        link.drain()
        #expect(link.updated.map(\.interface) == [2])
        #expect(link.updated.map { $0.addresses.map(\.description) } == [["fe80::1%2", "fd00::1"]])
        link.querier.use(interfaces: [], at: link.now)
        link.drain()
        #expect(link.removed.count == 1)
        link.run(to: 100)
        link.forgetTrace()
        link.querier.use(interfaces: [7], at: link.now)
        link.drain()
        #expect(link.sent.map(\.transmit.interface) == [7])
    }

    @Test("an interface that comes is asked within a second; another preference is an update")
    func newInterface() throws {
        var link = MDNSLink(interfaces: [2])
        try link.browse(.commissionableNodes)
        try link.hear(Lamp.whole())
        link.forgetTrace()
        link.querier.use(interfaces: [5, 2], at: link.now)
        link.drain()
        link.run(to: 1)
        #expect(link.sent.map(\.transmit.interface) == [5, 2])
        #expect(link.questions.first == "\(Lamp.service) 12 QU")
        #expect(link.events.isEmpty)
        try link.hear(Lamp.whole(), from: "[fe80::9%5]:5353", interface: 5)
        #expect(link.updated.map(\.interface) == [5])
        link.querier.use(interfaces: [2, 5], at: link.now)
        link.drain()
        #expect(link.updated.map(\.interface) == [5, 2])
    }
}

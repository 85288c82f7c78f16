import Base
import Matter
import MatterNode
import Simulation
import Testing

@testable import Gateway

/// A service between a scripted broker and a history in memory, at virtual time.
private final class BrokerSite: @unchecked Sendable {
    let sim = SimulatedLoop()
    let broker: ScriptedBroker
    let history = MemoryHistory(offset: 1_764_500_000_000)
    let service: MQTTService
    var performed: [ConsoleCommand] = []
    var shown: [String] = []
    /// What texts are as JSON.
    var documents: [String: JSONValue] = [:]

    static let node = NodeID(3)
    static let source = ReadingSource(
        historyID: node, endpoint: EndpointID(1), cluster: TemperatureMeasurement.id,
        attribute: AttributeID(0))
    static let value =
        "matter-gateway/cellar/node/0x0000000000000003/1/temperature-measurement/measured-value"
    static let state = "matter-gateway/cellar/node/0x0000000000000003/state"

    init(_ lines: [(ConfigurationKey, String)] = [], starts: Bool = true) throws {
        var configuration = MQTTConfiguration()
        try configuration.set(.mqttBroker, "mqtts://broker.example")
        try configuration.set(.mqttName, "cellar")
        for (key, value) in lines { try configuration.set(key, value) }
        let broker = ScriptedBroker(on: sim.loop)
        self.broker = broker
        let site = Weak()
        service = try #require(
            MQTTService(
                configuration, name: "unused", on: sim.loop,
                random: SharedRandom(SeededRandom(seed: 7)),
                surroundings: MQTTService.Surroundings(
                    parse: { site.site?.documents[String(decoding: $0, as: UTF8.self)] },
                    perform: { command in
                        site.site?.performed.append(command)
                        return Output(lines: ["done"], document: .null)
                    },
                    show: { output, _ in site.site?.shown += output.lines + output.notices },
                    unixSeconds: { 1_764_500_000 })
            ) { _, identity in
                #expect(identity.willTopic == "matter-gateway/cellar/status")
                return broker
            })
        site.site = self
        service.use([Self.state(of: Self.node)])
        if starts { service.start(history: history) }
    }

    private final class Weak: @unchecked Sendable { weak var site: BrokerSite? }

    static func state(of node: NodeID, name: String = "Cellar") -> NodeState {
        var record = NodeRecord(
            nodeID: node, fabricIndex: FabricIndex(1), vendorID: VendorID(0xFFF1),
            productID: ProductID(1))
        record.name = name
        record.room = "Ground floor"
        return NodeState(node: record, link: .online(since: Instant(nanoseconds: 0)))
    }

    func read(_ value: Int64?) {
        let reading = Reading(source: Self.source, value: value, at: sim.now)
        history.append(reading)
        service.receive(reading, of: Self.node)
    }

    /// The sequence numbers of all readings in the messages of history, in their order.
    var forwarded: [Int64] {
        broker.payloads("matter-gateway/cellar/history").flatMap { text in
            text.split(separator: "\"sequence\":").dropFirst().compactMap { part in
                Int64(part.prefix { $0.isNumber })
            }
        }
    }

    func retained(_ topic: String) -> String? {
        broker.retained[topic].map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite("MQTTService")
struct MQTTServiceTests {
    @Test("what is known is retained, value by value and node by node")
    func live() throws {
        let site = try BrokerSite()
        site.read(2150)
        site.sim.run(for: .seconds(3))
        #expect(site.retained("matter-gateway/cellar/status") == "online")
        #expect(site.retained(BrokerSite.value) == "21.5")
        let state = try #require(site.retained(BrokerSite.state))
        #expect(state.contains("\"name\":\"Cellar\""))
        #expect(state.contains("\"state\":\"online\""))
        #expect(state.contains("\"value\":21.5"))
        site.read(nil)
        site.sim.run(for: .seconds(3))
        #expect(site.retained(BrokerSite.value) == "null")
    }

    @Test("an unchanged value is not told again, its age is after a minute")
    func unchanged() throws {
        let site = try BrokerSite()
        site.read(2150)
        site.sim.run(for: .seconds(3))
        let states = site.broker.payloads(BrokerSite.state).count
        for _ in 0..<10 {
            site.read(2150)
            site.sim.run(for: .seconds(5))
        }
        #expect(site.broker.payloads(BrokerSite.value).count == 1)
        #expect(site.broker.payloads(BrokerSite.state).count == states)
        site.sim.run(for: .seconds(15))
        #expect(site.broker.payloads(BrokerSite.state).count == states + 1)
    }

    @Test("history is forwarded in order and without loss over outages")
    func outages() throws {
        let site = try BrokerSite()
        var random = SeededRandom(seed: 11)
        for minute in 0..<400 {
            site.read(Int64(2000 + minute))
            site.sim.run(for: .seconds(20))
            let draw = random.uint64() % 20
            if draw == 0, site.broker.isConnected { site.broker.cut() }
            if draw == 1 { site.broker.accepts = false }
            if draw == 2 { site.broker.accepts = true }
            if draw == 3 { site.broker.isPrompt = false }
            if draw == 4 { site.broker.isPrompt = true }
        }
        site.broker.accepts = true
        site.broker.isPrompt = true
        site.sim.run(for: .seconds(1200))
        // Some came twice, and whoever drops those has all of them in their order.
        var kept: [Int64] = []
        for sequence in site.forwarded where sequence > kept.last ?? 0 { kept.append(sequence) }
        #expect(kept == Array(1...400))
        #expect(site.forwarded.count > 400)
        #expect(site.history.forwarded == 400)
        #expect(site.retained(BrokerSite.value) == "23.99")
    }

    @Test("a day of readings goes in batches, with a pause between them")
    func batches() throws {
        let site = try BrokerSite(starts: false)
        site.history.forwarded = 0
        for second in 0..<6400 {
            site.history.append(
                Reading(source: BrokerSite.source, value: Int64(second), at: site.sim.now))
        }
        site.service.start(history: site.history)
        site.sim.run(for: .seconds(5))
        let messages = site.broker.payloads("matter-gateway/cellar/history").count
        #expect((10...50).contains(messages))
        site.sim.run(for: .seconds(30))
        #expect(site.forwarded == Array(1...6400))
    }

    @Test("what was measured before there was a broker is not forwarded")
    func begins() throws {
        let site = try BrokerSite(starts: false)
        site.history.append(Reading(source: BrokerSite.source, value: 1, at: site.sim.now))
        site.service.start(history: site.history)
        site.read(2)
        site.sim.run(for: .seconds(60))
        #expect(site.forwarded == [2])
    }

    @Test("acknowledgements may come late, twice, in any order, or for nothing")
    func acknowledgements() throws {
        let site = try BrokerSite()
        site.broker.isPrompt = false
        site.read(2150)
        site.sim.run(for: .seconds(6))
        let ids = site.broker.unacknowledged
        #expect(ids.count >= 4)
        site.broker.acknowledge(60_000)
        for id in ids.reversed() {
            site.broker.acknowledge(id)
            site.broker.acknowledge(id)
        }
        site.sim.run(for: .seconds(20))
        #expect(site.history.forwarded == 1 || !site.broker.unacknowledged.isEmpty)
        for id in site.broker.unacknowledged { site.broker.acknowledge(id) }
        #expect(site.history.forwarded == 1)
    }

    @Test("a broker that acknowledges nothing is left, and history is told it again")
    func stuck() throws {
        let site = try BrokerSite()
        site.broker.isPrompt = false
        site.read(2150)
        site.sim.run(for: .seconds(45))
        #expect(site.broker.connects == 2)
        #expect(site.history.forwarded != 1)
        site.broker.isPrompt = true
        site.sim.run(for: .seconds(120))
        #expect(site.history.forwarded == 1)
        #expect(site.forwarded.count >= 2)
    }

    @Test("a broker that takes nothing delays no reading, and little is kept for it")
    func full() throws {
        let site = try BrokerSite()
        site.sim.run(for: .seconds(2))
        site.broker.isFull = true
        for round in 0..<1000 {
            site.read(Int64(round))
            site.service.note(Output(lines: ["event \(round)"], document: .null), .info)
        }
        site.broker.isFull = false
        site.sim.run(for: .seconds(300))
        #expect(site.retained(BrokerSite.value) == "9.99")
        #expect(site.broker.payloads("matter-gateway/cellar/event").count == 64)
        #expect(site.forwarded.last == 1000)
    }

    @Test("attempts come at growing intervals, and not in one moment for all")
    func backOff() throws {
        let site = try BrokerSite(starts: false)
        site.broker.accepts = false
        site.service.start(history: nil)
        site.sim.run(for: .seconds(3600))
        #expect((12...32).contains(site.broker.connects))
        // One line, not one for each attempt.
        #expect(site.shown.count == 1)
        #expect(site.service.status.failure == .cannotConnect(errno: 111))
    }

    @Test("a broker that says nothing at all is given up")
    func silent() throws {
        let site = try BrokerSite(starts: false)
        site.broker.accepts = nil
        site.service.start(history: nil)
        site.sim.run(for: .seconds(300))
        #expect(site.broker.connects == 2)
        #expect(site.broker.endings.contains(false))
    }

    @Test("topics of a node that has gone are cleared, also those of an earlier run")
    func cleared() throws {
        let site = try BrokerSite()
        site.read(2150)
        site.sim.run(for: .seconds(3))
        #expect(site.broker.subscriptions.contains("matter-gateway/cellar/node/#"))
        let old = "matter-gateway/cellar/node/0x0000000000000009/state"
        site.broker.deliver(old, "{}", isRetained: true)
        site.broker.deliver(BrokerSite.state, "{}", isRetained: true)
        site.sim.run(for: .seconds(1))
        #expect(site.broker.payloads(old) == [""])
        #expect(site.retained(BrokerSite.state) != nil)
        #expect(site.broker.payloads(site.discovery(NodeID(9))) == [""])
        site.service.use([])
        site.sim.run(for: .seconds(15))
        #expect(site.broker.retained.keys.sorted() == ["matter-gateway/cellar/status"])
        #expect(!site.broker.subscriptions.contains("matter-gateway/cellar/node/#"))
    }

    @Test("a file with a secret that everybody may read is warned of")
    func exposedFiles() throws {
        let site = try BrokerSite(starts: false)
        site.broker.exposedFiles = [.password]
        site.service.start(history: nil)
        #expect(site.shown.contains { $0.contains("can be read by everybody") })
        site.sim.run(for: .seconds(1))
        guard case .warning(let cause, let remedy) = site.service.status.check else {
            Issue.record("doctor says nothing of it")
            return
        }
        #expect(cause.hasPrefix("the password for the MQTT broker"))
        #expect(remedy.contains("mqtt-password-file"))
        site.broker.exposedFiles = []
        guard case .ok = site.service.status.check else {
            Issue.record("it is still warned of")
            return
        }
    }

    @Test("the end is told, and the broker publishes no will")
    func end() throws {
        let site = try BrokerSite()
        site.sim.run(for: .seconds(2))
        site.service.stop()
        #expect(site.retained("matter-gateway/cellar/status") == "offline")
        #expect(site.broker.endings == [true])
    }

    @Test("readings without a date wait ten minutes for the clock")
    func undated() throws {
        let site = try BrokerSite()
        site.history.dating = ReadingDating()
        site.read(1)
        site.sim.run(for: .seconds(300))
        #expect(site.forwarded.isEmpty)
        site.history.dating = ReadingDating(offset: 1_764_500_000_000)
        site.sim.run(for: .seconds(60))
        #expect(site.forwarded == [1])
        site.history.dating = ReadingDating()
        site.read(2)
        site.sim.run(for: .seconds(400))
        #expect(site.forwarded == [1, 2])
        let last = site.broker.payloads("matter-gateway/cellar/history").last
        #expect(last?.contains("\"unix_milliseconds\":null") == true)
    }
}

extension BrokerSite {
    func discovery(_ node: NodeID) -> String {
        "homeassistant/device/matter-gateway_cellar_\(node.text)/config"
    }
}

@Suite("Commands over MQTT")
struct MQTTCommandTests {
    private static let topic = "matter-gateway/cellar/node/0x0000000000000003/set"
    private static let on = "{\"endpoint\":1,\"on\":true}"
    private static let document = JSONValue.object([
        ("endpoint", .integer(1)), ("on", .boolean(true)),
    ])

    private static func site(_ level: String) throws -> BrokerSite {
        let site = try BrokerSite([(.mqttCommands, level)])
        site.documents[on] = document
        site.sim.run(for: .seconds(2))
        return site
    }

    @Test("nothing is subscribed and nothing is done by default")
    func none() throws {
        let site = try Self.site("none")
        #expect(!site.broker.subscriptions.contains { $0.hasSuffix("/set") })
        site.broker.deliver(Self.topic, Self.on)
        site.sim.run(for: .seconds(2))
        #expect(site.performed.isEmpty)
    }

    @Test("a command is carried out as the console would")
    func control() throws {
        let site = try Self.site("control")
        #expect(site.broker.subscriptions.contains("matter-gateway/cellar/node/+/set"))
        site.broker.deliver(Self.topic, Self.on)
        site.sim.run(for: .seconds(2))
        #expect(site.performed == [.on(try NodeSelector("0x0000000000000003/1"))])
    }

    @Test("a retained command, one of an unknown node and one to add devices do nothing")
    func refused() throws {
        let site = try Self.site("control")
        site.broker.deliver(Self.topic, Self.on, isRetained: true)
        site.broker.deliver("matter-gateway/cellar/node/0x0000000000000009/set", Self.on)
        site.documents["pair"] = .object([("code", .string("MT:Y.K9042C00KA0648G00"))])
        site.broker.deliver("matter-gateway/cellar/commission", "pair")
        site.sim.run(for: .seconds(2))
        #expect(site.performed.isEmpty)
    }

    @Test("what is not understood is said once a minute, and never repeated")
    func complaints() throws {
        let site = try Self.site("control")
        site.shown = []
        for _ in 0..<50 { site.broker.deliver(Self.topic, "hunter2") }
        site.sim.run(for: .seconds(2))
        #expect(site.shown.count == 1)
        #expect(!site.shown.joined().contains("hunter2"))
        #expect(!site.broker.payloads("matter-gateway/cellar/event").joined().contains("hunter2"))
    }

    @Test("a flood is cut, and what is left is carried out")
    func flood() throws {
        let site = try Self.site("control")
        for _ in 0..<500 { site.broker.deliver(Self.topic, Self.on) }
        site.sim.run(for: .seconds(2))
        #expect((1...500).contains(site.performed.count))
        #expect(site.performed.allSatisfy { if case .on = $0 { true } else { false } })
    }

    @Test("a code is taken where that is allowed")
    func commission() throws {
        let site = try Self.site("commission")
        site.documents["pair"] = .object([
            ("code", .string("MT:Y.K9042C00KA0648G00")), ("room", .string("Attic")),
        ])
        site.broker.deliver("matter-gateway/cellar/commission", "pair")
        site.sim.run(for: .seconds(2))
        guard case .pair(let request)? = site.performed.first else {
            Issue.record("no device is added")
            return
        }
        #expect(request.room == "Attic")
    }

    @Test("members that cannot be are refused")
    func members() {
        let node = NodeID(3)
        for members: [(key: String, value: JSONValue)] in [
            [("toggle", .boolean(true))], [("on", .integer(1))], [("level", .integer(101))],
            [("endpoint", .integer(-1)), ("on", .boolean(true))], [("heat", .string("warm"))],
            [("mode", .string("turbo"))], [("on", .boolean(true)), ("seconds", .integer(-1))],
            [], [("endpoint", .integer(1))], [("heat", .number(.infinity))],
        ] {
            #expect(throws: MQTTCommand.Fault.self) {
                try MQTTCommand.setting(.object(members), of: node)
            }
        }
        #expect(throws: MQTTCommand.Fault.malformed) {
            try MQTTCommand.setting(.array([]), of: node)
        }
    }
}

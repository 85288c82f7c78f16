import Base
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("AlertWatch")
struct AlertWatchTests {
    private static let place = NodeID(1)

    private static func at(_ seconds: Int64) -> Instant {
        Instant(nanoseconds: seconds * 1_000_000_000)
    }

    private static func reading(
        _ value: Int64?, at seconds: Int64, endpoint: UInt16 = 1, place: NodeID = place
    ) -> Reading {
        Reading(
            source: ReadingSource(
                historyID: place, endpoint: EndpointID(endpoint),
                cluster: TemperatureMeasurement.id,
                attribute: TemperatureMeasurement.measuredValue.id),
            value: value, at: at(seconds))
    }

    private static func watch(
        _ condition: AlertRule.Condition = .value(word: "temperature", isAbove: true, limit: 800),
        for seconds: Int64 = 600, endpoint: EndpointID? = nil
    ) -> AlertWatch {
        AlertWatch(
            AlertRule(
                id: 1, historyID: place, endpoint: endpoint, condition: condition,
                duration: .seconds(seconds)))
    }

    @Test("raised when the value was beyond its limit for the whole time, cleared by the first")
    func duration() {
        var watch = Self.watch()
        watch.receive(Self.reading(900, at: 0))
        watch.receive(Self.reading(801, at: 300))
        #expect(watch.nextDeadline == Self.at(600))
        watch.advance(to: Self.at(599))
        #expect(watch.nextEvent() == nil)
        watch.advance(to: Self.at(600))
        #expect(watch.nextEvent() == .raised && watch.isRaised)
        watch.advance(to: Self.at(900))
        watch.receive(Self.reading(850, at: 1000))
        #expect(watch.nextEvent() == nil)
        // The limit itself is not beyond it.
        watch.receive(Self.reading(800, at: 1001))
        #expect(watch.nextEvent() == .cleared && watch.nextEvent() == nil)
    }

    @Test("a break begins the time anew, and so does no value")
    func breaks() {
        for pause: Int64? in [700, nil] {
            var watch = Self.watch()
            watch.receive(Self.reading(900, at: 0))
            watch.receive(Self.reading(pause, at: 590))
            #expect(watch.nextDeadline == nil)
            watch.receive(Self.reading(900, at: 591))
            #expect(watch.nextDeadline == Self.at(1191))
        }
    }

    @Test("without a time the value itself raises it; below is the other way round")
    func atOnce() {
        var watch = Self.watch(
            .value(word: "temperature", isAbove: false, limit: -1800), for: 0)
        watch.receive(Self.reading(-1700, at: 0))
        #expect(watch.nextEvent() == nil)
        watch.receive(Self.reading(-1801, at: 1))
        #expect(watch.nextEvent() == .raised)
    }

    @Test("one of several endpoints is enough, and all must be back; others' values are no matter")
    func endpoints() {
        var watch = Self.watch(for: 0)
        watch.receive(Self.reading(900, at: 0, place: NodeID(2)))
        #expect(watch.nextEvent() == nil)
        watch.receive(Self.reading(900, at: 0, endpoint: 1))
        watch.receive(Self.reading(900, at: 0, endpoint: 2))
        #expect(watch.nextEvent() == .raised)
        watch.receive(Self.reading(700, at: 1, endpoint: 1))
        #expect(watch.nextEvent() == nil)
        watch.receive(Self.reading(700, at: 1, endpoint: 2))
        #expect(watch.nextEvent() == .cleared)
        var other = Self.watch(for: 0, endpoint: EndpointID(2))
        other.receive(Self.reading(900, at: 0, endpoint: 1))
        #expect(other.nextEvent() == nil)
    }

    @Test("while its node is away a value raises nothing; back, the time that passed counts")
    func away() {
        var watch = Self.watch()
        watch.receive(Self.reading(900, at: 0))
        watch.receive(.offline(since: Self.at(100)), at: Self.at(100))
        #expect(watch.nextDeadline == nil)
        watch.advance(to: Self.at(5000))
        #expect(!watch.isRaised)
        watch.receive(.online(since: Self.at(6000)), at: Self.at(6000))
        watch.receive(Self.reading(900, at: 6000))
        #expect(watch.nextEvent() == .raised)
    }

    @Test("a node that is away for as long as its limit, or has left")
    func offline() {
        var watch = Self.watch(.offline, for: 1800)
        watch.receive(.online(since: Self.at(0)), at: Self.at(0))
        watch.receive(.offline(since: Self.at(60)), at: Self.at(60))
        watch.receive(Self.reading(900, at: 61))
        watch.receive(.left(since: Self.at(100)), at: Self.at(100))
        #expect(watch.nextDeadline == Self.at(1860))
        watch.advance(to: Self.at(1860))
        #expect(watch.nextEvent() == .raised)
        watch.receive(.online(since: Self.at(2000)), at: Self.at(2000))
        #expect(watch.nextEvent() == .cleared)
    }
}

@Suite("alert")
struct AlertCommandTests {
    let building: Building
    let device: ScriptedDevice
    private static let one = EndpointID(1)

    init() throws {
        building = try Building()
        device = try building.device(
            1, name: "Cellar",
            endpoints: [
                EndpointRecord(
                    endpoint: Self.one, deviceTypes: [],
                    clusters: [TemperatureMeasurement.id, BooleanState.id])
            ])
        device.put(TemperatureMeasurement.measuredValue, .value(700), on: Self.one)
        device.put(BooleanState.stateValue, true, on: Self.one)
    }

    private func start() -> ScriptedBoard {
        let board = ScriptedBoard(on: building.sim.loop)
        _ = building.startAgent(on: board, keeps: true)
        building.sim.run(for: .seconds(2))
        _ = told()
        return board
    }

    private func told() -> [String] {
        let outputs = building.events.compactMap { AgentOutput.event($0) }
        building.events = []
        return outputs.flatMap { $0.lines + $0.notices }
    }

    private func put(_ value: Int16) {
        device.put(TemperatureMeasurement.measuredValue, .value(value), on: Self.one)
        device.reportAll()
    }

    @Test("a limit that is passed for long enough is told, recorded and shown by the lamp")
    func value() throws {
        #expect(
            try building.run("alert cellar temperature above 8 for 10m").lines
                == ["Cellar: limit 1: temperature above 8.00 °C for 10 min"])
        let board = start()
        put(950)
        building.sim.run(for: .seconds(599))
        #expect(told().isEmpty)
        building.sim.run(for: .seconds(2))
        #expect(
            told() == [
                "Cellar: temperature above 8.00 °C for 10 min (now 9.50 °C): see to it; alert list"
                    + " shows all limits"
            ])
        let event = try #require(try building.records.events(limit: 1).first)
        #expect(event.kind == .alert && event.node == NodeID(1))
        // A long blink every ten seconds.
        building.sim.run(for: .seconds(10))
        let start = building.sim.now
        building.sim.run(for: .seconds(30))
        #expect(board.flashes(since: start) == 3)
        #expect(try building.run("status").lines.contains { $0.contains("alert list shows") })
        #expect(try building.run("alert list").lines.last?.hasSuffix("passed for 10 min") == true)
        put(700)
        building.sim.run(for: .seconds(1))
        #expect(
            told() == ["Cellar: no longer temperature above 8.00 °C for 10 min (now 7.00 °C)"])
        #expect(try building.run("alert list").lines.last?.hasSuffix("ok") == true)
    }

    @Test("a device that is away for ten minutes is told, and that it is back; its own limit wins")
    func offline() throws {
        _ = start()
        device.vanish()
        building.sim.run(for: .seconds(600))
        #expect(told().isEmpty)
        building.sim.run(for: .seconds(150))
        #expect(told().map { $0.hasPrefix("Cellar: offline for 10 min: check") } == [true])
        #expect(try building.run("devices --offline").lines.count == 2)
        device.appear()
        building.sim.run(for: .seconds(30))
        #expect(told() == ["Cellar: answers again"])
        #expect(try building.run("devices --offline").lines == ["None of the 1 devices."])
        _ = try building.run("alert cellar offline for 30m")
        device.vanish()
        building.sim.run(for: .seconds(1800))
        #expect(told().isEmpty)
        building.sim.run(for: .seconds(150))
        #expect(told().map { $0.hasPrefix("Cellar: offline for 30 min") } == [true])
    }

    @Test("limits of words, one that is set twice is one, and clear takes them away")
    func words() throws {
        #expect(
            try building.run("alert cellar contact open for 5m").lines
                == ["Cellar: limit 1: contact open for 5 min"])
        _ = try building.run("alert cellar contact open for 1h")
        _ = try building.run("alert cellar/1 temperature < -2.5")
        #expect(
            try building.run("alert list").lines.dropFirst().map { String($0.prefix(38)) } == [
                "1   Cellar  contact open for 1 h      ", "2   Cellar  temperature of endpoint 1 ",
            ])
        #expect(try building.records.alerts().map(\.seconds) == [3600, 0])
        #expect(try building.records.alerts()[1].limit == -250)
        #expect(try building.run("alert cellar clear 1").lines == ["Cellar: a limit is gone"])
        #expect(try building.run("alert cellar clear").exitCode == .ok)
        #expect(try building.run("alert cellar clear").exitCode == .unavailable)
        #expect(try building.run("alert list").lines[0].hasPrefix("No limits"))
    }

    @Test("limits end with the place that they are of, and stay with a device that replaces it")
    func places() throws {
        _ = try building.run("alert cellar temperature above 8")
        _ = start()
        #expect(try building.records.alerts().count == 1)
        building.confirms = true
        _ = try building.run("remove cellar")
        building.sim.run(for: .seconds(1))
        #expect(try building.records.alerts().isEmpty)
    }

    @Test(
        "what is no limit is refused with what to type",
        arguments: [
            "alert cellar", "alert cellar warmth above 8", "alert cellar temperature 8",
            "alert cellar temperature above hot", "alert cellar temperature above 8 for ever",
            "alert cellar temperature above 8 10m", "alert cellar offline",
            "alert cellar offline for 8d", "alert cellar contact ajar", "alert cellar clear x",
            "alert cellar temperature above 8.123",
        ])
    func refused(line: String) throws {
        var message = ""
        do throws(UsageError) {
            _ = try CommandParser.parse(try ConsoleLine.split(Array(line.utf8).span))
        } catch { message = error.description }
        #expect(message.contains(": "))
    }

    @Test("a device that tells no such value is named")
    func unavailable() throws {
        let output = try building.run("alert cellar humidity above 60")
        #expect(output.exitCode == .unavailable)
        #expect(output.notices == ["Cellar tells no humidity: show lists what it has"])
    }

    @Test("show has the state and the age of what was told; --json too")
    func show() throws {
        _ = start()
        building.sim.run(for: .seconds(30))
        let output = try building.run("show cellar --stored")
        #expect(output.lines.contains { $0.hasPrefix("state:") && $0.contains("online for 3") })
        #expect(
            output.lines.contains {
                $0.hasPrefix("1/temperature-measurement/measured-value") && $0.contains("7.00 °C")
                    && $0.hasSuffix("s ago")
            })
        let state = try #require(output.document["state"])
        #expect(state["link"] == .string("online") && state["subscribed"] == .boolean(true))
        guard case .array(let readings)? = state["readings"] else {
            Issue.record("no readings")
            return
        }
        #expect(readings.count == 2)
        #expect(readings[0]["value"] == .number(7) && readings[0]["unit"] == .string("°C"))
        #expect(readings[1]["value"] == .boolean(true))
    }
}

import Base
import Crypto
import Matter
import MatterNode
import Simulation
import Testing

@testable import Gateway

/// The dashboard of a running agent at a terminal in memory.
@Suite("Dashboard")
struct DashboardTests {
    private final class Line: @unchecked Sendable {
        var drawn: [(at: Instant, text: String)] = []
        var isDrained = true
        var size: (columns: Int, rows: Int)?
        var isClosed = false
        var output: Output?

        func terminal() throws -> VT100 {
            var terminal = VT100(columns: size?.columns ?? 80, rows: size?.rows ?? 24)
            for frame in drawn { try terminal.show(frame.text) }
            return terminal
        }
    }

    private let building: Building
    private let lamp: ScriptedDevice
    private let line = Line()
    private let screen: KeyScreen

    init() throws { try self.init(octetsPerSecond: nil) }

    private init(octetsPerSecond: Int?) throws {
        let building = try Building()
        self.building = building
        lamp = try building.device(
            1, name: "Lamp",
            endpoints: [
                EndpointRecord(
                    endpoint: EndpointID(1), deviceTypes: [],
                    clusters: [OnOff.id, TemperatureMeasurement.id])
            ])
        lamp.put(TemperatureMeasurement.measuredValue, .value(2150), on: EndpointID(1))
        lamp.commandAnswers[.invoke(OnOff.Toggle.self)] = .status(.success)
        _ = building.startAgent(on: ScriptedBoard(on: building.sim.loop), keeps: true)
        let loop = building.sim.loop
        screen = KeyScreen(
            on: loop, octetsPerSecond: octetsPerSecond,
            KeyScreen.Terminal(
                size: { [line] in line.size }, isDrained: { [line] in line.isDrained },
                draw: { [line] text in line.drawn.append((loop.now, text)) },
                close: { [line] in line.isClosed = true }))
        building.screen = screen
        loop.spawn { @Sendable [building, line] in
            line.output = await CommandRunner(building).run(.dashboard(isLive: true))
        }
        building.sim.run(for: .seconds(3))
    }

    private func press(_ keys: String) {
        screen.receive(keys: Array(keys.utf8))
        building.sim.run(for: .milliseconds(100))
    }

    @Test("a key switches the chosen device, and what came of it is shown")
    func toggles() throws {
        #expect(try line.terminal().lines[2].contains("Lamp"))
        #expect(try line.terminal().lines[2].contains("21.50 C"))
        press("t")
        building.sim.run(for: .seconds(1))
        #expect(lamp.count(.invoke(OnOff.Toggle.self)) == 1)
        #expect(try line.terminal().lines[22] == "Lamp: toggled")
        lamp.vanish()
        press("ttt")
        #expect(try line.terminal().lines[22] == "wait for the one before")
        building.sim.run(for: .seconds(120))
        #expect(lamp.count(.invoke(OnOff.Toggle.self)) <= 3)
        #expect(try line.terminal().lines[22].hasPrefix("Lamp"))
    }

    @Test("q closes the screen and ends the command without a word; so does a screen that goes")
    func quits() throws {
        press("q")
        #expect(line.isClosed)
        #expect(line.output == Output(lines: [], document: .null))
        let other = try DashboardTests()
        other.screen.close()
        other.building.sim.run(for: .milliseconds(1))
        #expect(other.line.output?.exitCode == .ok)
    }

    @Test("one frame a second where nobody presses a key")
    func pace() {
        line.drawn = []
        building.sim.run(for: .seconds(60))
        #expect((50...61).contains(line.drawn.count))
        for (frame, next) in zip(line.drawn, line.drawn.dropFirst()) {
            #expect(next.at - frame.at >= .seconds(1))
        }
    }

    @Test("nothing is drawn while something waits, and then all at once")
    func stalled() throws {
        line.isDrained = false
        let count = line.drawn.count
        for _ in 0..<20 { press("h") }
        building.sim.run(for: .seconds(60))
        #expect(line.drawn.count == count)
        screen.tell("Door: it is open")
        line.isDrained = true
        screen.drained()
        building.sim.run(for: .milliseconds(10))
        #expect(line.drawn.count <= count + 2)
        #expect(try line.terminal().lines[22] == "Door: it is open")
    }

    @Test("a line of 9600 bit/s is given what it carries, however keys are pressed")
    func slowLine() throws {
        let slow = try DashboardTests(octetsPerSecond: 960)
        slow.line.drawn = []
        for _ in 0..<600 { slow.press("h") }
        let octets = slow.line.drawn.reduce(0) { $0 + $1.text.utf8.count }
        // And what was drawn last is still on its way.
        #expect(octets < 60 * 960 + 2000, "\(octets)")
        #expect(octets > 30 * 960, "\(octets)")
    }

    @Test("it takes the terminal's size as that changes, and a day's temperatures")
    func sizeAndCourse() throws {
        let now: Int64 = 1_777_000_000
        let source = ReadingSource(
            historyID: NodeID(1), endpoint: EndpointID(1), cluster: TemperatureMeasurement.id,
            attribute: AttributeID(0))
        for hour in 0..<24 as Range<Int64> {
            building.kept.append(
                Reading(
                    source: source, value: 1800 + hour * 20,
                    at: Instant(nanoseconds: (now - 86_000 + hour * 3600) * 1_000_000_000)))
        }
        line.drawn = []
        line.size = (100, 30)
        building.sim.run(for: .seconds(61))
        let lines = try line.terminal().lines
        #expect(lines[27].hasPrefix("24 h: 18.00 C ___"))
        #expect(lines[27].hasSuffix(" 22.60 C") && lines[27].contains("#@"))
        #expect(lines[29].hasPrefix("up/down choose"))
    }

    @Test("once, in scripts and without a terminal it is a list")
    func once() throws {
        building.screen = nil
        let output = try building.run("dashboard")
        #expect(output.lines.first == "1 device, 1 online")
        #expect(output.lines[2].contains("Lamp"))
        #expect(try building.run("dashboard --once").lines == output.lines)
        building.screen = screen
        let document = try building.run("dashboard --json").document.text
        #expect(document.hasPrefix(#"{"window_open":false,"alerts":0,"online":1,"devices":[{"#))
        #expect(document.contains(#""value":21.5"#))
        #expect(try building.run("log").exitCode == .ok)
        let alone = try Building()
        #expect(try alone.run("dashboard").exitCode == .unavailable)
        #expect(try alone.run("log debug").notices[0].hasPrefix("no agent runs here"))
    }
}

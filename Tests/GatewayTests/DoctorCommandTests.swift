import Base
import Gateway
import MatterNode
import Simulation
import Testing

@Suite("doctor")
struct DoctorCommandTests {
    private let building: Building

    init() throws { building = try Building() }

    @Test("everything is checked, and a warning is no failure")
    func sound() throws {
        let output = try building.run("doctor")
        let version = "ok       version: \(GatewayVersion.text)"
        #expect(output.exitCode == .ok)
        #expect(
            output.lines.prefix(4) == [
                version, "ok       agent: none runs; this command works with the state file itself",
                "ok       stored data: sound", "ok       disk: 5.0 GB free",
            ])
        #expect(output.lines.contains { $0.hasPrefix("ok       network eth0") })
        building.freeBytes = 12_000_000
        let full = try building.run("doctor")
        #expect(full.lines[3].hasPrefix("warning  disk: 12.0 MB free: make room"))
        #expect(full.exitCode == .ok)
    }

    @Test("damage is an error with its remedy, and the other checks go on")
    func damaged() throws {
        building.records.failure = .damaged
        building.records.failing = [building.records.calls.count + 1]
        let output = try building.run("doctor --json")
        #expect(output.exitCode == .configuration)
        #expect(output.lines[2].hasPrefix("error    stored data: the state file is damaged"))
        #expect(output.lines.contains("ok       store: writable"))
    }

    @Test("status of the agent tells its age, its memory and the last failure")
    func status() throws {
        _ = building.startAgent(on: ScriptedBoard(on: building.sim.loop))
        building.sim.run(for: .seconds(3 * 86_400 + 5 * 3600))
        try building.records.append(
            EventRecord(time: 1_777_000_000, kind: .failed, node: nil, text: "not commissioned"))
        let lines = try building.run("status").lines
        #expect(lines.contains("running for:   3 d 5 h"))
        #expect(lines.contains("memory:        2.6 MB"))
        #expect(lines.contains("last failure:  2026-04-24T03:06:40Z: not commissioned"))
        #expect(try building.run("doctor").lines[1] == "ok       agent: runs for 3 d 5 h")
    }
}

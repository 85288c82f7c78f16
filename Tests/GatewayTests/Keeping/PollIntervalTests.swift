import Base
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("PollInterval")
struct PollIntervalTests {
    let building: Building
    private static let key = "poll-interval/0x0000000000000001"

    init() throws { building = try Building() }

    /// A device that tells nothing by itself, and when it is asked, in seconds.
    private final class Asked: @unchecked Sendable {
        var times: [Int64] = []
    }

    private func sensor(_ number: UInt8, _ name: String) throws -> Asked {
        let device = try building.device(
            number, name: name,
            endpoints: [
                EndpointRecord(
                    endpoint: EndpointID(1), deviceTypes: [],
                    clusters: [TemperatureMeasurement.id])
            ])
        device.put(TemperatureMeasurement.measuredValue, .value(2150), on: EndpointID(1))
        let asked = Asked()
        device.react = { [building] request in
            if request == .read {
                asked.times.append(building.sim.now.nanoseconds / 1_000_000_000)
            }
            return request == .subscribe ? .status(.busy) : .proceed
        }
        return asked
    }

    @Test("one device is asked at its own interval, the other as all, until that is taken back")
    func own() throws {
        let cellar = try sensor(1, "Cellar")
        let attic = try sensor(2, "Attic")
        let shown = try building.run("poll cellar 10")
        #expect(shown.lines == ["Cellar: asked after 10 s of silence"])
        #expect(shown.document["poll_seconds"] == .integer(10))
        #expect(shown.document["is_own"] == .boolean(true))
        _ = building.startAgent(on: ScriptedBoard(on: building.sim.loop), keeps: true)
        building.sim.run(for: .seconds(100))
        #expect(cellar.times.suffix(3) == [70, 80, 90])
        #expect(attic.times == [0, 30, 90])
        let back = try building.run("poll cellar default")
        #expect(
            back.lines == ["Cellar: asked after 60 s of silence, as poll-interval is set"])
        let before = cellar.times.count
        building.sim.run(for: .seconds(125))
        #expect(cellar.times.count - before == 2)
    }

    @Test("it is shown without being changed, and goes with its device")
    func shownAndRemoved() throws {
        _ = try sensor(1, "Cellar")
        #expect(try building.run("settings poll-interval 120").exitCode == .ok)
        #expect(try building.run("poll cellar").document["poll_seconds"] == .integer(120))
        #expect(try building.run("poll cellar").document["is_own"] == .boolean(false))
        #expect(try building.run("poll cellar 30").exitCode == .ok)
        #expect(try building.run("poll cellar").document["poll_seconds"] == .integer(30))
        _ = building.startAgent(on: ScriptedBoard(on: building.sim.loop), keeps: true)
        building.sim.run(for: .seconds(1))
        #expect(try building.records.settings().map(\.key) == ["poll-interval", Self.key])
        #expect(try building.run("remove cellar --force --yes").exitCode == .ok)
        building.sim.run(for: .seconds(1))
        #expect(try building.records.settings().map(\.key) == ["poll-interval"])
    }

    @Test(
        "what is no interval is refused and changes nothing",
        arguments: ["1", "3601", "-5", "ten", "60s", "\"\""])
    func refused(word: String) throws {
        _ = try sensor(1, "Cellar")
        #expect(throws: UsageError.numberOutOfRange(.poll, 2...3600)) {
            try building.run("poll cellar \(word)")
        }
        #expect(try building.records.settings().isEmpty)
    }

    @Test("a record that this version does not allow counts as not set")
    func strange() {
        for record in [
            SettingRecord(key: Self.key, value: "1"), SettingRecord(key: Self.key, value: "x"),
            SettingRecord(key: "poll-interval/", value: "60"),
            SettingRecord(key: "poll-interval/zz", value: "60"),
        ] { #expect(Settings([record]).pollIntervals.isEmpty, "\(record)") }
        let settings = Settings([PollInterval(of: NodeID(1), seconds: 60).record])
        #expect(settings.pollSeconds(ofPlace: NodeID(1)) == 60)
        #expect(settings == Settings([SettingRecord(key: Self.key, value: "60")]))
    }
}

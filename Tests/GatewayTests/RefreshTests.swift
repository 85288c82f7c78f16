import Base
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("devices --refresh")
struct RefreshTests {
    private let building: Building

    init() throws {
        building = try Building()
    }

    private func states(_ output: Output) -> [String] {
        output.lines.dropFirst().map { String($0.split(separator: " ").last ?? "") }
    }

    @Test("devices say what they are and whether they are there, and it is kept")
    func refresh() throws {
        let lamp = try building.device(1, name: "Lamp")
        lamp.put(BasicInformation.serialNumber, "NEW-7")
        try building.device(2, name: "Plug").vanish()
        let output = try building.run("devices --refresh")
        #expect(states(output) == ["online", "offline"])
        #expect(output.exitCode == .ok)
        #expect(output.notices.count == 1 && output.notices[0].hasPrefix("Plug: "))
        let stored = building.records.storedNodes
        #expect(stored.map(\.serialNumber) == ["NEW-7", ""])
        #expect(stored[0].productName == "Lamp" && stored[0].vendorName == "Vendor")
        #expect(stored[0].endpoints.map(\.endpoint) == [.root, EndpointID(1)])
        #expect(stored[0].endpoints[1].clusters.contains(OnOff.id))
        #expect(stored[0].lastAddress == lamp.address)
        guard case .array(let devices)? = output.document["devices"] else {
            Issue.record("no devices")
            return
        }
        #expect(devices.map { $0["online"] } == [.boolean(true), .boolean(false)])
        #expect(devices[0]["problem"] == .null && devices[1]["problem"] != .null)
        #expect(devices[0]["serial_number"] == .string("NEW-7"))
    }

    @Test("--online and --offline keep those that fit")
    func filters() throws {
        _ = try building.device(1, name: "Lamp")
        try building.device(2, name: "Plug").vanish()
        let online = try building.run("devices --online")
        #expect(states(online) == ["online"] && online.notices.isEmpty)
        #expect(states(try building.run("devices --offline")) == ["offline"])
        #expect(
            try building.run("devices --offline lamp").lines
                == ["None of the 1 devices that were asked."])
        #expect(try building.run("devices attic --online").lines[0].hasPrefix("None of the 2"))
    }

    @Test("one that refuses to say what it is is online, and what was known of it stays")
    func refusing() throws {
        let lamp = try building.device(1, name: "Lamp")
        lamp.react = { $0 == .read ? .status(.busy) : .proceed }
        let before = building.records.storedNodes
        let output = try building.run("devices --refresh")
        #expect(states(output) == ["online"])
        #expect(output.notices.count == 1)
        #expect(building.records.storedNodes == before)
    }

    @Test("forty devices that are all mute take three times ten seconds")
    func bounded() throws {
        for number in 1...40 {
            try building.device(UInt8(number), name: "D\(number)").react = { _ in .mute }
        }
        let start = building.sim.now
        let output = try building.run("devices --refresh")
        #expect(states(output) == Array(repeating: "offline", count: 40))
        let time = building.sim.now - start
        #expect(time > .seconds(20) && time < .seconds(31), "\(time)")
        // Nothing of it goes on.
        #expect(building.sim.runUntilQuiet(within: .seconds(60)))
    }
}

import Base
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("show")
struct ShowTests {
    private let building: Building

    init() throws {
        building = try Building()
    }

    private func endpoint(
        _ number: UInt16, _ types: [UInt32], _ clusters: [ClusterID]
    ) -> EndpointRecord {
        EndpointRecord(
            endpoint: EndpointID(number), deviceTypes: types.map(DeviceTypeID.init),
            clusters: clusters)
    }

    private func lines(_ output: Output) -> [String] {
        Array(output.lines.drop { !$0.isEmpty }.dropFirst())
    }

    @Test("each endpoint has its type, the commands that fit it and what it says now")
    func thermostat() throws {
        let room = try building.device(
            1, name: "Room", endpoints: [endpoint(1, [0x301], [Thermostat.id, Identify.id])])
        let one = EndpointID(1)
        room.put(Thermostat.localTemperature, .value(2034), on: one)
        room.put(Thermostat.systemMode, OpenEnum(.heat), on: one)
        room.put(Thermostat.thermostatRunningState, 1, on: one)
        let output = try building.run("show room")
        #expect(
            lines(output) == [
                "endpoint 1: thermostat", "  commands: thermostat, identify", "  now: heating",
                "  0x0201  thermostat  local-temperature: 20.34 °C, system-mode: heat,"
                    + " thermostat-running-state: 1",
                "  0x0003  identify",
            ])
        guard case .array(let endpoints)? = output.document["endpoints"] else {
            Issue.record("no endpoints")
            return
        }
        #expect(endpoints[0]["activity"] == .string("heating"))
        #expect(endpoints[0]["commands"]?.text == "[\"thermostat\",\"identify\"]")
    }

    @Test("§9.13 devices behind a bridge have their own names, and say when they are away")
    func bridge() throws {
        let info = BridgedDeviceBasicInformation.id
        let bridge = try building.device(
            1, name: "Bridge",
            endpoints: [
                endpoint(1, [0x0E], [Descriptor.id]),
                endpoint(2, [0x13, 0x100], [info, OnOff.id]),
                endpoint(3, [0x13, 0x100], [info, OnOff.id]),
            ])
        typealias Bridged = BridgedDeviceBasicInformation
        for (number, name, isThere) in [(UInt16(2), "Stairs\u{1B}", true), (3, "", false)] {
            bridge.put(Bridged.nodeLabel, name, on: EndpointID(number))
            bridge.put(Bridged.productName, "Old lamp", on: EndpointID(number))
            bridge.put(Bridged.reachable, isThere, on: EndpointID(number))
            bridge.put(OnOff.onOff, true, on: EndpointID(number))
        }
        #expect(
            lines(try building.run("show bridge")) == [
                "endpoint 1: aggregator", "  0x001D  descriptor", "",
                "endpoint 2: bridged node, on/off light \"Stairs\\u{1B}\"",
                "  commands: on, off, toggle NODE/2",
                "  0x0039  bridged-device-basic-information", "  0x0006  on-off  on-off: true", "",
                "endpoint 3: bridged node, on/off light \"Old lamp\" (not reachable by its bridge)",
                "  commands: on, off, toggle NODE/3",
                "  0x0039  bridged-device-basic-information", "  0x0006  on-off  on-off: true",
            ])
    }

    @Test("a device that is away is shown as it is known, with a word of why")
    func away() throws {
        let lamp = try building.device(
            1, name: "Lamp", endpoints: [endpoint(1, [0x100], [OnOff.id])])
        lamp.vanish()
        let output = try building.run("show lamp")
        #expect(output.exitCode == .ok)
        #expect(output.notices.count == 1 && output.notices[0].hasPrefix("Lamp: it does not"))
        #expect(lines(output)[0] == "endpoint 1: on/off light")
    }

    @Test("--stored asks nothing")
    func stored() throws {
        let lamp = try building.device(
            1, name: "Lamp", endpoints: [endpoint(1, [0x100], [OnOff.id])])
        let output = try building.run("show lamp --stored")
        #expect(output.notices.isEmpty && lamp.heard.isEmpty)
        #expect(lines(output).last == "  0x0006  on-off")
    }
}

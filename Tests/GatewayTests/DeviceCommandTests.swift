import Base
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Commands that a device carries out")
struct DeviceCommandTests {
    private let building: Building

    init() throws {
        building = try Building()
    }

    @Test("on, off and toggle reach the endpoint with the cluster")
    func switches() throws {
        let lamp = try building.device(
            1, name: "Lamp",
            endpoints: [
                EndpointRecord(
                    endpoint: EndpointID(4), deviceTypes: [DeviceTypeID(0x100)],
                    clusters: [OnOff.id])
            ])
        for request in [
            DeviceRequest.invoke(OnOff.On.self), .invoke(OnOff.Off.self),
            .invoke(OnOff.Toggle.self),
        ] { lamp.commandAnswers[request] = .status(.success) }
        #expect(try building.run("on lamp").lines == ["Lamp: on"])
        #expect(try building.run("off lamp").lines == ["Lamp: off"])
        let output = try building.run("toggle lamp")
        #expect(output.lines == ["Lamp: toggled"])
        #expect(output.document.text == "{\"node_id\":\"0x0000000000000001\"}")
        #expect(output.exitCode == .ok)
        #expect(lamp.invoked.map(\.commandPath.command.rawValue) == [1, 0, 2])
        #expect(lamp.invoked.allSatisfy { $0.commandPath.endpoint == EndpointID(4) })
    }

    @Test("a device without the cluster, or without the command, says which it lacks")
    func lacking() throws {
        _ = try building.device(
            1, name: "Sensor",
            endpoints: [
                EndpointRecord(
                    endpoint: EndpointID(1), deviceTypes: [DeviceTypeID(0x302)],
                    clusters: [TemperatureMeasurement.id])
            ])
        let sensor = try building.run("toggle sensor")
        #expect(sensor.notices == ["Sensor: it has no on-off: show lists what it has"])
        #expect(sensor.exitCode == .unavailable)
        _ = try building.device(2, name: "Pump")
        let pump = try building.run("toggle pump")
        #expect(
            pump.notices == [
                "Pump: it does not know the command toggle: read NODE"
                    + " 1/on-off/accepted-command-list lists the numbers of those it knows"
            ])
        #expect(pump.exitCode == .unavailable)
    }

    @Test("identify gives the device its time")
    func identify() throws {
        let lamp = try building.device(1, name: "Lamp")
        lamp.commandAnswers[.invoke(Identify.IdentifyDevice.self)] = .status(.success)
        #expect(try building.run("identify lamp/2").lines == ["Lamp: shows itself for 30 s"])
        #expect(
            try building.run("identify lamp --seconds 0").lines
                == ["Lamp: shows itself no longer"])
        let times = try lamp.invoked.map { invoked in
            try #require(invoked.commandFields)
                .decoded(as: Identify.IdentifyDevice.self).identifyTime
        }
        #expect(times == [30, 0])
        #expect(lamp.invoked.map(\.commandPath.endpoint) == [EndpointID(2), EndpointID(1)])
    }
}

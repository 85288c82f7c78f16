import Base
import Crypto
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

    @Test("fabrics shows those of others and says which is ours (Core §11.18.5)")
    func fabrics() throws {
        let lamp = try building.device(1, name: "Lamp")
        var seed = SeededRandom(seed: 9)
        let other = try Fabric(Fabric.create(adminVendorID: VendorID(0x1349), using: &seed))
        lamp.join(other, as: NodeID(0x77))
        lamp.put(OperationalCredentials.supportedFabrics, 5)
        let output = try building.run("fabrics lamp")
        let ours = "0x" + Hex.upper(building.fabric.record.fabricID.rawValue)
        let others = "0x" + Hex.upper(other.record.fabricID.rawValue)
        #expect(
            output.lines == [
                "INDEX  LABEL  VENDOR  FABRIC              NODE                WHOSE",
                "1      -      0x0000  \(ours)  0x0000000000000001  this gateway's",
                "2      -      0x0000  \(others)  0x0000000000000077  another's",
                "2 of the 5 that it can have.",
            ])
        #expect(
            output.document.text == """
                {"node_id":"0x0000000000000001","supported":5,"fabrics":[{"index":1,"label":"",\
                "vendor_id":0,"fabric_id":"\(ours)","fabric_node_id":"0x0000000000000001",\
                "ours":true},{"index":2,"label":"","vendor_id":0,"fabric_id":"\(others)",\
                "fabric_node_id":"0x0000000000000077","ours":false}]}
                """)
    }

    @Test("where a device leaves out the places, our fabric is known by its root and id")
    func fabricsWithoutPlaces() throws {
        let fabric = building.fabric
        var ours = OperationalCredentials.FabricDescriptorStruct()
        ours.rootPublicKey = fabric.authority.root.publicKey.bytes
        ours.fabricID = fabric.record.fabricID
        var other = ours
        other.rootPublicKey = FixedBytes()
        let answer = DeviceFabrics(
            [other, ours], supported: nil, current: FabricIndex(1), fabric: fabric)
        #expect(answer.fabrics.map(\.isOurs) == [false, true])
    }

    @Test("fabrics of a device that is away says so")
    func away() throws {
        try building.device(1, name: "Lamp").vanish()
        let output = try building.run("fabrics lamp")
        #expect(output.exitCode == .unavailable)
        #expect(output.notices.count == 1 && output.notices[0].hasPrefix("Lamp: it does not"))
    }
}

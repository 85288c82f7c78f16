import Base
import Matter
import MatterNode
import Testing

@testable import Gateway

@Suite("HomeAssistant")
struct HomeAssistantTests {
    private static func state(
        _ types: [UInt32], _ attributes: [(UInt32, UInt32)]
    ) -> NodeState {
        var record = NodeRecord(
            nodeID: NodeID(3), fabricIndex: FabricIndex(1), vendorID: VendorID(0xFFF1),
            productID: ProductID(1))
        record.name = "Cellar \"1\""
        record.room = "Ground floor"
        record.vendorName = "Acme"
        record.endpoints = [
            EndpointRecord(
                endpoint: EndpointID(1), deviceTypes: types.map { DeviceTypeID($0) },
                clusters: attributes.map { ClusterID($0.0) })
        ]
        return NodeState(
            node: record,
            readings: attributes.map { cluster, attribute in
                Reading(
                    source: ReadingSource(
                        historyID: NodeID(3), endpoint: EndpointID(1),
                        cluster: ClusterID(cluster), attribute: AttributeID(attribute)),
                    value: 1, at: Instant(nanoseconds: 0))
            })
    }

    private static func component(
        _ name: String, _ types: [UInt32], _ attributes: [(UInt32, UInt32)],
        controls: Bool = false
    ) -> JSONValue? {
        let home = HomeAssistant(topics: MQTTTopics(name: "a.b"), controls: controls)
        return home.configuration(of: state(types, attributes))?["components"]?[name]
    }

    @Test(
        "what a sensor measures has its class, unit and statistics",
        arguments: [
            (0x0402, 0, "1_temperature", "temperature", "°C"),
            (0x0405, 0, "1_humidity", "humidity", "%"),
            (0x0403, 0, "1_pressure", "pressure", "kPa"),
            (0x0090, 8, "1_power", "power", "W"),
            (0x0091, 1, "1_energy", "energy", "kWh"),
            (0x002F, 0x0C, "1_battery", "battery", "%"),
        ] as [(UInt32, UInt32, String, String, String)])
    func sensors(
        cluster: UInt32, attribute: UInt32, key: String, deviceClass: String, unit: String
    ) throws {
        let found = try #require(Self.component(key, [], [(cluster, attribute)]))
        #expect(found["platform"] == .string("sensor"))
        #expect(found["device_class"] == .string(deviceClass))
        #expect(found["unit_of_measurement"] == .string(unit))
        let statistics = deviceClass == "energy" ? "total_increasing" : "measurement"
        #expect(found["state_class"] == .string(statistics))
    }

    @Test("a contact is open without contact, a leak is a leak")
    func contacts() throws {
        let contact = try #require(Self.component("1_contact", [0x0015], [(0x0045, 0)]))
        #expect(contact["device_class"] == .string("opening"))
        #expect(contact["payload_on"] == .string("false"))
        let leak = try #require(Self.component("1_contact", [0x0043], [(0x0045, 0)]))
        #expect(leak["device_class"] == .string("moisture"))
        #expect(leak["payload_on"] == .string("true"))
    }

    @Test("a lamp is a switch only where commands are allowed")
    func switches() throws {
        let seen = try #require(Self.component("1_on-off", [0x0101], [(6, 0), (8, 0)]))
        #expect(seen["platform"] == .string("binary_sensor"))
        #expect(seen["command_topic"] == nil)
        let lamp = try #require(
            Self.component("1_on-off", [0x0101], [(6, 0), (8, 0)], controls: true))
        #expect(lamp["platform"] == .string("light"))
        #expect(lamp["brightness_scale"] == .integer(100))
        let plug = try #require(
            Self.component("1_on-off", [0x010A], [(6, 0)], controls: true))
        #expect(plug["platform"] == .string("switch"))
        #expect(plug["payload_on"] == .string("{\"endpoint\":1,\"on\":true}"))
        let heating = Self.component(
            "1_thermostat", [0x0301], [(0x0201, 0), (0x0201, 0x12), (0x0201, 0x1C)],
            controls: true)
        #expect(heating?["platform"] == .string("climate"))
    }

    @Test("the device has its room, its maker, and an id without a point")
    func device() throws {
        let home = HomeAssistant(topics: MQTTTopics(name: "a.b"), controls: false)
        let whole = try #require(home.configuration(of: Self.state([], [(0x0402, 0)])))
        let device = try #require(whole["device"])
        #expect(device["suggested_area"] == .string("Ground floor"))
        #expect(device["manufacturer"] == .string("Acme"))
        #expect(
            device["identifiers"] == .array([.string("matter-gateway_a-b_0x0000000000000003")]))
        #expect(whole.text.contains("Cellar \\\"1\\\""))
        #expect(home.configuration(of: Self.state([], [])) == nil)
    }
}

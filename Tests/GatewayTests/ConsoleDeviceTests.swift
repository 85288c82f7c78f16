import Base
import Gateway
import Matter
import MatterNode
import Testing

/// Devices as a store would give them.
enum SampleNodes {
    static let sensor: NodeRecord = {
        var node = NodeRecord(
            nodeID: NodeID(0x1234_5678_9ABC_DEF0), fabricIndex: FabricIndex(2),
            vendorID: VendorID(0xFFF1), productID: ProductID(0x8000))
        node.vendorName = "Acme"
        node.productName = "Thermo"
        node.serialNumber = "S-1"
        node.name = "Hall sensor"
        node.room = "Hall"
        node.lastAddress = SocketAddress("[fe80::1%2]:5540")
        node.commissionedAt = 1_764_530_045
        node.endpoints = [
            EndpointRecord(
                endpoint: EndpointID(0), deviceTypes: [DeviceTypeID(0x16)],
                clusters: [ClusterID(0x1D), ClusterID(0x28)]),
            EndpointRecord(
                endpoint: EndpointID(1), deviceTypes: [DeviceTypeID(0x302)],
                clusters: [ClusterID(0x402), ClusterID(0xFFF1_FC00)]),
        ]
        return node
    }()

    static let lamp: NodeRecord = {
        var node = NodeRecord(
            nodeID: NodeID(1234), fabricIndex: FabricIndex(1), vendorID: VendorID(0x1349),
            productID: ProductID(5))
        node.name = "Hall lamp 灯"
        node.isAttested = false
        return node
    }()

    static let plug: NodeRecord = {
        var node = NodeRecord(
            nodeID: NodeID(7), fabricIndex: FabricIndex(1), vendorID: VendorID(1),
            productID: ProductID(1))
        node.productName = "Plug\u{1B}[31m"
        node.endpoints = [2, 3].map { number in
            EndpointRecord(
                endpoint: EndpointID(number), deviceTypes: [DeviceTypeID(0x10A)], clusters: [])
        }
        return node
    }()

    static let all = [sensor, lamp, plug]
}

@Suite("DeviceOutput")
struct ConsoleDeviceTests {
    @Test("devices are a table with aligned columns")
    func table() {
        #expect(
            DeviceOutput.list(SampleNodes.all).lines == [
                "ID                  NAME          ROOM  KIND                "
                    + "MAKER AND PRODUCT  SERIAL NUMBER  ADDED",
                "0x123456789ABCDEF0  Hall sensor   Hall  temperature sensor  "
                    + "Acme Thermo        S-1            2025-11-30",
                "0x00000000000004D2  Hall lamp 灯  -     -                   "
                    + "0x1349 0x0005      -              -",
                "0x0000000000000007  -             -     on/off plug         "
                    + "Plug\\u{1B}[31m     -              -",
            ])
    }

    @Test("a filter looks into every cell, whatever the capitals")
    func filter() {
        func count(_ filter: String) -> Int {
            DeviceOutput.list(SampleNodes.all, filter: filter).lines.count - 1
        }
        #expect(count("hall") == 2)
        #expect(count("ACME") == 1)
        #expect(count("OFF plug") == 1)
        #expect(count("4d2") == 1)
        #expect(count("s-1") == 1)
        let none = DeviceOutput.list(SampleNodes.all, filter: "attic")
        #expect(none.lines == ["None of the 3 devices fits: devices lists them all."])
        #expect(none.document.text == "{\"devices\":[]}")
    }

    @Test("without devices the text says what to do next")
    func empty() {
        let output = DeviceOutput.list([])
        #expect(output.lines.count == 1)
        #expect(output.lines[0].contains("pair PAYLOAD"))
        #expect(output.document.text == "{\"devices\":[]}")
        #expect(output.exitCode == .ok)
    }

    @Test("the members of a device's document stay as they are")
    func document() {
        #expect(
            DeviceOutput.list([SampleNodes.sensor]).document.text == """
                {"devices":[{"node_id":"0x123456789ABCDEF0","name":"Hall sensor","room":"Hall",\
                "kind":"temperature sensor","vendor_id":65521,"vendor_name":"Acme",\
                "product_id":32768,"product_name":"Thermo","serial_number":"S-1",\
                "address":"[fe80::1%2]:5540","attested":true,\
                "commissioned_at":"2025-11-30T19:14:05Z"}]}
                """)
        #expect(
            DeviceOutput.sheet(SampleNodes.lamp).document.text == """
                {"node_id":"0x00000000000004D2","name":"Hall lamp 灯","room":"","kind":"",\
                "vendor_id":4937,"vendor_name":"","product_id":5,"product_name":"",\
                "serial_number":"","address":null,"attested":false,"commissioned_at":null,\
                "endpoints":[]}
                """)
    }

    @Test("show has identity, address, attestation, endpoints and clusters")
    func sheet() {
        let output = DeviceOutput.sheet(SampleNodes.sensor)
        #expect(
            output.lines == [
                "id:             0x123456789ABCDEF0", "name:           Hall sensor",
                "room:           Hall", "kind:           temperature sensor",
                "maker:          Acme (0xFFF1)", "product:        Thermo (0x8000)",
                "serial number:  S-1", "last address:   [fe80::1%2]:5540",
                "certificates:   verified", "added:          2025-11-30T19:14:05Z", "",
                "endpoint 0: root node", "  0x001D  descriptor", "  0x0028  basic-information",
                "", "endpoint 1: temperature sensor", "  0x0402  temperature-measurement",
                "  0xFFF1FC00  -",
            ])
        #expect(
            output.document["endpoints"]?.text == """
                [{"endpoint":0,"name":null,"reachable":true,\
                "device_types":[{"id":22,"name":"root node"}],\
                "clusters":[{"id":29,"name":"descriptor"},\
                {"id":40,"name":"basic-information"}],\
                "commands":[],"activity":null,"readings":[]},\
                {"endpoint":1,"name":null,"reachable":true,\
                "device_types":[{"id":770,"name":"temperature sensor"}],\
                "clusters":[{"id":1026,"name":"temperature-measurement"},\
                {"id":4294048768,"name":null}],"commands":[],"activity":null,"readings":[]}]
                """)
    }

    @Test("one paired device is its own document, several are a list")
    func paired() {
        let one = DeviceOutput.paired([SampleNodes.sensor])
        #expect(one.document["node_id"] == .string("0x123456789ABCDEF0"))
        #expect(
            one.lines == [
                "0x123456789ABCDEF0 temperature sensor, Acme Thermo (Hall sensor, Hall)"
            ])
        let two = DeviceOutput.paired([SampleNodes.sensor, SampleNodes.plug])
        guard case .array(let devices)? = two.document["devices"] else {
            Issue.record("no devices")
            return
        }
        #expect(devices.count == 2)
        #expect(two.lines[1] == "0x0000000000000007 on/off plug, Plug\\u{1B}[31m")
    }

    @Test("a command without a result says what it did, to which device")
    func done() {
        let output = DeviceOutput.done(SampleNodes.lamp, "on")
        #expect(output.standardOutput(isJSON: false) == "Hall lamp 灯: on\n")
        #expect(
            output.standardOutput(isJSON: true) == "{\"node_id\":\"0x00000000000004D2\"}\n")
    }

    @Test("a device type that is not known is its number")
    func unknownKind() {
        var node = SampleNodes.plug
        node.endpoints[0].deviceTypes = [DeviceTypeID(0xFFF1_0001)]
        #expect(
            DeviceOutput.sheet(node).document["kind"]
                == .string("device type 0xFFF10001, on/off plug"))
    }
}

@Suite("NodeSelector")
struct ConsoleSelectorTests {
    private func resolve(
        _ text: String, in nodes: [NodeRecord] = SampleNodes.all
    ) throws -> (node: NodeRecord, endpoint: EndpointID?) {
        try NodeSelector(text).resolve(in: nodes)
    }

    @Test(
        "an id of either form, or a part of a name, finds the device",
        arguments: [
            ("0x123456789ABCDEF0", 0), ("0x123456789abcdef0", 0), ("1311768467463790320", 0),
            ("0x4D2", 1), ("0x00000000000004d2", 1), ("1234", 1), ("7", 2),
            ("hall sensor", 0), ("SENSOR", 0), ("lamp", 1), (" lamp ", 1), ("灯", 1),
        ])
    func found(text: String, index: Int) throws {
        let (node, endpoint) = try resolve(text)
        #expect(node == SampleNodes.all[index])
        #expect(endpoint == nil)
    }

    @Test("an endpoint after a slash is told from the name")
    func endpoints() throws {
        let (plug, endpoint) = try resolve("7/2")
        #expect(plug == SampleNodes.plug)
        #expect(endpoint == EndpointID(2))
        // A device that was not interviewed may have any.
        #expect(try resolve("lamp/9").endpoint == EndpointID(9))
        #expect(throws: NodeSelectorError.noEndpoint(EndpointID(4), SampleNodes.plug)) {
            try resolve("7/4")
        }
        var odd = SampleNodes.lamp
        odd.name = "Lamp 1/2"
        #expect(try resolve("lamp 1/2", in: [odd]).endpoint == nil)
        #expect(try resolve("lamp 1/2/1", in: [odd]).endpoint == EndpointID(1))
    }

    @Test("a whole name goes before parts of names, an id before names")
    func precedence() throws {
        var first = SampleNodes.lamp
        first.name = "lamp"
        var second = SampleNodes.plug
        second.name = "lamp 2"
        var third = SampleNodes.sensor
        third.name = "1234"
        #expect(try resolve("Lamp", in: [second, first, third]).node == first)
        #expect(try resolve("1234", in: [third, first]).node == first)
        #expect(try resolve("1234", in: [third, second]).node == third)
    }

    @Test("accents match however they are encoded")
    func accents() throws {
        var node = SampleNodes.lamp
        node.name = "Ku\u{308}che"
        #expect(try resolve("KÜCHE", in: [node]).node == node)
    }

    @Test("what fits nothing or several is said with what there is")
    func errors() throws {
        #expect(throws: NodeSelectorError.unknown(EchoedWord("attic"), devices: 3)) {
            try resolve("attic")
        }
        #expect(throws: NodeSelectorError.unknown(EchoedWord("9"), devices: 0)) {
            try resolve("9", in: [])
        }
        #expect(
            throws: NodeSelectorError.ambiguous(
                EchoedWord("hall"), [SampleNodes.sensor, SampleNodes.lamp])
        ) { try resolve("hall") }
        #expect(throws: NodeSelectorError.self) { try resolve("0x123456789ABCDEF012") }
        #expect(throws: NodeSelectorError.self) { try resolve("+7") }
        #expect(throws: NodeSelectorError.self) { try resolve("0x+7") }
    }
}

import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("Clusters")
struct ClustersTests {
    private let measured = TemperatureMeasurement.measuredValue.path(EndpointID(2))

    @Test("each id and each name stands once, and names are spelled as the console spells them")
    func tables() {
        func unique(_ ids: [UInt32], _ names: [StaticString], _ place: StaticString) {
            let names = names.map(\.description)
            #expect(Set(ids).count == ids.count, "\(place)")
            #expect(Set(names).count == names.count, "\(place)")
            for name in names {
                let isPlain = name.utf8.allSatisfy { byte in
                    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
                }
                #expect(isPlain, "\(name)")
            }
        }
        let ids = Clusters.all.map { $0.id }
        #expect(ids == ids.sorted())
        unique(ids.map(\.rawValue), Clusters.all.map { $0.name }, "clusters")
        for cluster in Clusters.all {
            let (id, name) = (cluster.id, cluster.name)
            let attributes = cluster.attributes + cluster.globalAttributes
            unique(attributes.map(\.id.rawValue), attributes.map(\.name), name)
            let commands = cluster.commands
            unique(commands.map(\.id.rawValue), commands.map(\.name), name)
            #expect(commands.allSatisfy { $0.cluster == id })
        }
    }

    @Test("a value is shown with its unit, and null as no value")
    func text() throws {
        let warm = try EncodedElement(Int16(2_150))
        #expect(Clusters.text(warm, of: measured) == "21.50 °C")
        #expect(Clusters.text(try EncodedElement(Int16(-5)), of: measured) == "-0.05 °C")
        #expect(Clusters.text(try EncodedElement(Int16(-27_315)), of: measured) == "-273.15 °C")
        let null = try EncodedElement(Nullable<Int16>.null)
        #expect(Clusters.text(null, of: measured) == "no value")
        let time = OnOff.onTime.path(EndpointID(1))
        #expect(Clusters.text(try EncodedElement(UInt16(305)), of: time) == "30.5 s")
        let name = BasicInformation.vendorName.path(.root)
        #expect(Clusters.text(try EncodedElement("Lamps & Co"), of: name) == "Lamps & Co")
    }

    @Test("structures are shown by the cluster's field names and written the same way")
    func json() throws {
        let element = try EncodedElement(
            [AccessControl.AccessControlEntryStruct](
                octets: [0x16] + InteractionVectors.cluster("ACE") + [0x18]))
        let path = AccessControl.acl.path(.root)
        let json = Clusters.json(element, of: path)
        #expect(
            json.text == #"[{"privilege":"administer","authMode":"case","#
                + #""subjects":[1,18446744060824715265],"targets":null,"fabricIndex":1}]"#)
        #expect(try Clusters.element(json, for: path) == element)
        let numbers = JSONValue.array([
            .object([
                ("privilege", .integer(5)), ("authMode", .string("CASE")),
                ("subjects", .array([.integer(1)])), ("targets", .null),
            ])
        ])
        let written = try Clusters.element(numbers, for: path)
        let entries: [AccessControl.AccessControlEntryStruct] = try written.decoded()
        #expect(entries[0].privilege == .administer && entries[0].fabricIndex == nil)
        #expect(throws: TLVError.outOfRange(tag: nil)) {
            try Clusters.element(.integer(70_000), for: OnOff.onTime.path(.root))
        }
    }

    @Test("what is unknown stays readable by tag numbers")
    func unknown() throws {
        let bytes = try #require(
            Hex.decode("15 240005 2c01026869 36020401 00fe18 300302abcd 3404 350518 18"))
        let element = try EncodedElement(octets: bytes)
        let path = ConcreteAttributePath(
            endpoint: .root, cluster: ClusterID(0xFFF1_FC00), attribute: AttributeID(7))
        let json = Clusters.json(element, of: path)
        #expect(
            json.text
                == #"{"0":5,"1":"hi","2":[1,-2],"3":"hex:abcd","4":null,"5":{}}"#)
        let back = try Clusters.element(json, for: path)
        #expect(Clusters.json(back, of: path) == json)
        #expect(throws: TLVError.unknownField) {
            try EncodedElement(json: .object([("name", .null)]))
        }
        #expect(path.description == "0/0xFFF1FC00/0x0007")
    }

    @Test("a value that is not of its attribute's type is shown by tag numbers")
    func wrongType() throws {
        let text = try EncodedElement("warm")
        #expect(Clusters.json(text, of: measured) == .string("warm"))
        #expect(Clusters.text(text, of: measured) == "warm")
    }

    @Test("every value of a captured wildcard read is shown, and written back unchanged")
    func wildcard() throws {
        var client = ReadClient(paths: [AttributePath()])
        for payload in InteractionVectors.wildcardRead {
            _ = try client.receive(.reportData, octets: payload)
        }
        var named = 0
        for report in client.reports.all {
            guard case .data(let element) = report.value else {
                Issue.record("\(report.path) has no value")
                continue
            }
            #expect(!Clusters.text(element, of: report.path).isEmpty || element.octets == [12, 0])
            let path = report.path
            guard let info = Clusters.attribute(path.attribute, of: path.cluster) else { continue }
            named += 1
            let json = try info.json(element)
            let again = try info.element(json)
            #expect(try info.json(again) == json, "\(path)")
        }
        #expect(named > 150)
    }

    @Test("Core §7.13 every cluster has the global attributes, known or not")
    func globals() {
        let unknown = ClusterID(0x1234)
        #expect(
            Clusters.attribute(AttributeID(0xFFFC), of: unknown)?.name.description
                == "feature-map")
        #expect(Clusters.attribute(AttributeID(0xFFFD), of: OnOff.id) != nil)
        #expect(Clusters.attribute(AttributeID(0), of: unknown) == nil)
    }

    @Test("numbers that have no name are kept, names are taken in any spelling")
    func openEnums() throws {
        typealias Status = OpenEnum<NetworkCommissioning.NetworkingStatus>
        let unknown = Status(rawValue: 200)
        #expect(unknown.known == nil && unknown.name == "200" && unknown.json == .integer(200))
        #expect(try Status(octets: try unknown.encoded()) == unknown)
        #expect(Status(.networkIDNotFound).name == "network-id-not-found")
        for text in ["auth-failure", "AuthFailure", "authFailure"] {
            #expect(try Status(json: .string(text)) == .authFailure)
        }
        #expect(try Status(json: .integer(7)) == .authFailure)
        #expect(throws: TLVError.outOfRange(tag: nil)) { try Status(json: .string("none")) }
    }

    @Test("commands are found by name, made from JSON, and their response is shown as JSON")
    func commands() throws {
        let path = try CommandPath("0/general-commissioning/arm-fail-safe")
        let info = try #require(Clusters.command(path.command, of: path.cluster))
        let json = JSONValue.object([
            ("expiryLengthSeconds", .integer(60)), ("breadcrumb", .integer(1)),
        ])
        let client = try info.client(json, endpoint: .root)
        let request = try InvokeRequest<GeneralCommissioning.ArmFailSafe>(
            octets: client.request.octets)
        #expect(request.invokeRequests[0].commandFields?.expiryLengthSeconds == 60)
        let fields = try EncodedElement(
            octets: InteractionVectors.cluster("ArmFailSafeResponse"))
        let response = try info.json(.response(CommandID(1), fields))
        #expect(response.text == #"{"errorCode":"busy-with-other-admin","debugText":"busy"}"#)
        #expect(throws: InteractionError.malformed(.unknownField)) {
            try info.client(
                .object(
                    [("a", .null)] + [
                        ("expiryLengthSeconds", .integer(1)), ("breadcrumb", .integer(1)),
                    ]), endpoint: .root)
        }
        let on = try #require(Clusters.command(CommandID(1), of: OnOff.id))
        #expect(try on.json(.success) == .null)
    }

    @Test("keys and passphrases neither leave as JSON nor enter from it")
    func secrets() {
        let text = Array("example-only".utf8)
        let passphrase = Secret(text.span)
        let command = NetworkCommissioning.AddOrUpdateWiFiNetwork {
            $0.credentials = passphrase
        }
        #expect(command.json["credentials"] == .string("secret"))
        #expect(throws: TLVError.wrongType(tag: nil)) {
            try NetworkCommissioning.AddOrUpdateWiFiNetwork(json: command.json)
        }
    }

    @Test("device types have a name where they are known")
    func deviceTypes() {
        #expect(DeviceTypes.name(DeviceTypeID(0x0016)) == "root node")
        #expect(DeviceTypes.name(DeviceTypeID(0x0100)) == "on/off light")
        #expect(DeviceTypes.name(DeviceTypeID(0x0302)) == "temperature sensor")
        #expect(DeviceTypes.name(DeviceTypeID(0x0301)) == "thermostat")
        #expect(DeviceTypes.name(DeviceTypeID(0xFFF1_0001)) == nil)
    }
}

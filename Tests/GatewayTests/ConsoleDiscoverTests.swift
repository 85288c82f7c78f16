import Base
import MatterNode
import Testing

@testable import Gateway
@testable import Matter

@Suite("DiscoverOutput")
struct ConsoleDiscoverTests {
    private func record(
        _ kind: ServiceKind, _ instance: String, text: [String] = [],
        addresses: [String] = ["fe80::1%2"], interface: UInt32 = 2
    ) throws -> ServiceRecord {
        let raw = text.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        var values = ServiceText()
        if let entries = DNSText(raw.span) { values = ServiceText(entries) }
        return ServiceRecord(
            kind: kind, instance: Array(instance.utf8),
            hostName: DomainName(labels: ["h", "local"]), port: 5540,
            addresses: try addresses.map { try #require(IPAddress($0)) }, rawText: raw,
            text: values, interface: interface)
    }

    private func sample() throws -> DiscoverOutput {
        var output = DiscoverOutput(nodes: [SampleNodes.sensor])
        output.add(
            try record(
                .operationalNode, "0123456789ABCDEF-123456789ABCDEF0",
                addresses: ["192.0.2.1", "fe80::1%2"]),
            isOurs: true)
        output.add(
            try record(.operationalNode, "FFFFFFFFFFFFFFFF-0000000000000001"), isOurs: false)
        output.add(
            try record(
                .commissionableNode, "A1B2",
                text: ["D=3840", "CM=1", "VP=65521+32768", "DT=256", "DN=La\u{1B}mp"]),
            isOurs: false)
        output.add(try record(.borderRouter, "Router", text: ["nn=Home"]), isOurs: false)
        return output
    }

    @Test("services are grouped by kind, with what their kind tells")
    func table() throws {
        let lines = try sample().output().lines
        #expect(lines.count == 5)
        #expect(lines[0].hasPrefix("KIND           INSTANCE "))
        #expect(
            lines[1].hasPrefix("to be added    A1B2 ")
                && lines[1].contains(
                    "discriminator 3840, window open, 0xFFF1 0x8000, on/off light,"
                        + " \"La\\u{1B}mp\"")
        )
        #expect(lines[2].contains("0x123456789ABCDEF0, ours: Hall sensor"))
        // Link-local IPv6 is the one to try first.
        #expect(lines[2].contains("fe80::1%2 +1"))
        #expect(lines[3].contains("0x0000000000000001, of another owner"))
        #expect(lines[4].hasPrefix("border router  Router"))
        #expect(lines[4].contains("Thread network \"Home\""))
    }

    @Test("Bluetooth: what was heard, and why there may be more")
    func bluetooth() {
        var output = DiscoverOutput(nodes: [])
        let octets: [UInt8] = [0xC0, 1, 2, 3, 4, 0xFF]
        output.add(
            HeardDevice(
                address: BluetoothAddress(FixedBytes(copying: octets.span), .randomAddress),
                advertisement: CommissionableAdvertisement(
                    discriminator: 7, vendorID: nil, productID: nil)))
        output.problem = .inUse
        let shown = output.output()
        #expect(shown.lines.count == 2)
        #expect(shown.lines[1].hasPrefix("to be added  C0:01:02:03:04:FF  discriminator 7 "))
        #expect(shown.notices.first?.hasPrefix("not all of Bluetooth: another program") == true)
        let device = JSONValue.object([
            ("address", .string("C0:01:02:03:04:FF")), ("discriminator", .integer(7)),
            ("vendor_id", .null), ("product_id", .null), ("signal_strength", .null),
        ])
        #expect(
            shown.document == .object([("services", .array([])), ("bluetooth", .array([device]))]))
    }

    @Test("the members of a service's document stay as they are")
    func document() throws {
        #expect(
            try sample().output().document.text == """
                {"services":[{"kind":"commissionable","instance":"A1B2","host":"h.local",\
                "addresses":["fe80::1%2"],"port":5540,"window_open":true,"discriminator":3840,\
                "vendor_id":65521,"product_id":32768,"device_type":256,\
                "device_name":"La\\u001bmp"},{"kind":"operational",\
                "instance":"0123456789ABCDEF-123456789ABCDEF0","host":"h.local",\
                "addresses":["fe80::1%2","192.0.2.1"],"port":5540,\
                "node_id":"0x123456789ABCDEF0","fabric":"0123456789ABCDEF","ours":true,\
                "name":"Hall sensor"},{"kind":"operational",\
                "instance":"FFFFFFFFFFFFFFFF-0000000000000001","host":"h.local",\
                "addresses":["fe80::1%2"],"port":5540,"node_id":"0x0000000000000001",\
                "fabric":"FFFFFFFFFFFFFFFF","ours":false,"name":null},\
                {"kind":"border_router","instance":"Router","host":"h.local",\
                "addresses":["fe80::1%2"],"port":5540,"network_name":"Home"}],"bluetooth":[]}
                """)
    }

    @Test("what is heard again of an instance takes the place of what was heard")
    func updates() throws {
        var output = DiscoverOutput(nodes: [])
        output.add(try record(.commissionableNode, "A", text: ["CM=0"]), isOurs: false)
        output.add(try record(.commissionableNode, "A", text: ["CM=1"]), isOurs: false)
        output.add(
            try record(.commissionableNode, "A", text: ["CM=1"], interface: 3), isOurs: false)
        let lines = output.output().lines
        #expect(lines.count == 3)
        #expect(lines[1].contains("window open"))
    }

    @Test("an empty answer says what to look at")
    func empty() {
        let output = DiscoverOutput(nodes: []).output()
        #expect(output.lines.count == 1)
        #expect(output.lines[0].contains("prepare"))
        #expect(output.document.text == "{\"services\":[],\"bluetooth\":[]}")
        #expect(output.exitCode == .ok)
    }
}

@Suite("What commands say that ask nobody")
struct ConsolePlainTests {
    @Test("TLV is printed as far as it can be read")
    func tlv() {
        let whole = PlainOutput.tlv([0x15, 0x24, 0x01, 0x2A, 0x18])
        #expect(whole.lines == ["anonymous: structure {", "  1: unsigned 42", "}"])
        #expect(whole.exitCode == .ok)
        let cut = PlainOutput.tlv([0x15, 0x24, 0x01, 0x2A])
        #expect(cut.lines.count == 2)
        #expect(cut.notices == ["the TLV is damaged: the bytes end too early, at 4"])
        #expect(cut.exitCode == .dataError)
        #expect(
            cut.document.text == """
                {"lines":["anonymous: structure {","  1: unsigned 42"],\
                "error":"the bytes end too early, at 4"}
                """)
    }

    @Test("the version is a line, or a member")
    func version() {
        let output = PlainOutput.version("1.0")
        #expect(output.standardOutput(isJSON: false) == "matter-gateway 1.0\n")
        #expect(output.standardOutput(isJSON: true) == "{\"version\":\"1.0\"}\n")
    }
}

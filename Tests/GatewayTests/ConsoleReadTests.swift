import Base
import Gateway
import MatterNode
import Testing

@testable import Matter

@Suite("ReadOutput")
struct ConsoleReadTests {
    private let temperature = TemperatureMeasurement.measuredValue.path(EndpointID(1))
    private let onOff = OnOff.onOff.path(EndpointID(1))

    private func report(
        _ path: ConcreteAttributePath, _ value: some TLVCodable
    ) throws -> AttributeReport {
        AttributeReport(path: path, dataVersion: 1, value: .data(try EncodedElement(value)))
    }

    private func refused(
        _ path: ConcreteAttributePath, _ status: InteractionStatus
    ) -> AttributeReport {
        AttributeReport(
            path: path, dataVersion: nil, value: .status(status, clusterStatus: nil))
    }

    private func single(_ report: AttributeReport) -> Output {
        ReadOutput.readings(
            [report], of: SampleNodes.sensor, asked: [AttributePath(report.path)])
    }

    @Test("one attribute is its value alone, in its unit, with the raw number beside it")
    func oneValue() throws {
        let output = single(try report(temperature, Nullable<Int16>.value(2150)))
        #expect(output.standardOutput(isJSON: false) == "21.50 °C\n")
        #expect(
            output.standardOutput(isJSON: true) == """
                {"node_id":"0x123456789ABCDEF0",\
                "path":"1/temperature-measurement/measured-value","value":21.5,"unit":"°C",\
                "raw":2150}

                """)
        #expect(output.exitCode == .ok)
        let negative = single(try report(temperature, Nullable<Int16>.value(-7)))
        #expect(negative.lines == ["-0.07 °C"])
        #expect(negative.document["value"] == .number(-0.07))
    }

    @Test("every hundredth comes out as it is written", arguments: [2153, 1, -1999, 32767, 1000])
    func hundredths(raw: Int16) throws {
        let output = single(try report(temperature, Nullable<Int16>.value(raw)))
        let text = try #require(output.document["value"]).text
        #expect(Double(text) == Double(output.lines[0].dropLast(3)))
        #expect(text.count <= 7)
    }

    @Test("null is said in words, and null in the document")
    func noValue() throws {
        let output = single(try report(temperature, Nullable<Int16>.null))
        #expect(output.lines == ["no value"])
        #expect(output.document["value"] == .null)
        #expect(output.document["raw"] == .null)
        #expect(output.exitCode == .ok)
    }

    @Test("a device's text is escaped")
    func escaped() throws {
        let path = BasicInformation.nodeLabel.path(EndpointID(0))
        let output = single(try report(path, "\u{1B}[2Jx"))
        #expect(output.lines == ["\\u{1B}[2Jx"])
        #expect(output.document["unit"] == nil)
    }

    @Test("a refusal is one line with the path, and its exit code")
    func refusal() {
        let output = single(refused(temperature, .unsupportedAttribute))
        #expect(output.lines.isEmpty)
        #expect(output.document == .null)
        #expect(
            output.notices == [
                "1/temperature-measurement/measured-value: the device has no such attribute:"
                    + " show lists what it has"
            ])
        #expect(output.exitCode == .unavailable)
        #expect(single(refused(temperature, .unsupportedAccess)).exitCode == .noPermission)
        #expect(single(refused(temperature, .busy)).exitCode == .temporaryFailure)
    }

    @Test("an attribute that the device is silent about is its fault")
    func silence() {
        let output = ReadOutput.readings(
            [], of: SampleNodes.sensor, asked: [AttributePath(temperature)])
        #expect(output.exitCode == .protocolError)
        #expect(output.notices.count == 1)
    }

    @Test("several are a table, with refusals in their places")
    func several() throws {
        let reports = [
            try report(temperature, Nullable<Int16>.value(2150)), try report(onOff, true),
            refused(OnOff.onOff.path(EndpointID(2)), .unsupportedEndpoint),
        ]
        let output = ReadOutput.readings(
            reports, of: SampleNodes.sensor, asked: [AttributePath(), AttributePath(onOff)])
        #expect(
            output.lines == [
                "PATH                                      VALUE",
                "1/temperature-measurement/measured-value  21.50 °C",
                "1/on-off/on-off                           true",
                "2/on-off/on-off                           "
                    + "UNSUPPORTED_ENDPOINT: the device has no such endpoint",
            ])
        #expect(
            output.document.text == """
                {"node_id":"0x123456789ABCDEF0","readings":[\
                {"path":"1/temperature-measurement/measured-value","value":21.5,"unit":"°C",\
                "raw":2150},{"path":"1/on-off/on-off","value":true},{"path":"2/on-off/on-off",\
                "error":{"status":"UNSUPPORTED_ENDPOINT",\
                "text":"the device has no such endpoint","cluster_status":null}}]}
                """)
        #expect(output.exitCode == .ok)
    }

    @Test("without any value the exit code is that of the first refusal")
    func nothing() {
        let wildcard = [AttributePath()]
        let refusals = [refused(onOff, .unsupportedAccess), refused(onOff, .busy)]
        let output = ReadOutput.readings(refusals, of: SampleNodes.sensor, asked: wildcard)
        #expect(output.exitCode == .noPermission)
        let none = ReadOutput.readings([], of: SampleNodes.sensor, asked: wildcard)
        #expect(none.exitCode == .unavailable)
        #expect(none.lines.isEmpty && none.notices.count == 1)
    }

    @Test("without a path a device is asked for what it measures or is set to")
    func mainReadings() {
        #expect(
            MainReadings.paths(of: SampleNodes.sensor, on: nil) == [AttributePath(temperature)])
        #expect(MainReadings.paths(of: SampleNodes.sensor, on: EndpointID(0)) == [])
        let unknown = MainReadings.paths(of: SampleNodes.lamp, on: nil)
        #expect(
            unknown.contains(
                AttributePath(endpoint: nil, cluster: OnOff.id, attribute: AttributeID(0))))
    }

    @Test("a command goes to the only endpoint that has its cluster, or to the one named")
    func endpoints() throws {
        var plug = SampleNodes.plug
        plug.endpoints[1].clusters = [OnOff.id]
        #expect(try plug.endpoint(for: OnOff.id, named: nil) == EndpointID(3))
        #expect(try plug.endpoint(for: OnOff.id, named: EndpointID(2)) == EndpointID(2))
        plug.endpoints[0].clusters = [OnOff.id]
        #expect(throws: EndpointError.several(OnOff.id, [EndpointID(2), EndpointID(3)])) {
            try plug.endpoint(for: OnOff.id, named: nil)
        }
        #expect(throws: EndpointError.none(OnOff.id)) {
            try SampleNodes.sensor.endpoint(for: OnOff.id, named: nil)
        }
        #expect(try SampleNodes.lamp.endpoint(for: OnOff.id, named: nil) == EndpointID(1))
    }
}

@Suite("WrittenValue")
struct ConsoleWriteTests {
    private struct NoJSON: Error {}

    private func element(
        _ text: String, _ path: String, json: JSONValue? = nil
    ) throws -> EncodedElement {
        let path = try #require(try AttributePath(path).concrete)
        return try WrittenValue.element(text, for: path) { _ throws(NoJSON) in
            guard let json else { throw NoJSON() }
            return json
        }
    }

    @Test(
        "a text attribute takes any text",
        arguments: ["Hall lamp", "5", "true", "null ", "-", "1e5", "0x10"])
    func text(text: String) throws {
        #expect(
            try element(text, "0/basic-information/node-label") == EncodedElement(text))
    }

    @Test("what is unknown takes what the text looks like")
    func unknown() throws {
        let path = "1/0xFFF1FC00/0x0001"
        #expect(try element("5", path) == EncodedElement(json: .integer(5)))
        #expect(try element("-5", path) == EncodedElement(json: .integer(-5)))
        #expect(
            try element("18446744073709551615", path)
                == EncodedElement(json: .unsigned(.max)))
        #expect(try element("1.5", path) == EncodedElement(json: .number(1.5)))
        #expect(try element("true", path) == EncodedElement(json: .boolean(true)))
        #expect(try element("null", path) == EncodedElement(json: .null))
        #expect(try element("on", path) == EncodedElement(json: .string("on")))
        #expect(try element("inf", path) == EncodedElement(json: .string("inf")))
        #expect(
            try element("\"5\"", path, json: .string("5")) == EncodedElement(json: .string("5")))
        #expect(
            try element("[1]", path, json: .array([.integer(1)]))
                == EncodedElement(json: .array([.integer(1)])))
    }

    @Test("a quantity is given in its unit")
    func quantity() throws {
        let path = "1/identify/identify-time"
        #expect(try element("30", path) == EncodedElement(UInt16(30)))
        #expect(try element("30 s", path) == EncodedElement(UInt16(30)))
        #expect(throws: ValueError.self) { try element("30.5", path) }
        #expect(throws: ValueError.self) { try element("-1", path) }
        #expect(throws: ValueError.self) { try element("ten", path) }
        #expect(throws: ValueError.self) { try element("", path) }
        #expect(throws: ValueError.self) { try element("70000", path) }
        #expect(throws: ValueError.self) { try element("99999999999999999999", path) }
    }

    @Test("what cannot be written, or is no value, is refused before it is sent")
    func refused() throws {
        let temperature = TemperatureMeasurement.measuredValue.path(EndpointID(1))
        #expect(throws: ValueError.readOnly(temperature)) {
            try element("1", "1/temperature-measurement/measured-value")
        }
        #expect(throws: ValueError.malformedJSON) {
            try element("[1", "0/access-control/acl")
        }
        #expect(throws: ValueError.wrongType(AccessControl.acl.path(EndpointID(0)))) {
            try element("5", "0/access-control/acl")
        }
    }
}

import Base
import Matter
import Testing

@Suite("AttributePath as text")
struct PathTextTests {
    @Test(
        "names in any spelling and numbers name the same attribute",
        arguments: [
            "2/temperature-measurement/measured-value", "2/TemperatureMeasurement/MeasuredValue",
            "2/temperatureMeasurement/measuredvalue", "2/1026/0", "0x2/0x0402/0x0000",
            "2/0x402/measured-value",
        ])
    func spellings(text: String) throws {
        let path = try AttributePath(text)
        #expect(path.concrete == TemperatureMeasurement.measuredValue.path(EndpointID(2)))
        #expect(path.concrete?.description == "2/temperature-measurement/measured-value")
    }

    @Test("a star stands for all, global attributes belong to every cluster")
    func wildcards() throws {
        #expect(try AttributePath("*/*/*") == AttributePath())
        let features = try AttributePath("*/*/feature-map")
        #expect(features == AttributePath(attribute: AttributeID(0xFFFC)))
        let unknown = try AttributePath("1/0xFFF1FC00/cluster-revision")
        #expect(unknown.concrete?.description == "1/0xFFF1FC00/cluster-revision")
        let all = try AttributePath("1/on-off/*")
        #expect(all == AttributePath(endpoint: EndpointID(1), cluster: OnOff.id))
    }

    @Test(
        "the part that is not understood is named",
        arguments: [
            ("", PathError.shape), ("1/on-off", .shape), ("1/on-off/on-off/0", .shape),
            ("65536/on-off/on-off", .endpoint), ("-1/on-off/on-off", .endpoint),
            ("0x/on-off/on-off", .endpoint), ("/on-off/on-off", .endpoint),
            ("1/of-non/0", .cluster), ("1/0x100000000/0", .cluster), ("1//0", .cluster),
            ("1/on-off/measured-value", .attribute), ("1/*/measured-value", .attribute),
            ("1/on-off/+1", .attribute), ("1/on-off/0x-1", .attribute),
        ])
    func faults(text: String, error: PathError) {
        #expect(throws: error) { try AttributePath(text) }
    }

    @Test("commands are found the same way, without wildcards")
    func commands() throws {
        let toggle = CommandPath(
            endpoint: EndpointID(1), cluster: OnOff.id, command: CommandID(2))
        #expect(try CommandPath("1/on-off/toggle") == toggle)
        #expect(try CommandPath("1/6/2") == toggle)
        #expect(throws: PathError.command) { try CommandPath("1/on-off/arm-fail-safe") }
        #expect(throws: PathError.cluster) { try CommandPath("1/*/toggle") }
        #expect(throws: PathError.endpoint) { try CommandPath("*/on-off/toggle") }
    }
}

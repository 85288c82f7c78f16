import Base
import Matter
import Testing

@Suite("Values of other implementations through the cluster tables")
struct ClusterRoundTripTests {
    private func reports() throws -> [AttributeReport] {
        var client = ReadClient(paths: [AttributePath()])
        for chunk in InteractionVectors.wildcardRead {
            _ = try client.receive(.reportData, octets: chunk)
        }
        return client.reports.all
    }

    @Test("a wildcard read decodes by our types, and encodes to the same octets")
    func roundTrip() throws {
        var typed = 0
        for report in try reports() {
            guard case .data(let data) = report.value,
                let info = Clusters.attribute(report.path.attribute, of: report.path.cluster)
            else { continue }
            typed += 1
            let json = try info.json(data)
            #expect(try info.element(json) == data, "\(report.path): \(json.text)")
        }
        #expect(typed > 50)
    }

    @Test("what no table knows stays readable by its tags, and keeps its octets")
    func unknown() throws {
        for report in try reports() {
            guard case .data(let data) = report.value else { continue }
            let path = ConcreteAttributePath(
                endpoint: report.path.endpoint, cluster: ClusterID(0xFFF1_FC00),
                attribute: report.path.attribute)
            guard Clusters.attribute(path.attribute, of: path.cluster) == nil else { continue }
            let json = Clusters.json(data, of: path)
            #expect(json == data.json)
            #expect(try data == EncodedElement(octets: data.octets))
        }
    }
}

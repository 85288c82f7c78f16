import Testing

@testable import Matter

@Suite("ClusterNames")
struct ClusterNamesTests {
    @Test("no cluster has two names, and no name two clusters")
    func unique() {
        let tables = Clusters.all.map { (id: $0.id.rawValue, name: $0.name) }
        let all = tables + ClusterNames.table
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(Set(all.map(\.name.description)).count == all.count)
        #expect(ClusterNames.table.map(\.id) == ClusterNames.table.map(\.id).sorted())
    }

    @Test("a name is what a path can have", arguments: ClusterNames.table.map(\.name.description))
    func inPaths(name: String) throws {
        #expect(name == ConsoleName.dashed(name))
        #expect(!name.contains { $0 == "/" || $0 == " " || $0 == "." })
        let path = try #require(try AttributePath("1/\(name)/0").concrete)
        #expect(path.description == "1/\(name)/0x0000")
    }

    @Test("a table's own name goes first; what is unknown has none")
    func names() {
        #expect(Clusters.name(OnOff.id)?.description == "on-off")
        #expect(Clusters.name(ClusterID(0x0201))?.description == "thermostat")
        #expect(Clusters.name(ClusterID(0xFFF1_FC00)) == nil)
    }
}

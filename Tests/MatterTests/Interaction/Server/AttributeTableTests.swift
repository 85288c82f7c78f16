import Base
import Testing

@testable import Matter

@Suite("AttributeTable")
struct AttributeTableTests {
    private let light = ServerBench.light

    @Test("clusters stand by endpoint and id, however they were added")
    func order() {
        var table = AttributeTable()
        for endpoint in [3, 1, 2] as [UInt16] {
            table.add(OnOff.self, on: EndpointID(endpoint), revision: 1)
            table.add(Identify.self, on: EndpointID(endpoint), revision: 1)
        }
        #expect(table.clusters.map(\.endpoint.rawValue) == [1, 1, 2, 2, 3, 3])
        #expect(table.clusters.map(\.id.rawValue) == [3, 6, 3, 6, 3, 6])
        table.set(OnOff.onOff, true, on: EndpointID(2))
        #expect(table.get(OnOff.onOff, on: EndpointID(2)) == true)
        #expect(table.get(OnOff.onOff, on: EndpointID(1)) == nil)
        table.remove(endpoint: EndpointID(2))
        #expect(!table.has(endpoint: EndpointID(2)) && table.has(OnOff.id, on: EndpointID(3)))
        #expect(table.encoded(OnOff.onOff.path(EndpointID(2))) == nil)
    }

    @Test("§7.10.3 a change raises the version once, the same value not at all")
    func versions() throws {
        var table = ServerBench.lamp()
        let version = try #require(table.dataVersion(of: OnOff.id, on: light))
        table.set(OnOff.onOff, false, on: light)
        #expect(table.dataVersion(of: OnOff.id, on: light) == version)
        table.set(OnOff.onOff, true, on: light)
        #expect(table.dataVersion(of: OnOff.id, on: light) == version &+ 1)
        #expect(table.dataVersion(of: Identify.id, on: light) != version)
    }

    @Test("§7.13.3 AttributeList follows what is added")
    func attributeList() throws {
        var table = ServerBench.lamp()
        let before = try #require(table.get(OnOff.attributeList, on: light))
        #expect(before == before.sorted() && !before.contains(OnOff.offWaitTime.id))
        table.set(OnOff.offWaitTime, 3, on: light)
        #expect(table.get(OnOff.attributeList, on: light)?.contains(OnOff.offWaitTime.id) == true)
    }

    @Test("a server draws the versions of its data from its seed")
    func seeds() throws {
        func versions(_ seed: UInt64) -> [UInt32] {
            InteractionServer(attributes: ServerBench.lamp(), seed: seed).attributes.clusters
                .map(\.dataVersion)
        }
        #expect(versions(1) == versions(1))
        #expect(versions(1) != versions(2))
        #expect(Set(versions(1)).count == versions(1).count)
    }
}

import Base
import Matter
import TestVectors
import Testing

/// The types in all tables of `Clusters.all`, line by line.
@Suite("Cluster tables")
struct ClusterTableTests {
    private static let output = TestFile.environment("MATTER_TABLES")

    @Test("every tag and name of a structure or command stands once")
    func fields() throws {
        for cluster in Clusters.all {
            for attribute in cluster.attributes {
                let type = try #require(attribute.description, "\(attribute.name)")
                check(type, "\(cluster.name)/\(attribute.name)")
            }
            for command in cluster.commands {
                let type = try #require(command.command, "\(command.name)")
                check(TypeDescription(type), "\(cluster.name)/\(command.name)")
            }
        }
    }

    @Test("every command without values comes back from its octets and from its JSON")
    func roundTrips() throws {
        for info in Clusters.all.flatMap({ $0.commands }) {
            let command = try #require(info.command)
            try roundTrip(command)
        }
    }

    @Test("the tables are written for Tests/Peers/oracle.py", .enabled(if: output != nil))
    func write() throws {
        let path = try #require(Self.output)
        let tables = JSONValue.array(Clusters.all.map { $0.json })
        #expect(TestFile.write(tables.text, to: path))
    }

    private func roundTrip<Invoked: Command>(_ type: Invoked.Type) throws {
        let command = Invoked()
        let octets = try command.encoded()
        let read = try Invoked(octets: octets)
        #expect(try hex(read.encoded()) == hex(octets), "\(type)")
        // What holds a secret does not come from JSON.
        if Invoked.fieldDescriptions.contains(where: { "\($0.type)".contains("Secret") }) { return }
        let entered = try Invoked(json: command.json)
        #expect(try hex(entered.encoded()) == hex(octets), "\(type)")
    }

    private func check(_ type: TypeDescription, _ place: String) {
        switch type {
        case .leaf, .untyped, .named: break
        case .optional(let type), .nullable(let type), .list(let type): check(type, place)
        case .structure(let fields):
            #expect(Set(fields.map(\.tag)).count == fields.count, "\(place)")
            #expect(Set(fields.map(\.name)).count == fields.count, "\(place)")
            for field in fields { check(field.type, "\(place).\(field.name)") }
        }
    }
}

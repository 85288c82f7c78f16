import Base
import Matter
import Testing

@testable import Gateway

@Suite("Our own place in an access control list")
struct OwnAdministrationTests {
    private let ours = NodeID(0x1234)

    private func entry(
        _ subject: NodeID, _ privilege: AccessControl.Privilege = .administer
    ) -> AccessControl.AccessControlEntryStruct {
        AccessControl.AccessControlEntryStruct {
            $0.privilege = OpenEnum(privilege)
            $0.authMode = OpenEnum(.case)
            $0.subjects = .value([subject.rawValue])
        }
    }

    @Test("§9.10 our entry comes first, the others keep their order")
    func ownFirst() throws {
        let others = [entry(NodeID(1)), entry(ours, .operate), entry(NodeID(2), .view)]
        for place in 0...others.count {
            var entries = others
            entries.insert(entry(ours), at: place)
            let ordered = AccessControl.ownFirst(ours, try EncodedElement(entries))
            #expect(try ordered.decoded() == [entry(ours)] + others)
        }
    }

    @Test("a list without us, or that is none, stays as it is")
    func untouched() throws {
        for value in [
            try EncodedElement([entry(NodeID(1)), entry(ours, .view)]),
            try EncodedElement(UInt8(7)),
            .emptyStructure,
        ] {
            #expect(AccessControl.ownFirst(ours, value) == value)
            #expect(!AccessControl.administers(ours, value))
        }
    }
}

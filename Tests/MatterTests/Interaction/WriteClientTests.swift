import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("WriteClient")
struct WriteClientTests {
    private func writes() throws -> [AttributeDataIB] {
        [
            try AttributeDataIB(BasicInformation.nodeLabel, "hall", endpoint: .root),
            try AttributeDataIB(OnOff.onTime, 300, endpoint: EndpointID(1)),
        ]
    }

    @Test("§8.5.2 a write is what the CHIP controller writes, lists included")
    func requests() throws {
        let write = try WriteClient(try writes())
        #expect(write.request.opcode == .writeRequest)
        #expect(write.request.octets == InteractionVectors.message("write"))
        let entry = AccessControl.AccessControlEntryStruct {
            $0.privilege = OpenEnum(.administer)
            $0.authMode = OpenEnum(.case)
            $0.subjects = .value([112_233])
            $0.fabricIndex = FabricIndex(1)
        }
        let list = try AttributeDataIB(AccessControl.acl, [entry], endpoint: .root)
        #expect(
            try WriteClient([list]).request.octets == InteractionVectors.message("writeACL"))
    }

    @Test("each path has its status, and the first failure throws when it is asked for")
    func statuses() throws {
        var client = try WriteClient(try writes())
        let payload = InteractionVectors.message("writeStatus")
        guard case .done(let statuses) = try client.receive(.writeResponse, octets: payload) else {
            Issue.record("not done")
            return
        }
        #expect(statuses.map(\.path) == (try writes()).map(\.path))
        try statuses.check()
        var failed = statuses
        failed[1].status = StatusIB(.constraintError)
        #expect(throws: InteractionError.status(.constraintError, clusterStatus: nil)) {
            try failed.check()
        }
        #expect(throws: InteractionError.unexpectedOpcode(.writeResponse)) {
            try client.receive(.writeResponse, octets: payload)
        }
    }

    @Test("§8.7 a timed write says so and waits for its turn")
    func timed() throws {
        var client = try WriteClient(try writes(), timeoutMilliseconds: 1_000)
        #expect(client.request.opcode == .timedRequest)
        let success = try StatusResponse().encoded()
        guard case .send(let action) = try client.receive(.statusResponse, octets: success) else {
            Issue.record("nothing to send")
            return
        }
        #expect(try WriteRequest(octets: action.octets).timedRequest)
    }

    @Test("a status for the whole, an empty answer and a truncated one throw")
    func faults() throws {
        var client = try WriteClient(try writes())
        let mismatch = try StatusResponse { $0.status = .dataVersionMismatch }.encoded()
        #expect(throws: InteractionError.status(.dataVersionMismatch, clusterStatus: nil)) {
            try client.receive(.statusResponse, octets: mismatch)
        }
        let empty = try WriteResponse().encoded()
        #expect(throws: InteractionError.missingResponse) {
            try client.receive(.writeResponse, octets: empty)
        }
        let payload = InteractionVectors.message("writeStatus")
        for count in 0..<payload.count {
            client = try WriteClient(try writes())
            #expect(throws: InteractionError.self) {
                try client.receive(.writeResponse, octets: Array(payload.prefix(count)))
            }
        }
    }

    @Test("a value that is no list, or an item of one, that no message holds is refused")
    func tooLarge() throws {
        let text = String(repeating: "x", count: Limits.interactionPayload - 20)
        let long = try AttributeDataIB(BasicInformation.nodeLabel, text, endpoint: .root)
        #expect(throws: InteractionError.tooLarge) { try WriteClient([long]) }
        var list = long
        list.data = try EncodedElement([text, text])
        #expect(throws: InteractionError.tooLarge) { try WriteClient([list]) }
        let short = String(repeating: "x", count: 700)
        list.data = try EncodedElement([String](repeating: short, count: 11))
        #expect(try messages([list]).count == 11)
        #expect(throws: InteractionError.tooLarge) {
            try AttributeDataIB(
                AccessControl.acl, Array(repeating: Self.entry(1), count: 900), endpoint: .root)
        }
    }

    private static func entry(_ subject: UInt64) -> AccessControl.AccessControlEntryStruct {
        AccessControl.AccessControlEntryStruct {
            $0.privilege = OpenEnum(.administer)
            $0.authMode = OpenEnum(.case)
            $0.subjects = .value((0..<6).map { subject &+ $0 << 40 })
        }
    }

    /// All messages of a write whose parts are all accepted.
    private func messages(_ writes: [AttributeDataIB]) throws -> [WriteRequest] {
        var client = try WriteClient(writes)
        var message = client.request
        var requests: [WriteRequest] = []
        while true {
            let request = try WriteRequest(octets: message.octets)
            #expect(message.octets.count <= Limits.interactionPayload)
            requests.append(request)
            let answer = try WriteResponse {
                $0.writeResponses = request.writeRequests.map { data in
                    AttributeStatusIB { $0.path = data.path }
                }
            }.encoded()
            switch try client.receive(.writeResponse, octets: answer) {
            case .send(let next): message = next
            case .done(let statuses):
                #expect(statuses.count == requests.reduce(0) { $0 + $1.writeRequests.count })
                return requests
            }
        }
    }

    @Test("§10.6.4.3.1 a long list goes as its beginning and then item by item, in its order")
    func longList() throws {
        let entries = (1...60).map { Self.entry($0) }
        var list = try AttributeDataIB(AccessControl.acl, entries, endpoint: .root)
        list.dataVersion = 7
        let label = try AttributeDataIB(BasicInformation.nodeLabel, "hall", endpoint: .root)
        let requests = try messages([list, label])
        #expect(requests.count > 2)
        #expect(
            requests.map(\.moreChunkedMessages) == requests.indices.map { $0 < requests.count - 1 })
        let parts = requests.flatMap(\.writeRequests)
        let beginning: [AccessControl.AccessControlEntryStruct] = try parts[0].data.decoded()
        #expect(beginning.first == entries[0] && parts[0].path.listIndex == nil)
        #expect(parts[0].dataVersion == 7)
        let items = parts.dropFirst().dropLast()
        #expect(items.allSatisfy { $0.path.listIndex == .null && $0.dataVersion == nil })
        let rest: [AccessControl.AccessControlEntryStruct] = try items.map { try $0.data.decoded() }
        #expect(beginning + rest == entries)
        #expect(parts.last == label)
    }

    @Test("what was refused ends the write: nothing is put behind a list that was not replaced")
    func refusedPart() throws {
        let list = try AttributeDataIB(
            AccessControl.acl, (1...60).map { Self.entry($0) }, endpoint: .root)
        var client = try WriteClient([list])
        let refused = try WriteResponse {
            $0.writeResponses = [
                AttributeStatusIB {
                    $0.path = list.path
                    $0.status = StatusIB(.resourceExhausted)
                }
            ]
        }.encoded()
        guard case .done(let statuses) = try client.receive(.writeResponse, octets: refused)
        else {
            Issue.record("it goes on")
            return
        }
        #expect(throws: InteractionError.status(.resourceExhausted, clusterStatus: nil)) {
            try statuses.check()
        }
    }
}

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

    @Test("what does not fit one message is refused")
    func tooLarge() throws {
        let long = try AttributeDataIB(
            BasicInformation.nodeLabel, String(repeating: "x", count: 700), endpoint: .root)
        #expect(throws: InteractionError.tooLarge) { try WriteClient([long, long]) }
    }
}

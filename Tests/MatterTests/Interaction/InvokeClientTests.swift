import Base
import Matter
import TestVectors
import Testing

@Suite("InvokeClient")
struct InvokeClientTests {
    private func client(timeout: UInt16? = nil) throws -> InvokeClient {
        try InvokeClient(OnOff.On(), endpoint: EndpointID(1), timeoutMilliseconds: timeout)
    }

    private func answer(_ set: (inout InvokeResponseIB) -> Void) throws -> [UInt8] {
        try InvokeResponse { $0.invokeResponses = [InvokeResponseIB(set)] }.encoded()
    }

    @Test("§8.8.2 commands are what the CHIP controller writes")
    func requests() throws {
        let on = try client()
        #expect(on.request.opcode == .invokeRequest)
        #expect(on.request.octets == InteractionVectors.message("on"))
        let sent = InteractionVectors.message("armFailSafe")
        let request = try InvokeRequest<GeneralCommissioning.ArmFailSafe>(octets: sent)
        let command = try #require(request.invokeRequests.first?.commandFields)
        #expect(command.expiryLengthSeconds == 10 || command.expiryLengthSeconds == 60)
        let ours = try InvokeClient(command, endpoint: .root)
        #expect(ours.request.octets == sent)
    }

    @Test("a status is the whole answer of a command without response")
    func status() throws {
        var client = try client()
        let step = try client.receive(
            .invokeResponse, octets: InteractionVectors.message("onStatus"))
        #expect(step == .done(.success))
        guard case .done(let result) = step else { return }
        _ = try result.response(to: OnOff.On.self)
        #expect(throws: InteractionError.missingResponse) {
            try result.response(to: GeneralCommissioning.ArmFailSafe.self)
        }
    }

    @Test("a response is read as the command's own type")
    func response() throws {
        var client = try InvokeClient(GeneralCommissioning.ArmFailSafe(), endpoint: .root)
        let step = try client.receive(
            .invokeResponse, octets: InteractionVectors.message("armFailSafeResponse"))
        guard case .done(let result) = step else {
            Issue.record("not done")
            return
        }
        let response = try result.response(to: GeneralCommissioning.ArmFailSafe.self)
        #expect(response.errorCode == .ok)
        #expect(response.debugText == "")
        #expect(throws: InteractionError.missingResponse) {
            try result.response(to: OnOff.On.self)
        }
        #expect(throws: InteractionError.missingResponse) {
            try result.response(to: GeneralCommissioning.CommissioningComplete.self)
        }
    }

    @Test("a refusal throws with the cluster's own status")
    func refusal() throws {
        var client = try InvokeClient(OnOff.Toggle(), endpoint: EndpointID(1))
        let payload = InteractionVectors.message("toggleStatus")
        #expect(throws: InteractionError.status(.unsupportedCommand, clusterStatus: nil)) {
            try client.receive(.invokeResponse, octets: payload)
        }
        client = try InvokeClient(
            AdministratorCommissioning.RevokeCommissioning(), endpoint: .root,
            timeoutMilliseconds: 500)
        _ = try client.receive(.statusResponse, octets: try StatusResponse().encoded())
        let closed = try answer {
            $0.status = CommandStatusIB {
                $0.commandPath = CommandPath(
                    endpoint: .root, cluster: AdministratorCommissioning.id, command: CommandID(2))
                $0.status = StatusIB(.failure, clusterStatus: 4)
            }
        }
        #expect(throws: InteractionError.status(.failure, clusterStatus: 4)) {
            try client.receive(.invokeResponse, octets: closed)
        }
    }

    @Test("§8.7 a timed command waits for the peer to accept its timed request")
    func timed() throws {
        var client = try InvokeClient(
            AdministratorCommissioning.OpenBasicCommissioningWindow {
                $0.commissioningTimeout = 180
            }, endpoint: .root)
        #expect(client.request.opcode == .timedRequest)
        #expect(client.request.octets == InteractionVectors.message("timed"))
        let success = try StatusResponse().encoded()
        guard case .send(let action) = try client.receive(.statusResponse, octets: success) else {
            Issue.record("nothing to send")
            return
        }
        #expect(action.opcode == .invokeRequest)
        #expect(
            action.hex == "152800290136021537002400" + "0024013c240201183501"
                + "2400b418" + "181824ff0c18")
        #expect(throws: InteractionError.unexpectedOpcode(.statusResponse)) {
            try client.receive(.statusResponse, octets: success)
        }
    }

    @Test("§8.7 a refused timed request, or an answer before it, ends the command")
    func timedRefused() throws {
        var client = try client(timeout: 100)
        let busy = try StatusResponse { $0.status = .busy }.encoded()
        #expect(throws: InteractionError.status(.busy, clusterStatus: nil)) {
            try client.receive(.statusResponse, octets: busy)
        }
        #expect(throws: InteractionError.unexpectedOpcode(.invokeResponse)) {
            try client.receive(.invokeResponse, octets: InteractionVectors.message("onStatus"))
        }
    }

    @Test("answers that are empty, about something else or cut off throw")
    func faults() throws {
        let none = try InvokeResponse().encoded()
        var client = try client()
        #expect(throws: InteractionError.missingResponse) {
            try client.receive(.invokeResponse, octets: none)
        }
        let other = CommandPath(
            endpoint: EndpointID(2), cluster: OnOff.id, command: CommandID(1))
        let elsewhere = try answer {
            $0.status = CommandStatusIB { $0.commandPath = other }
        }
        client = try self.client()
        #expect(throws: InteractionError.unexpectedPath(other)) {
            try client.receive(.invokeResponse, octets: elsewhere)
        }
        let payload = InteractionVectors.message("armFailSafeResponse")
        for count in 0..<payload.count {
            client = try self.client()
            #expect(throws: InteractionError.self) {
                try client.receive(.invokeResponse, octets: Array(payload.prefix(count)))
            }
        }
    }

    @Test("a command longer than one message is refused before it is sent")
    func tooLarge() {
        let command = OperationalCredentials.AddTrustedRootCertificate {
            $0.rootCACertificate = Octets([UInt8](repeating: 0, count: Limits.interactionPayload))
        }
        #expect(throws: InteractionError.tooLarge) {
            try InvokeClient(command, endpoint: .root)
        }
    }
}

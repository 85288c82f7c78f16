import Base
import Matter
import Testing

@Suite("InvokeBatch")
struct InvokeBatchTests {
    private let commands: [CommandToInvoke]

    init() throws {
        commands = try (1...3).map { number in
            try CommandToInvoke(OnOff.On(), endpoint: EndpointID(number))
        }
    }

    private func status(
        _ endpoint: UInt16, _ reference: UInt16?, _ status: InteractionStatus = .success
    ) -> InvokeResponseIB {
        InvokeResponseIB {
            $0.status = CommandStatusIB {
                $0.commandPath = CommandPath(
                    endpoint: EndpointID(endpoint), cluster: OnOff.id, command: CommandID(1))
                $0.status = StatusIB(status)
                $0.commandRef = reference
            }
        }
    }

    private func message(_ answers: [InvokeResponseIB], more: Bool = false) throws -> [UInt8] {
        try InvokeResponse {
            $0.invokeResponses = answers
            $0.moreChunkedMessages = more ? true : nil
        }.encoded()
    }

    private func receive(
        _ batch: inout InvokeBatch, _ octets: [UInt8]
    ) throws(InteractionError) -> InvokeBatchStep {
        try batch.receive(.invokeResponse, octets.span)
    }

    @Test("§8.8.2 commands of one message have references; one alone has none")
    func request() throws {
        let batch = try InvokeBatch(commands)
        let sent = try InvokeRequest<EncodedElement>(octets: batch.request.octets)
        #expect(sent.invokeRequests.map(\.commandRef) == [0, 1, 2])
        #expect(sent.invokeRequests.map(\.commandPath) == commands.map(\.path))
        #expect(!sent.timedRequest)
        let single = try InvokeBatch([commands[0]])
        #expect(
            single.request.octets
                == (try InvokeClient(OnOff.On(), endpoint: EndpointID(1))).request.octets)
    }

    @Test("answers are matched in any order and over several messages")
    func anyOrder() throws {
        var batch = try InvokeBatch(commands)
        guard
            case .send(let next) = try receive(
                &batch, message([status(3, 2, .busy)], more: true))
        else {
            Issue.record("it is done too soon")
            return
        }
        #expect(next.opcode == .statusResponse)
        guard case .done(let outcomes) = try receive(&batch, message([status(1, 0)])) else {
            Issue.record("it goes on")
            return
        }
        #expect(
            outcomes == [
                .success(.success), .failure(.missingResponse),
                .failure(.status(.busy, clusterStatus: nil)),
            ])
        #expect(throws: InteractionError.unexpectedOpcode(.invokeResponse)) {
            try receive(&batch, message([status(2, 1)]))
        }
    }

    @Test("without references answers are matched by their paths")
    func byPath() throws {
        var batch = try InvokeBatch(commands)
        let step = try receive(
            &batch, message([status(2, nil), status(1, nil, .failure), status(3, nil)]))
        guard case .done(let outcomes) = step else {
            Issue.record("it goes on")
            return
        }
        #expect(
            outcomes == [
                .failure(.status(.failure, clusterStatus: nil)), .success(.success),
                .success(.success),
            ])
    }

    @Test("an answer with a foreign reference or path, or a second one, ends the batch")
    func unexpected() throws {
        for answers in [
            [status(1, 1)], [status(1, 7)], [status(4, nil)], [status(1, 0), status(1, 0)],
            [status(1, nil), status(1, 0)],
        ] {
            var batch = try InvokeBatch(commands)
            #expect(throws: InteractionError.self, "\(answers)") {
                try receive(&batch, message(answers))
            }
        }
        // Messages without end, and without answers.
        var batch = try InvokeBatch(commands)
        for _ in 0..<4 { _ = try receive(&batch, message([], more: true)) }
        #expect(throws: InteractionError.tooMuch) {
            try receive(&batch, message([], more: true))
        }
    }

    @Test("§8.8.2 messages have as many commands as the peer takes, each path once, timed apart")
    func split() throws {
        #expect(InvokeBatch.split(commands, maxPaths: 1) == [[0], [1], [2]])
        #expect(InvokeBatch.split(commands, maxPaths: 2) == [[0, 1], [2]])
        #expect(InvokeBatch.split(commands, maxPaths: 0) == [[0], [1], [2]])
        #expect(InvokeBatch.split(commands + commands, maxPaths: 9) == [[0, 1, 2], [3, 4, 5]])
        let timed = try CommandToInvoke(
            AdministratorCommissioning.RevokeCommissioning(), endpoint: .root)
        #expect(
            InvokeBatch.split([commands[0], timed, commands[1]], maxPaths: 9) == [[0], [1], [2]])
        let long = try (0..<40).map { number in
            try CommandToInvoke(OnOff.On(), endpoint: EndpointID(number))
        }
        let batches = InvokeBatch.split(long, maxPaths: 100)
        #expect(batches.flatMap { $0 } == Array(0..<40) && batches.count == 2)
        for batch in batches { _ = try InvokeBatch(batch.map { long[$0] }) }
        // Long fields: messages end where a datagram does.
        let certificate = OperationalCredentials.AddTrustedRootCertificate {
            $0.rootCACertificate = Octets([UInt8](repeating: 0, count: 400))
        }
        let wide = try (0..<5).map { number in
            try CommandToInvoke(certificate, endpoint: EndpointID(number))
        }
        let parts = InvokeBatch.split(wide, maxPaths: 9)
        #expect(parts == [[0, 1], [2, 3], [4]])
        for part in parts { _ = try InvokeBatch(part.map { wide[$0] }) }
    }
}

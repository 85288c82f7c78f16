import Base
import Testing

@testable import Matter

@Suite("InteractionServer: commands")
struct ServerInvokesTests {
    private let light = ServerBench.light

    private func data(
        _ path: CommandPath, _ reference: UInt16? = nil
    ) -> CommandDataIB<EncodedElement> {
        CommandDataIB {
            $0.commandPath = path
            $0.commandFields = .emptyStructure
            $0.commandRef = reference
        }
    }

    private func request(_ commands: [CommandDataIB<EncodedElement>]) throws -> [UInt8] {
        try InvokeRequest { $0.invokeRequests = commands }.encoded()
    }

    private var toggle: CommandPath {
        CommandPath(endpoint: light, cluster: OnOff.id, command: OnOff.Toggle.id)
    }

    @Test("§8.8.3 a command reaches the owner with its fields, and the answer its invoker")
    func invokes() throws {
        let bench = ServerBench()
        bench.onInvoke = { invocation in
            guard invocation.cluster == OperationalCredentials.id else { return .success }
            return .response(
                OperationalCredentials.NOCResponse { $0.fabricIndex = FabricIndex(2) })
        }
        #expect(try bench.invoke(OnOff.On(), on: light) == .success)
        let remove = OperationalCredentials.RemoveFabric { $0.fabricIndex = FabricIndex(2) }
        let result = try bench.invoke(remove)
        let response = try result.response(to: OperationalCredentials.RemoveFabric.self)
        #expect(response.fabricIndex == FabricIndex(2))
        #expect(bench.invocations[1].accessor == .administrator)
        #expect(
            try bench.invocations[1].fields(of: OperationalCredentials.RemoveFabric.self)
                == remove)
        #expect(throws: InteractionError.status(.invalidCommand, clusterStatus: nil)) {
            try bench.invocations[0].fields(of: OperationalCredentials.RemoveFabric.self)
        }
        bench.onInvoke = { _ in .status(.failure, cluster: 4) }
        #expect(throws: InteractionError.status(.failure, clusterStatus: 4)) {
            try bench.invoke(OnOff.On(), on: light)
        }
    }

    @Test("§8.8.3 what may not be invoked is refused before the owner is asked")
    func refusals() throws {
        let bench = ServerBench()
        func expect(
            _ status: InteractionStatus, _ command: some Command, on endpoint: EndpointID,
            from accessor: Accessor = .administrator
        ) {
            #expect(throws: InteractionError.status(status, clusterStatus: nil)) {
                try bench.invoke(command, on: endpoint, from: accessor)
            }
        }
        expect(.unsupportedEndpoint, OnOff.On(), on: EndpointID(4))
        expect(.unsupportedCluster, OnOff.On(), on: .root)
        let effect = OnOff.OffWithEffect()
        expect(.unsupportedCommand, effect, on: light)
        expect(.unsupportedAccess, OnOff.On(), on: light, from: .viewer)
        expect(.unsupportedAccess, OnOff.On(), on: EndpointID(4), from: .stranger)
        // Identify wants the privilege to manage.
        expect(.unsupportedAccess, Identify.IdentifyDevice(), on: light, from: .anOperator)
        let label = OperationalCredentials.UpdateFabricLabel()
        expect(.unsupportedAccess, label, on: .root, from: .commissioner)
        #expect(bench.invocations.isEmpty)
        #expect(try bench.invoke(OnOff.On(), on: light, from: .anOperator) == .success)
        #expect(try bench.invoke(Identify.IdentifyDevice(), on: light) == .success)
        #expect(
            try bench.invoke(OperationalCredentials.CSRRequest(), from: .commissioner)
                == .success)
    }

    @Test("§8.7.2 a command that must be timed is not carried out untimed")
    func timed() throws {
        let bench = ServerBench()
        let revoke = AdministratorCommissioning.RevokeCommissioning()
        #expect(try bench.invoke(revoke) == .success)
        #expect(bench.invocations.map(\.isTimed) == [true])
        let path = CommandPath(
            endpoint: .root, cluster: AdministratorCommissioning.id,
            command: AdministratorCommissioning.RevokeCommissioning.id)
        var client = try InvokeClient(
            path: path, fields: EncodedElement.emptyStructure, timeoutMilliseconds: nil)
        let answer = try #require(
            bench.send(client.request, on: bench.open(), isNew: true).first)
        #expect(
            throws: InteractionError.status(.needsTimedInteraction, clusterStatus: nil)
        ) {
            try client.receive(answer.opcode, octets: answer.octets)
        }
        let claimed = InvokeRequest<EncodedElement> {
            $0.timedRequest = true
            $0.invokeRequests = [data(path)]
        }
        #expect(
            try bench.refusal(.invokeRequest, claimed.encoded()) == .timedRequestMismatch)
        #expect(bench.invocations.count == 1)
    }

    @Test("§8.8.3 several commands are told apart, and answered together in any order")
    func several() throws {
        var settings = InteractionServer.Settings()
        settings.pathsPerInvoke = 3
        let bench = ServerBench(settings)
        bench.onInvoke = { _ in nil }
        let off = CommandPath(endpoint: light, cluster: OnOff.id, command: OnOff.Off.id)
        let unknown = CommandPath(endpoint: light, cluster: OnOff.id, command: CommandID(9))
        let octets = try request([data(toggle, 5), data(unknown, 6), data(off, 7)])
        let exchange = bench.open()
        #expect(bench.send(.invokeRequest, octets, on: exchange, isNew: true).isEmpty)
        #expect(bench.invocations.map(\.command) == [toggle.command, off.command])
        bench.server.answer(bench.invocations[1].id, .status(.busy), at: bench.now)
        bench.drain()
        #expect(bench.take(exchange).isEmpty)
        bench.server.answer(bench.invocations[0].id, .success, at: bench.now)
        bench.drain()
        let answer = try #require(bench.take(exchange).first)
        let statuses = try InvokeResponse(octets: answer.octets).invokeResponses
            .compactMap(\.status)
        #expect(statuses.map(\.commandRef) == [5, 6, 7])
        #expect(statuses.map(\.status.status) == [.success, .unsupportedCommand, .busy])
        for wrong in [
            [], [data(toggle), data(off, 1)], [data(toggle, 1), data(off, 1)],
            [data(toggle, 1), data(toggle, 2)],
            [
                data(CommandPath(endpoint: nil, cluster: OnOff.id, command: OnOff.Off.id), 1),
                data(off, 2),
            ],
            (0..<4).map { data(off, $0) },
        ] {
            #expect(try bench.refusal(.invokeRequest, request(wrong)) == .invalidAction)
        }
    }

    @Test("answers that no message holds together go in several, and one that none holds in none")
    func chunks() throws {
        for octets in [Limits.smallestServerMessage, 120, 400, Limits.interactionPayload] {
            var settings = InteractionServer.Settings()
            settings.pathsPerInvoke = 3
            settings.messageOctets = octets
            let bench = ServerBench(settings)
            bench.onInvoke = { invocation in
                .response(
                    OperationalCredentials.CSRResponse {
                        let count = invocation.endpoint == .root ? 50 : 300
                        $0.nocsrElements = Octets([UInt8](repeating: 7, count: count))
                    })
            }
            let paths = [light, .root].map {
                CommandPath(
                    endpoint: $0, cluster: OperationalCredentials.id,
                    command: OperationalCredentials.CSRRequest.id)
            }
            bench.server.attributes.add(
                OperationalCredentials.self, on: light, revision: 1,
                commands: [OperationalCredentials.CSRRequest.id])
            let exchange = bench.open()
            var answers = bench.send(
                .invokeRequest, try request([data(paths[0], 1), data(paths[1], 2)]), on: exchange,
                isNew: true)
            var all: [InvokeResponseIB] = []
            while let answer = answers.first {
                let response = try InvokeResponse(octets: answer.octets)
                all += response.invokeResponses
                if response.moreChunkedMessages != true { break }
                answers = bench.send(.success, on: exchange)
            }
            #expect(bench.over.contains(exchange))
            let references = all.map { $0.command?.commandRef ?? $0.status?.commandRef }
            #expect(references == [1, 2])
            let isWhole = [octets >= 430, octets >= 180]
            #expect(zip(all, isWhole).allSatisfy { ($0.command != nil) == $1 })
            #expect(
                all.allSatisfy {
                    ($0.status?.status.status ?? .resourceExhausted) == .resourceExhausted
                })
        }
    }

    @Test("a command without an endpoint goes to all that carry it out")
    func everywhere() throws {
        let bench = ServerBench()
        bench.server.attributes.add(
            OnOff.self, on: EndpointID(2), revision: 6, commands: [OnOff.Toggle.id])
        bench.server.attributes.add(OnOff.self, on: EndpointID(3), revision: 6)
        let path = CommandPath(endpoint: nil, cluster: OnOff.id, command: OnOff.Toggle.id)
        let answers = bench.send(
            .invokeRequest, try request([data(path)]), on: bench.open(), isNew: true)
        let response = try InvokeResponse(octets: try #require(answers.first).octets)
        #expect(
            response.invokeResponses.map { $0.status?.commandPath.endpoint?.rawValue } == [1, 2])
        #expect(bench.invocations.map(\.endpoint.rawValue) == [1, 2])
        bench.send(
            .invokeRequest, try request([data(path)]), on: bench.open(), isNew: true,
            from: .anOperator)
        #expect(bench.invocations.map(\.endpoint.rawValue) == [1, 2, 1])
    }

    @Test("an invoker that wants no answer gets none, and one that is gone neither")
    func quiet() throws {
        let bench = ServerBench()
        let quiet = InvokeRequest<EncodedElement> {
            $0.suppressResponse = true
            $0.invokeRequests = [data(toggle)]
        }
        let exchange = bench.open()
        #expect(
            bench.send(.invokeRequest, try quiet.encoded(), on: exchange, isNew: true).isEmpty)
        #expect(bench.over.contains(exchange) && bench.invocations.count == 1)
        bench.onInvoke = { _ in nil }
        let gone = bench.open()
        bench.send(.invokeRequest, try request([data(toggle)]), on: gone, isNew: true)
        bench.server.ended(Accessor.administrator.session)
        bench.server.answer(bench.invocations[1].id, .success, at: bench.now)
        bench.drain()
        #expect(bench.take(gone).isEmpty)
    }

    @Test("the command that removes its own fabric is still answered")
    func removesFabric() throws {
        let bench = ServerBench()
        bench.onInvoke = { [unowned bench] _ in
            bench.server.removed(fabric: FabricIndex(1))
            return .success
        }
        let remove = OperationalCredentials.RemoveFabric { $0.fabricIndex = FabricIndex(1) }
        #expect(try bench.invoke(remove) == .success)
    }

    @Test("fields that are no structure make the message invalid")
    func fields() throws {
        let bench = ServerBench()
        var command = data(toggle)
        command.commandFields = .emptyArray
        #expect(try bench.refusal(.invokeRequest, request([command])) == .invalidAction)
        command.commandFields = nil
        bench.send(.invokeRequest, try request([command]), on: bench.open(), isNew: true)
        #expect(bench.invocations.map(\.fields) == [.emptyStructure])
    }
}

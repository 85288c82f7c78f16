import Base
import Testing

@testable import Matter

@Suite("InteractionServer: what is malformed")
struct ServerMalformedTests {
    /// A message of every kind, by its sender's own code.
    private func messages() throws -> [InteractionMessage] {
        let label = try AttributeDataIB(BasicInformation.nodeLabel, "hall", endpoint: .root)
        let list = try AttributeDataIB(
            AccessControl.acl, ServerBench.accessEntries, endpoint: .root)
        var item = AttributePath(AccessControl.extension, endpoint: .root)
        item.listIndex = .null
        let data = try EncodedElement(AccessControl.AccessControlExtensionStruct())
        let append = AttributeDataIB(dataVersion: 3, path: item, data: data)
        let known = DataVersionFilterIB {
            $0.path = ClusterPath {
                $0.endpoint = ServerBench.light
                $0.cluster = OnOff.id
            }
        }
        let subscribe = SubscribeRequest {
            $0.maxIntervalCeilingSeconds = 60
            $0.attributeRequests = [AttributePath()]
            $0.eventRequests = [EventPath { $0.isUrgent = true }]
        }
        return [
            ReadClient(
                paths: [AttributePath(), AttributePath(OnOff.onOff, endpoint: nil)],
                events: [EventPath()], eventMin: 3, known: [known]
            ).request,
            try SubscribeClient(subscribe).request,
            try WriteClient([label, list, append]).request,
            try InvokeClient(OnOff.Toggle(), endpoint: ServerBench.light).request,
            try InvokeClient(OperationalCredentials.CSRRequest(), endpoint: .root).request,
            try InteractionMessage(
                .timedRequest, TimedRequest { $0.timeoutMilliseconds = 100 }),
            .success,
            try InteractionMessage(.reportData, ReportData { $0.subscriptionID = 3 }),
        ]
    }

    @Test("every message cut short is answered as invalid, or not at all")
    func truncated() throws {
        let bench = ServerBench()
        for message in try messages() {
            let octets = message.octets
            for count in 0..<octets.count {
                let answers = bench.send(
                    message.opcode, Array(octets[..<count]), on: bench.open(), isNew: true)
                if message.opcode == .statusResponse {
                    #expect(answers.isEmpty)
                } else {
                    #expect(
                        try answers.map { try StatusResponse(octets: $0.octets).status }
                            == [.invalidAction])
                }
            }
        }
        #expect(bench.invocations.isEmpty && bench.writes.isEmpty)
    }

    @Test("opcodes that nobody sends to a server are refused")
    func opcodes() throws {
        let bench = ServerBench()
        let octets = try StatusResponse().encoded()
        for opcode in [0x00, 0x04, 0x07, 0x09, 0x0B, 0xFF] as [UInt8] {
            let refusal = try bench.refusal(InteractionOpcode(rawValue: opcode), octets)
            #expect(refusal == .invalidAction)
        }
        let report = try ReportData { $0.subscriptionID = 3 }.encoded()
        #expect(try bench.refusal(.reportData, report) == .invalidSubscription)
        let exchange = bench.open()
        let answers = bench.send(.invokeRequest, octets, on: exchange, isNew: false)
        #expect(
            try answers.map { try StatusResponse(octets: $0.octets).status }
                == [.invalidAction])
        let stray = bench.open()
        #expect(bench.send(.success, on: stray).isEmpty && bench.over.contains(stray))
    }

    @Test("a message where the server waits for its owner ends the exchange")
    func outOfTurn() throws {
        let bench = ServerBench()
        bench.onInvoke = { _ in nil }
        bench.onWrite = { _ in nil }
        for message in try messages()[2...3] {
            let exchange = bench.open()
            #expect(bench.send(message, on: exchange, isNew: true).isEmpty)
            let answers = bench.send(message, on: exchange)
            #expect(
                try answers.map { try StatusResponse(octets: $0.octets).status }
                    == [.invalidAction])
        }
        bench.server.answer(bench.invocations[0].id, .success, at: bench.now)
        bench.server.answer(bench.writes[0].id, .success, at: bench.now)
        bench.drain()
        #expect(bench.said.isEmpty)
    }

    @Test("altered messages are answered, bounded and never trap", arguments: 0..<8)
    func altered(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let messages = try messages()
        var settings = InteractionServer.Settings()
        settings.pathsPerInvoke = 4
        settings.messageOctets = Int.random(
            in: Limits.smallestServerMessage...Limits.interactionPayload, using: &numbers)
        let bench = ServerBench(settings)
        let accessors: [Accessor] = [
            .administrator, .otherAdministrator, .anOperator, .viewer, .stranger, .commissioner,
        ]
        var open: [ExchangeHandle] = []
        for _ in 0..<2_000 {
            let message = try #require(messages.randomElement(using: &numbers))
            var octets = message.octets
            for _ in 0..<Int.random(in: 0...3, using: &numbers) {
                guard let place = octets.indices.randomElement(using: &numbers) else { break }
                switch Int.random(in: 0...3, using: &numbers) {
                case 0: octets[place] = UInt8.random(in: 0...255, using: &numbers)
                case 1: octets.remove(at: place)
                case 2: octets.insert(UInt8.random(in: 0...255, using: &numbers), at: place)
                default: octets[place] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
                }
            }
            let old = Bool.random(using: &numbers) ? open.randomElement(using: &numbers) : nil
            let exchange = old ?? bench.open()
            let isAlive = old.map { !bench.over.contains($0) } ?? true
            guard isAlive else { continue }
            let accessor = try #require(accessors.randomElement(using: &numbers))
            let answers = bench.send(
                message.opcode, octets, on: exchange, isNew: old == nil, from: accessor)
            #expect(answers.count + (bench.over.contains(exchange) ? 1 : 0) > 0)
            open.append(exchange)
            open += bench.asked.map(\.exchange)
            bench.asked = []
            if Int.random(in: 0...9, using: &numbers) == 0 {
                bench.server.attributes.set(
                    BasicInformation.location, "\(numbers.next() % 9)")
                bench.run(for: .seconds(Int64.random(in: 0...30, using: &numbers)))
            }
            #expect(bench.server.conversations.count <= Limits.serverExchanges + 15)
        }
        #expect(bench.invocations.count > 0 && bench.writes.count > 0)
    }
}

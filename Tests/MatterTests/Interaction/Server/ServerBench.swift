import Base
import Crypto
import Testing

@testable import Matter

/// A server and whoever asks it, joined in memory: what is said is taken at once, and every
/// message is looked at on its way.
final class ServerBench {
    // Optimised code of 6.3.1 does not end the access of an inlined `nextTransmit` to a class's
    // property on one of its ways out; got and set, it is accessed for a moment only.
    private var storage: InteractionServer
    var server: InteractionServer {
        get { storage }
        set { storage = newValue }
    }
    var now = Instant(nanoseconds: 1_000)
    /// What the owner answers; nil for later.
    var onInvoke: (CommandInvocation) -> InvocationAnswer? = { _ in .success }
    var onWrite: (AttributeWrite) -> InteractionStatus? = { _ in .success }
    private(set) var invocations: [CommandInvocation] = []
    private(set) var writes: [AttributeWrite] = []
    /// Messages by exchange that nobody took yet.
    private(set) var said: [ExchangeHandle: [InteractionMessage]] = [:]
    private(set) var over: Set<ExchangeHandle> = []
    /// Reports of subscriptions, in the order in which exchanges were opened for them.
    var asked: [(id: UInt32, exchange: ExchangeHandle, message: InteractionMessage)] = []
    /// Whether exchanges for reports can be opened.
    var canOpen = true
    private let messageOctets: Int
    private var exchanges: UInt32 = 0

    init(
        _ settings: InteractionServer.Settings = InteractionServer.Settings(),
        attributes: AttributeTable = ServerBench.lamp()
    ) {
        storage = InteractionServer(attributes: attributes, settings: settings, seed: 1)
        messageOctets = settings.messageOctets
        server.access.entries = server.attributes.get(AccessControl.acl) ?? []
    }

    convenience init(messageOctets: Int) {
        var settings = InteractionServer.Settings()
        settings.messageOctets = messageOctets
        self.init(settings)
    }

    func open() -> ExchangeHandle {
        exchanges += 1
        return ExchangeHandle(slot: Int(exchanges), generation: exchanges)
    }

    /// - Returns: what the server said on the exchange because of it.
    @discardableResult
    func send(
        _ opcode: InteractionOpcode, _ octets: [UInt8], on exchange: ExchangeHandle,
        isNew: Bool = false, from accessor: Accessor = .administrator
    ) -> [InteractionMessage] {
        server.receive(opcode, octets.span, on: exchange, isNew: isNew, from: accessor, at: now)
        drain()
        return said.removeValue(forKey: exchange) ?? []
    }

    @discardableResult
    func send(
        _ message: InteractionMessage, on exchange: ExchangeHandle, isNew: Bool = false,
        from accessor: Accessor = .administrator
    ) -> [InteractionMessage] {
        send(message.opcode, message.octets, on: exchange, isNew: isNew, from: accessor)
    }

    /// Sends the first message of an exchange; the only answer must be a status.
    func refusal(
        _ opcode: InteractionOpcode, _ octets: [UInt8], from accessor: Accessor = .administrator
    ) throws -> InteractionStatus {
        let answers = send(opcode, octets, on: open(), isNew: true, from: accessor)
        let answer = try #require(answers.first)
        #expect(answers.count == 1 && answer.opcode == .statusResponse)
        return try StatusResponse(octets: answer.octets).status
    }

    func take(_ exchange: ExchangeHandle) -> [InteractionMessage] {
        said.removeValue(forKey: exchange) ?? []
    }

    func advance(by duration: Duration) {
        now = now + duration
        server.advance(to: now)
        drain()
    }

    /// Moves to each deadline until `end`, as a loop does.
    func run(for duration: Duration) {
        let end = now + duration
        for _ in 0..<10_000 {
            guard let deadline = server.nextDeadline, deadline <= end else { break }
            now = max(now, deadline)
            server.advance(to: now)
            drain()
        }
        now = end
        server.advance(to: now)
        drain()
    }

    func drain() {
        while true {
            if let transmit = server.nextTransmit() {
                take(transmit)
            } else if let event = server.nextEvent() {
                answer(event)
            } else {
                return
            }
        }
    }

    private func take(_ transmit: ServerTransmit) {
        switch transmit {
        case .say(let message, let exchange, let isLast):
            #expect(!over.contains(exchange), "nothing is said on an exchange that is over")
            #expect(message.payload.count <= messageOctets)
            said[exchange, default: []].append(message)
            if isLast { over.insert(exchange) }
        case .ask(let message, _, let id):
            #expect(message.payload.count <= messageOctets)
            guard canOpen else { return server.failed(id) }
            let exchange = open()
            server.opened(id, on: exchange, at: now)
            asked.append((id, exchange, message))
        case .close(let exchange):
            #expect(!over.contains(exchange))
            over.insert(exchange)
        }
    }

    private func answer(_ event: ServerEvent) {
        switch event {
        case .invoke(let invocation):
            invocations.append(invocation)
            if let answer = onInvoke(invocation) {
                server.answer(invocation.id, answer, at: now)
            }
        case .write(let write):
            writes.append(write)
            if let status = onWrite(write) { server.answer(write.id, status, at: now) }
        }
    }
}

// Whole interactions, by our own clients.
extension ServerBench {
    func read(
        _ paths: [AttributePath] = [], events: [EventPath] = [], eventMin: UInt64? = nil,
        known: [DataVersionFilterIB] = [], isFabricFiltered: Bool = true,
        from accessor: Accessor = .administrator
    ) throws -> ReadClient {
        var client = ReadClient(
            paths: paths, events: events, eventMin: eventMin, known: known,
            isFabricFiltered: isFabricFiltered)
        let exchange = open()
        var answers = send(client.request, on: exchange, isNew: true, from: accessor)
        while true {
            #expect(answers.count == 1)
            let answer = try #require(answers.first)
            switch try client.receive(answer.opcode, octets: answer.octets) {
            case .acknowledge(let message): answers = send(message, on: exchange, from: accessor)
            case .done(let message):
                #expect(message == nil && over.contains(exchange))
                return client
            }
        }
    }

    func read<Value>(
        _ attribute: Attribute<Value>, on endpoint: EndpointID = .root,
        isFabricFiltered: Bool = true, from accessor: Accessor = .administrator
    ) throws -> Value? {
        let path = AttributePath(attribute.path(endpoint))
        return try read([path], isFabricFiltered: isFabricFiltered, from: accessor)
            .reports.value(attribute, endpoint)
    }

    func status(
        of path: AttributePath, from accessor: Accessor = .administrator
    ) throws -> InteractionStatus? {
        guard
            case .status(let status, _) = try read([path], from: accessor).reports.all.first?.value
        else { return nil }
        return status
    }

    func write(
        _ writes: [AttributeDataIB], timeoutMilliseconds: UInt16? = nil,
        from accessor: Accessor = .administrator
    ) throws -> [InteractionStatus] {
        var client = try WriteClient(writes, timeoutMilliseconds: timeoutMilliseconds)
        let exchange = open()
        var answers = send(client.request, on: exchange, isNew: true, from: accessor)
        while true {
            let answer = try #require(answers.first)
            switch try client.receive(answer.opcode, octets: answer.octets) {
            case .send(let message): answers = send(message, on: exchange, from: accessor)
            case .done(let statuses):
                #expect(over.contains(exchange))
                return statuses.map(\.status.status)
            }
        }
    }

    func invoke<Invoked: Command>(
        _ command: Invoked, on endpoint: EndpointID = .root,
        from accessor: Accessor = .administrator
    ) throws -> InvokeResult {
        var client = try InvokeClient(command, endpoint: endpoint)
        let exchange = open()
        var answers = send(client.request, on: exchange, isNew: true, from: accessor)
        while true {
            let answer = try #require(answers.first)
            switch try client.receive(answer.opcode, octets: answer.octets) {
            case .send(let message): answers = send(message, on: exchange, from: accessor)
            case .done(let result):
                #expect(over.contains(exchange))
                return result
            }
        }
    }

    func subscribe(
        _ request: SubscribeRequest, from accessor: Accessor = .administrator
    ) throws -> (response: SubscribeResponse, reports: AttributeReports, events: EventReports) {
        var client = try SubscribeClient(request)
        var reports = AttributeReports()
        var events = EventReports()
        let exchange = open()
        var answers = send(client.request, on: exchange, isNew: true, from: accessor)
        while true {
            let answer = try #require(answers.first)
            switch try client.receive(answer.opcode, answer.payload.span) {
            case .report(_, let message):
                try gather(answer, &reports, &events)
                answers = send(try #require(message), on: exchange, from: accessor)
            case .subscribed(let response):
                #expect(over.contains(exchange))
                return (response, reports, events)
            }
        }
    }

    /// Takes the oldest report of a subscription whole, as its subscriber does.
    func takeReport() throws -> (id: UInt32, reports: AttributeReports, events: EventReports) {
        let (id, exchange, first) = try #require(asked.isEmpty ? nil : asked.removeFirst())
        var reports = AttributeReports()
        var events = EventReports()
        var message = first
        while true {
            let outline = try ReportOutline(message.payload.span)
            #expect(message.opcode == .reportData && outline.subscriptionID == id)
            try gather(message, &reports, &events)
            let answers = send(try #require(outline.answer), on: exchange)
            guard outline.hasMoreChunks else {
                #expect(answers.isEmpty && over.contains(exchange))
                return (id, reports, events)
            }
            message = try #require(answers.first)
        }
    }

    private func gather(
        _ message: InteractionMessage, _ reports: inout AttributeReports,
        _ events: inout EventReports
    ) throws {
        var reader = try ReportDataReader(message.payload.span)
        while let report = try reader.next() { try reports.add(report) }
        while let event = try reader.nextEvent() { try events.add(event) }
    }
}

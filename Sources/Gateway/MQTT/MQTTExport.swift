package import Base
package import Matter
package import MatterNode

/// What is said to the broker and when: a machine of events and time.
///
/// Live values are told as they are now, whatever was missed; history is forwarded in order and
/// without loss. Neither waits for the other, and nothing waits for the broker: what it does not
/// take is told later, as it is then.
package struct MQTTExport {
    package struct Settings: Equatable, Sendable {
        package var name: String
        package var discovers = true
        package var commands = MQTTConfiguration.Commands.none

        package init(name: String) { self.name = name }
    }

    /// What the owner does. After `publish` and `fetch` it says what came of it.
    package enum Action: Equatable, Sendable {
        case connect
        case disconnect
        case subscribe(String)
        case unsubscribe(String)
        case publish(BrokerMessage)
        /// To be answered by `receiveHistory`.
        case fetch(after: Int64, limit: Int)
    }

    package enum Event: Equatable, Sendable {
        case connected
        /// Told once for each failure in a row that differs from the one before.
        case failed(BrokerFailure)
        /// The history up to here is at the broker.
        case forwarded(Int64)
        case setting(NodeID, payload: [UInt8])
        case commissioning(payload: [UInt8])
    }

    package enum Connection: Equatable, Sendable {
        case waiting(until: Instant, after: BrokerFailure?)
        case connecting(since: Instant)
        case connected(since: Instant)
    }

    package let topics: MQTTTopics
    package private(set) var connection: Connection
    let settings: Settings
    private let random: (Duration) -> Duration
    private let date: (Instant) -> Int64?

    // Connection
    private var retry = MQTTLimits.retryFirst
    package private(set) var lastFailure: BrokerFailure?
    private var actions: [Action] = []
    private var events: [Event] = []
    private var flight = MQTTFlight()
    private var clearsUntil: Instant?

    // Live
    private var isStatusDue = false
    private var nodes = MQTTNodes()
    private var notes: [BrokerMessage] = []
    private var clearings: [String] = []

    // History
    private var history = MQTTHistory()
    /// Notes that were dropped, since the start.
    package private(set) var droppedNotes = 0

    /// - Parameters:
    ///   - random: a duration up to the given one, drawn anew.
    ///   - date: of an instant, in seconds since 1970; nil while the clock is not set.
    package init(
        _ settings: Settings, at now: Instant, random: @escaping (Duration) -> Duration,
        date: @escaping (Instant) -> Int64?
    ) {
        self.settings = settings
        self.random = random
        self.date = date
        topics = MQTTTopics(name: settings.name)
        connection = .waiting(until: now, after: nil)
    }

    // MARK: What is known

    /// All nodes that there are, as they are now. Topics of others are cleared.
    package mutating func use(_ states: [NodeState], at now: Instant) {
        let gone = nodes.use(states, at: now)
        for node in gone { clear(nodes.topics(of: node, topics)) }
        nodes.forget(gone)
    }

    /// One value, as its node told it.
    package mutating func receive(_ reading: Reading, of node: NodeID, at now: Instant) {
        nodes.receive(reading, of: node, at: now)
    }

    package mutating func receive(_ link: NodeState.Link, of node: NodeID, at now: Instant) {
        nodes.receive(link, of: node, at: now)
    }

    /// Something that is told once.
    package mutating func note(_ topic: String, _ document: JSONValue) {
        if notes.count >= MQTTLimits.notes {
            notes.removeFirst()
            droppedNotes += 1
        }
        notes.append(BrokerMessage(topic: topic, payload: Array(document.text.utf8)))
    }

    /// - Parameters:
    ///   - last: the latest reading of the history.
    ///   - forwarded: up to which it is at the broker; nil begins with what comes now.
    package mutating func useHistory(last: Int64, forwarded: Int64?) {
        history.use(last: last, forwarded: forwarded)
    }

    package mutating func historyGrew(to last: Int64, at now: Instant) {
        history.grew(to: last, at: now)
    }

    /// The answer to `fetch`.
    /// - Parameter rows: nil when the history cannot be read.
    package mutating func receiveHistory(_ rows: [HistoryRow]?, at now: Instant) {
        history.receive(rows, at: now)
        if let forwarded = history.takeSkipped() { events.append(.forwarded(forwarded)) }
    }

    // MARK: The broker

    package mutating func receive(_ event: BrokerEvent, at now: Instant) {
        switch event {
        case .connected: connected(at: now)
        case .ended(let failure): ended(failure, at: now)
        case .published(let id): published(id, at: now)
        case .received(let message): received(message, at: now)
        }
    }

    /// What came of the last `publish`: its id, or nil when it was not taken.
    package mutating func published(as id: UInt16?, at now: Instant) {
        guard let id else {
            flight.forgetLast()
            return lose(.lost, at: now)
        }
        flight.nameLast(id)
    }

    private mutating func connected(at now: Instant) {
        guard case .connecting = connection else { return }
        connection = .connected(since: now)
        lastFailure = nil
        events.append(.connected)
        flight = MQTTFlight()
        isStatusDue = true
        nodes.markAll(at: now)
        history.connected(at: now)
        if settings.commands != .none { actions.append(.subscribe(topics.anySetting)) }
        if settings.commands == .commission { actions.append(.subscribe(topics.commission)) }
        actions.append(.subscribe(topics.anyNode))
        clearsUntil = now + MQTTLimits.clearingTime
    }

    private mutating func ended(_ failure: BrokerFailure, at now: Instant) {
        if case .waiting = connection { return }
        if case .connected(let since) = connection, now - since >= MQTTLimits.settledAfter {
            retry = MQTTLimits.retryFirst
        }
        if lastFailure != failure {
            lastFailure = failure
            events.append(.failed(failure))
        }
        // Half of it by chance, so that a fleet does not come back in one moment.
        let wait = retry / 2 + random(retry / 2)
        connection = .waiting(until: now + wait, after: failure)
        retry = min(retry * 2, MQTTLimits.retryMost)
        actions = []
        clearsUntil = nil
        for message in flight.unacknowledged.reversed() {
            if message.isRetained { clear([message.topic]) } else { notes.insert(message, at: 0) }
        }
        flight = MQTTFlight()
        history.disconnected()
    }

    /// Our own end of a connection that is of no use.
    private mutating func lose(_ failure: BrokerFailure, at now: Instant) {
        ended(failure, at: now)
        actions.append(.disconnect)
    }

    private mutating func published(_ id: UInt16, at now: Instant) {
        guard let sent = flight.acknowledge(id) else { return }
        if sent == .history, let forwarded = history.acknowledged(at: now) {
            events.append(.forwarded(forwarded))
        }
    }

    private mutating func received(_ message: BrokerMessage, at now: Instant) {
        guard case .connected = connection, let received = topics.parse(message.topic) else {
            return
        }
        if message.isRetained {
            // An old command is none, and stays nobody's.
            if case .ofNode(let node) = received, !nodes.has(node), !message.payload.isEmpty {
                clear([message.topic, topics.discovery(node)])
            }
            return
        }
        guard (1...MQTTLimits.commandOctets).contains(message.payload.count),
            events.count < MQTTLimits.commands
        else { return }
        switch received {
        case .setting(let node) where settings.commands != .none && nodes.has(node):
            events.append(.setting(node, payload: message.payload))
        case .commission where settings.commands == .commission:
            events.append(.commissioning(payload: message.payload))
        case .setting, .commission, .ofNode: break
        }
    }

    private mutating func clear(_ topics: [String]) {
        for topic in topics
        where clearings.count < MQTTLimits.clearings && !clearings.contains(topic) {
            clearings.append(topic)
        }
    }

    // MARK: Time

    package mutating func advance(to now: Instant) {
        switch connection {
        case .waiting(let until, _) where until <= now:
            connection = .connecting(since: now)
            actions.append(.connect)
        case .waiting: break
        case .connecting(let since):
            if now - since >= MQTTLimits.attempt { lose(.timedOut, at: now) }
        case .connected:
            if let oldest = flight.oldest, now - oldest >= MQTTLimits.acknowledgement {
                return lose(.timedOut, at: now)
            }
            if let until = clearsUntil, until <= now {
                clearsUntil = nil
                actions.append(.unsubscribe(topics.anyNode))
            }
        }
    }

    package var nextDeadline: Instant? {
        switch connection {
        case .waiting(let until, _): return until
        case .connecting(let since): return since + MQTTLimits.attempt
        case .connected:
            var deadline = flight.oldest.map { $0 + MQTTLimits.acknowledgement }
            // What waits for an acknowledgement waits for no time.
            let live = flight.isFull ? nil : nodes.nextDeadline
            for other in [clearsUntil, live, history.nextDeadline] {
                if let other { deadline = min(deadline ?? other, other) }
            }
            return deadline
        }
    }

    package mutating func nextEvent() -> Event? { events.isEmpty ? nil : events.removeFirst() }

    /// What to do next; `publish` and `fetch` are to be answered before the next is taken.
    package mutating func nextAction(at now: Instant) -> Action? {
        if !actions.isEmpty { return actions.removeFirst() }
        guard case .connected = connection else { return nil }
        if !flight.isFull {
            if let message = nextOnce() {
                flight.add(.once(message), at: now)
                return .publish(message)
            }
            if let message = nextLive(at: now) {
                flight.add(.live, at: now)
                return .publish(message)
            }
        }
        guard !flight.hasHistory else { return nil }
        if let rows = history.nextBatch(at: now) {
            flight.add(.history, at: now)
            let document = MQTTPayloads.history(rows) { [nodes] row in
                .string(nodes.node(ofHistory: row.source.historyID).text)
            }
            return .publish(
                BrokerMessage(topic: topics.history, payload: Array(document.text.utf8)))
        }
        return history.nextFetch(at: now).map { .fetch(after: $0, limit: MQTTLimits.rows) }
    }

    private mutating func nextOnce() -> BrokerMessage? {
        if isStatusDue { return nil }
        if !clearings.isEmpty { return retained(clearings.removeFirst(), "") }
        return notes.isEmpty ? nil : notes.removeFirst()
    }

    private mutating func nextLive(at now: Instant) -> BrokerMessage? {
        if isStatusDue {
            isStatusDue = false
            return retained(topics.status, "online")
        }
        guard let next = nodes.next(at: now, discovers: settings.discovers) else { return nil }
        switch next {
        case .discovery(let state):
            let home = HomeAssistant(topics: topics, controls: settings.commands != .none)
            let text = home.configuration(of: state)?.text ?? ""
            return retained(topics.discovery(state.node.nodeID), text)
        case .availability(let state):
            let isOnline = if case .online = state.link { true } else { false }
            return retained(
                topics.availability(state.node.nodeID), isOnline ? "online" : "offline")
        case .value(let reading, let node):
            return retained(
                topics.value(reading.source, of: node), MQTTPayloads.value(reading).text)
        case .state(let state):
            return retained(
                topics.state(state.node.nodeID), MQTTPayloads.state(state, date: date).text)
        }
    }

    private func retained(_ topic: String, _ text: String) -> BrokerMessage {
        BrokerMessage(topic: topic, payload: Array(text.utf8), isRetained: true)
    }

    // MARK: For people

    /// Readings that the broker has not yet.
    package var waitingReadings: Int64 { history.waiting }

    /// What is said before an orderly end.
    package var farewell: BrokerMessage { retained(topics.status, "offline") }

    package var identity: BrokerIdentity {
        BrokerIdentity(
            clientID: "matter-gateway-\(settings.name)", willTopic: topics.status,
            willPayload: "offline")
    }
}

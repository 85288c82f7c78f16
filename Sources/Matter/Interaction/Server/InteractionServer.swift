package import Base

/// A node's side of the interaction model: answers reads, writes, commands and subscriptions
/// from a table of attributes, as far as the access rules let each accessor. Core §8.
///
/// It does not carry out commands nor judge values: its owner does, told by events, and answers
/// them then or later. Nor does it know of fabrics, keys or messages below the interaction model.
/// Groups are not served.
///
/// After every call the owner drains `nextTransmit` and `nextEvent` before the next one, and it
/// calls `advance` when `nextDeadline` comes, which a change of `attributes` can bring forward.
package struct InteractionServer: Sendable {
    package struct Settings: Sendable {
        /// Octets of a message of ours, from `Limits.smallestServerMessage` up to
        /// `Limits.interactionPayload`.
        package var messageOctets = Limits.interactionPayload
        /// Commands in one message; a node tells it in Basic Information.
        package var pathsPerInvoke = 1
        /// At least what every server must take.
        package var pathsPerRead = Limits.pathsPerRead
        package var pathsPerSubscription = Limits.pathsPerSubscription
        /// What every server must have for each fabric (Core §2.11.2.2).
        package var subscriptionsPerFabric = 3
        /// The longest time between two reports that the server promises, whatever the
        /// subscriber lets it take; it may choose below (Core §8.5.3.2).
        package var maxIntervalCeilingSeconds: UInt16 = 3600

        package init() {}
    }

    package var attributes: AttributeTable
    package var access = AccessRules()
    let settings: Settings
    var log: EventLog
    var conversations: [Conversation] = []
    var subscriptions: [ServerSubscription] = []
    private var numbers: SeededSequence
    private var lastID: UInt64 = 0
    private var transmits: [ServerTransmit] = []
    private var events: [ServerEvent] = []

    /// - Parameters:
    ///   - seed: drawn at random; data versions and the ids of subscriptions follow from it.
    ///   - nextEventNumber: above the numbers of the node's earlier starts.
    package init(
        attributes: AttributeTable, settings: Settings = Settings(), seed: UInt64,
        nextEventNumber: UInt64 = 0
    ) {
        precondition(
            (Limits.smallestServerMessage...Limits.interactionPayload)
                .contains(settings.messageOctets),
            "a message of ours holds a status and fits a datagram")
        self.settings = settings
        self.attributes = attributes
        log = EventLog(nextNumber: nextEventNumber)
        numbers = SeededSequence(seed: seed)
        self.attributes.drawVersions(&numbers)
    }

    /// To be kept, with a margin, for the next start.
    package var nextEventNumber: UInt64 { log.nextNumber }

    /// Those that stand, of all fabrics.
    package var subscriptionCount: Int { subscriptions.count }

    /// A message of the interaction model came.
    /// - Parameters:
    ///   - isNew: the peer opened the exchange with it.
    ///   - accessor: of the session that it came over, with the fabric that it has by now.
    package mutating func receive(
        _ opcode: InteractionOpcode, _ payload: Span<UInt8>, on exchange: ExchangeHandle,
        isNew: Bool, from accessor: Accessor, at now: Instant
    ) {
        do throws(ActionError) {
            if let conversation = takeConversation(exchange) {
                do throws(ActionError) {
                    try proceed(conversation, opcode, payload, at: now)
                } catch {
                    drop(conversation)
                    throw error
                }
            } else if isNew {
                let conversation = Conversation(exchange: exchange, accessor: accessor)
                try begin(conversation, opcode, payload, at: now)
            } else {
                throw opcode == .statusResponse ? .over : .refused(.invalidAction)
            }
        } catch {
            switch error {
            case .answered(let message): say(message, on: exchange, isLast: true)
            case .refused(let status): refuse(exchange, status)
            case .over: transmits.append(.close(exchange))
            }
        }
    }

    /// The peer did not acknowledge what was said on this exchange, or it is gone.
    package mutating func lost(_ exchange: ExchangeHandle) {
        if let conversation = takeConversation(exchange) { drop(conversation) }
    }

    /// A session is over, and with it all that went on in it; its exchanges need no closing.
    package mutating func ended(_ session: SessionHandle) {
        conversations.removeAll { $0.accessor.session == session }
        subscriptions.removeAll { $0.accessor.session == session }
    }

    /// A fabric is gone, and with it its subscriptions and events. A command that waits for its
    /// answer, which may be the one that removed the fabric, can still be answered.
    package mutating func removed(fabric: FabricIndex) {
        log.remove(fabric: fabric)
        subscriptions.removeAll { $0.accessor.fabricIndex == fabric }
        for conversation in conversations where conversation.accessor.fabricIndex == fabric {
            if case .invoking = conversation.state { continue }
            close(conversation.exchange)
        }
    }

    /// Time passed: what a peer left us waiting for ends, and reports that are due go out.
    package mutating func advance(to now: Instant) {
        for conversation in conversations where (conversation.deadline ?? .distantFuture) <= now {
            close(conversation.exchange)
        }
        reportWhatIsDue(at: now)
    }

    package var nextDeadline: Instant? {
        let deadlines = conversations.compactMap(\.deadline) + subscriptions.compactMap(due)
        return deadlines.min()
    }

    package mutating func nextTransmit() -> ServerTransmit? {
        transmits.isEmpty ? nil : transmits.removeFirst()
    }

    package mutating func nextEvent() -> ServerEvent? {
        events.isEmpty ? nil : events.removeFirst()
    }
}

/// Why an action ends here.
enum ActionError: Error, Equatable {
    case answered(InteractionMessage)
    /// It is answered with this status as a whole.
    case refused(InteractionStatus)
    /// There is nothing to say.
    case over
}

/// An exchange that is open, and what comes next in it.
struct Conversation: Sendable {
    enum State: Sendable {
        case new
        /// The action that was announced comes next, in time.
        case timed(until: Instant)
        /// The rest of a report to a read; the peer's status comes next, as below.
        case reading(PendingReport)
        /// The rest of the first report of a subscription.
        case priming(ServerSubscription, PendingReport)
        /// The rest of a later report.
        case reporting(PendingReport)
        /// The owner answers, or the next message of the write comes.
        case writing(PendingWrite)
        /// The owner answers.
        case invoking(PendingInvoke)
        /// The rest of the answers to commands.
        case responding(ArraySlice<InvokeResponseIB>)
    }

    let exchange: ExchangeHandle
    let accessor: Accessor
    var state = State.new
    /// When we no longer wait for the peer.
    var deadline: Instant?
}

extension InteractionServer {
    private mutating func begin(
        _ conversation: Conversation, _ opcode: InteractionOpcode, _ payload: Span<UInt8>,
        at now: Instant
    ) throws(ActionError) {
        guard conversations.count < Limits.serverExchanges else { throw .refused(.busy) }
        switch opcode {
        case .readRequest: try read(conversation, payload, at: now)
        case .subscribeRequest: try subscribe(conversation, payload, at: now)
        case .writeRequest: try write(conversation, payload, isTimed: false, at: now)
        case .invokeRequest: try invoke(conversation, payload, isTimed: false, at: now)
        case .timedRequest: try announce(conversation, payload, at: now)
        case .statusResponse: throw .over
        case .reportData:
            guard let refusal = Subscription.refusal(of: payload) else { throw .over }
            throw .answered(refusal)
        default: throw .refused(.invalidAction)
        }
    }

    private mutating func proceed(
        _ conversation: Conversation, _ opcode: InteractionOpcode, _ payload: Span<UInt8>,
        at now: Instant
    ) throws(ActionError) {
        switch (conversation.state, opcode) {
        case (.timed(let end), .writeRequest), (.timed(let end), .invokeRequest):
            guard now <= end else { throw .refused(.timeout) }
            if opcode == .writeRequest {
                try write(conversation, payload, isTimed: true, at: now)
            } else {
                try invoke(conversation, payload, isTimed: true, at: now)
            }
        case (.writing(let previous), .writeRequest):
            try write(conversation, payload, after: previous, at: now)
        case (.reading(let report), .statusResponse):
            try expectSuccess(payload)
            say(report, in: conversation, at: now)
        case (.priming(let subscription, let report), .statusResponse):
            try expectSuccess(payload)
            prime(subscription, report, in: conversation, at: now)
        case (.reporting(let report), .statusResponse):
            try expectSuccess(payload)
            continueReport(report, in: conversation, at: now)
        case (.responding(let rest), .statusResponse):
            try expectSuccess(payload)
            respond(rest, in: conversation, at: now)
        default: throw .refused(.invalidAction)
        }
    }

    /// A timed request: the action is to follow in this time. Core §8.7.2.
    private mutating func announce(
        _ conversation: Conversation, _ payload: Span<UInt8>, at now: Instant
    ) throws(ActionError) {
        let request = try decode(TimedRequest.self, payload)
        let end = now + .milliseconds(Int64(request.timeoutMilliseconds))
        say(.success, on: conversation.exchange, isLast: false)
        // What comes too late is still told so.
        wait(conversation, .timed(until: end), until: end + Limits.serverPatience)
    }

    private func expectSuccess(_ payload: Span<UInt8>) throws(ActionError) {
        guard try decode(StatusResponse.self, payload).status == .success else { throw .over }
    }

    func decode<Message: TLVStructure>(
        _ type: Message.Type, _ payload: Span<UInt8>
    ) throws(ActionError) -> Message {
        do throws(TLVError) {
            return try Message(tlv: payload)
        } catch {
            throw .refused(.invalidAction)
        }
    }
}

// What the actions use.
extension InteractionServer {
    mutating func wait(
        _ conversation: Conversation, _ state: Conversation.State, until deadline: Instant?
    ) {
        var conversation = conversation
        conversation.state = state
        conversation.deadline = deadline
        conversations.append(conversation)
    }

    mutating func takeConversation(_ exchange: ExchangeHandle) -> Conversation? {
        conversations.firstIndex { $0.exchange == exchange }.map { conversations.remove(at: $0) }
    }

    /// A subscription ends with a report of it that fails.
    private mutating func drop(_ conversation: Conversation) {
        guard case .reporting(let report) = conversation.state else { return }
        subscriptions.removeAll { $0.id == report.subscriptionID }
    }

    /// Ends an exchange without a word.
    mutating func close(_ exchange: ExchangeHandle) {
        if let conversation = takeConversation(exchange) { drop(conversation) }
        transmits.append(.close(exchange))
    }

    mutating func say(_ message: InteractionMessage, on exchange: ExchangeHandle, isLast: Bool) {
        transmits.append(.say(message, on: exchange, isLast: isLast))
    }

    mutating func ask(_ message: InteractionMessage, in session: SessionHandle, id: UInt32) {
        transmits.append(.ask(message, in: session, id: id))
    }

    mutating func tell(_ event: ServerEvent) { events.append(event) }

    private mutating func refuse(_ exchange: ExchangeHandle, _ status: InteractionStatus) {
        let message = StatusResponse { $0.status = status }
        say(.own(.statusResponse, message), on: exchange, isLast: true)
    }

    /// A number that no invocation or write had before.
    mutating func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// An id that no subscription has.
    mutating func nextSubscriptionID() -> UInt32 {
        while true {
            let id = numbers.nextUInt32()
            if !subscriptions.contains(where: { $0.id == id }) { return id }
        }
    }
}

extension InteractionMessage {
    /// - Parameter message: of ours, made to fit.
    static func own(_ opcode: InteractionOpcode, _ message: some TLVCodable) -> Self {
        do throws(InteractionError) {
            return try InteractionMessage(opcode, message)
        } catch {
            preconditionFailure("what a server says is made to fit a message")
        }
    }
}

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
        /// subscriber lets it take; Core §8.5.3.2 lets it choose below 60 minutes.
        package var maxIntervalCeilingSeconds: UInt16 = 3600

        package init() {}
    }

    package var attributes: AttributeTable
    package var access = AccessRules()
    let settings: Settings
    var log: EventLog
    var conversations: [Conversation] = []
    private var numbers: SeededSequence
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

    /// A message of the interaction model came.
    /// - Parameters:
    ///   - isNew: the peer opened the exchange with it.
    ///   - accessor: of the session that it came over, with the fabric that it has by now.
    package mutating func receive(
        _ opcode: InteractionOpcode, _ payload: Span<UInt8>, on exchange: ExchangeHandle,
        isNew: Bool, from accessor: Accessor, at now: Instant
    ) {
        do throws(ActionError) {
            if let index = conversations.firstIndex(where: { $0.exchange == exchange }) {
                try proceed(conversations.remove(at: index), opcode, payload, at: now)
            } else if isNew {
                let conversation = Conversation(exchange: exchange, accessor: accessor)
                try begin(conversation, opcode, payload, at: now)
            } else {
                throw opcode == .statusResponse ? .over : .refused(.invalidAction)
            }
        } catch {
            switch error {
            case .refused(let status): refuse(exchange, status)
            case .over: transmits.append(.close(exchange))
            }
        }
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
    /// It is answered with this status as a whole.
    case refused(InteractionStatus)
    /// There is nothing to say.
    case over
}

/// An exchange that is open, and what comes next in it.
struct Conversation: Sendable {
    enum State: Sendable {
        case new
        /// The rest of a report to a read; the peer's status comes next.
        case reading(PendingReport)
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
        case .statusResponse: throw .over
        default: throw .refused(.invalidAction)
        }
    }

    private mutating func proceed(
        _ conversation: Conversation, _ opcode: InteractionOpcode, _ payload: Span<UInt8>,
        at now: Instant
    ) throws(ActionError) {
        switch (conversation.state, opcode) {
        case (.reading(let report), .statusResponse):
            guard try decode(StatusResponse.self, payload).status == .success else {
                throw .over
            }
            say(report, in: conversation, at: now)
        default: throw .refused(.invalidAction)
        }
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

    mutating func say(_ message: InteractionMessage, on exchange: ExchangeHandle, isLast: Bool) {
        transmits.append(.say(message, on: exchange, isLast: isLast))
    }

    mutating func refuse(_ exchange: ExchangeHandle, _ status: InteractionStatus) {
        let message = StatusResponse { $0.status = status }
        say(.own(.statusResponse, message), on: exchange, isLast: true)
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

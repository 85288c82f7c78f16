package import Base

/// A subscription at its subscriber: whose reports it takes, and how long it lives without one.
///
/// It is told of every ReportData message of its id and answers it; the values stay in the
/// message. It is lost when the node says nothing for the longest interval that it promised and
/// the time that its last attempt may take. Core §8.5, §4.12.8.
package struct Subscription: Sendable {
    package let id: UInt32
    /// The longest time between two reports; nil until the node has told it.
    package private(set) var maxInterval: Duration?
    /// When it counts as lost. Before the node's response the transaction keeps the time.
    package private(set) var nextDeadline: Instant?
    /// The node did not report in time.
    package private(set) var isLost = false
    private let responseTime: Duration

    /// - Parameter responseTime: the longest that a message of the node may be on its way, all
    ///   its transmissions counted.
    package init(id: UInt32, responseTime: Duration) {
        self.id = id
        self.responseTime = responseTime
    }

    /// The node accepted the subscription.
    package mutating func confirm(_ response: SubscribeResponse, at now: Instant) {
        precondition(response.subscriptionID == id, "the client of the transaction compared them")
        maxInterval = .seconds(Int64(response.maxIntervalSeconds))
        renew(at: now)
    }

    /// Takes one ReportData message; an empty one says that the node is alive.
    /// - Returns: the answer, and whether more of the report follows in the same exchange.
    /// - Throws: the subscription is over then, and `Subscription.refusal` is the answer.
    package mutating func receive(
        _ payload: Span<UInt8>, at now: Instant
    ) throws(InteractionError) -> ReadStep {
        let outline = try ReportOutline(payload)
        guard let id = outline.subscriptionID else { throw .malformed(.missing(tag: 0)) }
        guard id == self.id, !isLost else { throw .unexpectedSubscription(id) }
        if maxInterval != nil { renew(at: now) }
        if outline.hasMoreChunks { return .acknowledge(.success) }
        return .done(outline.answer)
    }

    /// Time passed.
    package mutating func advance(to now: Instant) {
        guard let deadline = nextDeadline, now >= deadline else { return }
        isLost = true
        nextDeadline = nil
    }

    private mutating func renew(at now: Instant) {
        guard let maxInterval, !isLost else { return }
        nextDeadline = now + (maxInterval + responseTime)
    }

    /// The answer to a ReportData message that belongs to no subscription here; nil when its
    /// sender waits for none. A subscription that is over is refused even when the sender wants
    /// no answer, for it would go on reporting to nobody. Core §8.4.3.
    package static func refusal(of payload: Span<UInt8>) -> InteractionMessage? {
        do throws(InteractionError) {
            let outline = try ReportOutline(payload)
            if outline.subscriptionID != nil { return .invalidSubscription }
            return outline.answer == nil ? nil : .invalidAction
        } catch {
            return .invalidAction
        }
    }
}

extension InteractionMessage {
    static let invalidSubscription = InteractionMessage(status: .invalidSubscription)
    static let invalidAction = InteractionMessage(status: .invalidAction)

    private init(status: InteractionStatus) {
        self.init(
            .statusResponse,
            octets: [
                0x15, 0x24, 0x00, status.rawValue,
                0x24, 0xFF, Specification.interactionModelRevision, 0x18,
            ].span)
    }
}

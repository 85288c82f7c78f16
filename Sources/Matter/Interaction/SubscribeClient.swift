internal import Base

/// What to do after a message of a subscribe transaction.
package enum SubscribeStep: Equatable, Sendable {
    /// A message of the first report came: take its values, send the answer where there is one
    /// and wait for the next message.
    case report(subscriptionID: UInt32, answer: InteractionMessage?)
    /// The subscription stands.
    case subscribed(SubscribeResponse)
}

/// One subscribe transaction: its request, the first report in any number of messages, and the
/// response. It holds no values; its owner takes them from each message. Core §8.5.
package struct SubscribeClient: Sendable {
    /// To be sent first.
    package let request: InteractionMessage
    private var subscriptionID: UInt32?
    private var chunks = 0
    private var isPrimed = false
    private var isDone = false

    /// - Parameter request: with a path at least. A server need not take more than
    ///   `Limits.pathsPerSubscription`, and refuses with `pathsExhausted`.
    /// - Throws: `tooLarge`.
    package init(_ request: SubscribeRequest) throws(InteractionError) {
        precondition(
            !(request.attributeRequests ?? []).isEmpty || !(request.eventRequests ?? []).isEmpty,
            "a subscription is to something")
        precondition(
            request.minIntervalFloorSeconds <= request.maxIntervalCeilingSeconds,
            "a server refuses intervals that contradict each other")
        self.request = try InteractionMessage(.subscribeRequest, request)
    }

    /// Takes the next message of the exchange.
    /// - Throws: anything but reports and then the response ends the transaction.
    package mutating func receive(
        _ opcode: InteractionOpcode, _ payload: Span<UInt8>
    ) throws(InteractionError) -> SubscribeStep {
        guard !isDone else { throw .unexpectedOpcode(opcode) }
        switch opcode {
        case .reportData where !isPrimed: return try prime(payload)
        case .subscribeResponse where isPrimed: return try finish(payload)
        case .statusResponse: throw .refused(by: payload)
        default: throw .unexpectedOpcode(opcode)
        }
    }

    private mutating func prime(_ payload: Span<UInt8>) throws(InteractionError) -> SubscribeStep {
        chunks += 1
        guard chunks <= Limits.chunksPerRead else { throw .tooMuch }
        let outline = try ReportOutline(payload)
        guard let id = outline.subscriptionID else { throw .malformed(.missing(tag: 0)) }
        guard id == subscriptionID ?? id else { throw .unexpectedSubscription(id) }
        subscriptionID = id
        isPrimed = !outline.hasMoreChunks
        return .report(subscriptionID: id, answer: outline.answer)
    }

    private mutating func finish(
        _ payload: Span<UInt8>
    ) throws(InteractionError) -> SubscribeStep {
        let response: SubscribeResponse
        do throws(TLVError) { response = try SubscribeResponse(tlv: payload) } catch {
            throw .malformed(error)
        }
        guard response.subscriptionID == subscriptionID else {
            throw .unexpectedSubscription(response.subscriptionID)
        }
        isDone = true
        return .subscribed(response)
    }
}

/// What a ReportData message says of itself. All of it was walked, so that whoever takes its
/// values finds nothing malformed. Core §10.7.3.
struct ReportOutline {
    let subscriptionID: UInt32?
    let hasMoreChunks: Bool
    /// What the sender waits for.
    let answer: InteractionMessage?

    init(_ payload: Span<UInt8>) throws(InteractionError) {
        var reader = try ReportDataReader(payload)
        while try reader.next() != nil {}
        while try reader.nextEvent() != nil {}
        subscriptionID = reader.subscriptionID
        hasMoreChunks = reader.hasMoreChunks
        answer = hasMoreChunks || !reader.suppressesResponse ? .success : nil
    }
}

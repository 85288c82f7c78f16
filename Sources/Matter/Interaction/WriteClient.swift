internal import Base

/// What to do after a message of a write.
package enum WriteStep: Equatable, Sendable {
    case send(InteractionMessage)
    /// How each path went; `[AttributeStatusIB].check()` throws at the first that did not.
    case done([AttributeStatusIB])
}

/// One write of attributes, in as many messages as it needs. Core §8.5.
///
/// It ends with the first message of which anything was refused: items must not be put behind a
/// list that was not replaced.
package struct WriteClient: Sendable {
    private var exchange: TimedExchange
    /// Messages after the first, the next one last.
    private var rest: [InteractionMessage] = []
    private var statuses: [AttributeStatusIB] = []
    private var isDone = false

    /// - Parameters:
    ///   - writes: 1 to `Limits.attributesPerWrite`, lists as a whole; those that do not fit a
    ///     message are written in parts, and what is in their first items holds from the first
    ///     part on.
    ///   - timeoutMilliseconds: makes it a timed write.
    /// - Throws: `tooLarge`.
    package init(
        _ writes: [AttributeDataIB], timeoutMilliseconds: UInt16? = nil
    ) throws(InteractionError) {
        precondition(!writes.isEmpty, "a write has something to write")
        guard writes.count <= Limits.attributesPerWrite else { throw .tooLarge }
        let chunks = try WriteChunks(writes).chunks
        var messages: [InteractionMessage] = []
        for (index, chunk) in chunks.enumerated() {
            let message = WriteRequest {
                $0.suppressResponse = false
                $0.timedRequest = timeoutMilliseconds != nil
                $0.writeRequests = chunk
                $0.moreChunkedMessages = index < chunks.count - 1
            }
            messages.append(try InteractionMessage(.writeRequest, message))
        }
        exchange = try TimedExchange(messages[0], timeoutMilliseconds: timeoutMilliseconds)
        rest = messages.dropFirst().reversed()
    }

    /// To be sent first.
    package var request: InteractionMessage { exchange.first }

    package mutating func receive(
        _ opcode: InteractionOpcode, _ payload: Span<UInt8>
    ) throws(InteractionError) -> WriteStep {
        guard !isDone else { throw .unexpectedOpcode(opcode) }
        if let action = try exchange.receive(opcode, payload) { return .send(action) }
        switch opcode {
        case .writeResponse: break
        case .statusResponse: throw .refused(by: payload)
        default: throw .unexpectedOpcode(opcode)
        }
        let answered: [AttributeStatusIB]
        do throws(TLVError) {
            answered = try WriteResponse(tlv: payload).writeResponses
        } catch {
            isDone = true
            throw .malformed(error)
        }
        statuses += answered
        let isWritten = answered.allSatisfy { $0.status.status == .success }
        if isWritten, !answered.isEmpty, let next = rest.popLast() { return .send(next) }
        isDone = true
        if answered.isEmpty { throw .missingResponse }
        return .done(statuses)
    }
}

extension [AttributeStatusIB] {
    /// - Throws: the first status that is no success.
    package func check() throws(InteractionError) {
        for entry in self where entry.status.status != .success {
            throw .status(entry.status.status, clusterStatus: entry.status.clusterStatus)
        }
    }
}

internal import Base

/// What to do after a message of a write.
package enum WriteStep: Equatable, Sendable {
    case send(InteractionMessage)
    /// How each path went; `[AttributeStatusIB].check()` throws at the first that did not.
    case done([AttributeStatusIB])
}

/// One write of attributes that fit one message. Core §8.5.
package struct WriteClient: Sendable {
    private var exchange: TimedExchange
    private var isDone = false

    /// - Parameters:
    ///   - writes: 1 to `Limits.attributesPerWrite`, lists as a whole.
    ///   - timeoutMilliseconds: makes it a timed write.
    /// - Throws: `tooLarge`.
    package init(
        _ writes: [AttributeDataIB], timeoutMilliseconds: UInt16? = nil
    ) throws(InteractionError) {
        precondition(!writes.isEmpty, "a write has something to write")
        guard writes.count <= Limits.attributesPerWrite else { throw .tooLarge }
        let message = WriteRequest {
            $0.suppressResponse = false
            $0.timedRequest = timeoutMilliseconds != nil
            $0.writeRequests = writes
            $0.moreChunkedMessages = false
        }
        exchange = try TimedExchange(
            try InteractionMessage(.writeRequest, message),
            timeoutMilliseconds: timeoutMilliseconds)
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
        isDone = true
        do throws(TLVError) {
            let statuses = try WriteResponse(tlv: payload).writeResponses
            if !statuses.isEmpty { return .done(statuses) }
        } catch {
            throw .malformed(error)
        }
        throw .missingResponse
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

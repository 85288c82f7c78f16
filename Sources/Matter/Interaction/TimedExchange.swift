internal import Base

/// The messages that a client sends for one action: the action itself, or a timed request and,
/// once that is accepted, the action. Core §8.7.
struct TimedExchange: Sendable {
    /// To be sent first.
    let first: InteractionMessage
    private var action: InteractionMessage?

    /// - Parameter timeoutMilliseconds: nil for an action without a timed request.
    init(
        _ action: InteractionMessage, timeoutMilliseconds: UInt16?
    ) throws(InteractionError) {
        guard let timeoutMilliseconds else {
            first = action
            return
        }
        first = try InteractionMessage(
            .timedRequest, TimedRequest { $0.timeoutMilliseconds = timeoutMilliseconds })
        self.action = action
    }

    /// - Returns: the action, when it is still to be sent and the peer lets us; nil when the
    ///   message is for the action to understand.
    mutating func receive(
        _ opcode: InteractionOpcode, _ payload: Span<UInt8>
    ) throws(InteractionError) -> InteractionMessage? {
        guard let next = action else { return nil }
        guard opcode == .statusResponse else { throw .unexpectedOpcode(opcode) }
        do throws(TLVError) {
            let response = try StatusResponse(tlv: payload)
            if response.status == .success {
                action = nil
                return next
            }
        } catch {
            throw .malformed(error)
        }
        throw .refused(by: payload)
    }
}

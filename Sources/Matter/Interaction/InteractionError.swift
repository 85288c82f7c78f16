/// Why an interaction gave no result.
package enum InteractionError: Error, Equatable {
    /// The peer refused, in the action as a whole or for the only path there was. The second
    /// number is the cluster's own and is explained by its status codes.
    case status(InteractionStatus, clusterStatus: UInt8?)
    /// The payload is not what its opcode says. Core §10.7.
    case malformed(TLVError)
    /// A message that has no place at this point of the transaction.
    case unexpectedOpcode(InteractionOpcode)
    /// The answer is about something that was not asked for.
    case unexpectedPath(CommandPath)
    /// The action was answered without the result it must have.
    case missingResponse
    /// An item for a list whose beginning was not reported before.
    case strayListItem(ConcreteAttributePath)
    /// A message of another subscription than the one that is being made or reported.
    case unexpectedSubscription(UInt32)
    /// Our request does not fit one message (`Limits.interactionPayload`).
    case tooLarge
    /// The answer goes beyond `Limits.octetsPerRead`, `reportsPerRead`, `eventsPerRead` or
    /// `chunksPerRead`.
    case tooMuch
}

extension InteractionError {
    /// Something of ours could not be written.
    static func encoding(_ error: TLVError) -> InteractionError {
        if case .full = error { .tooLarge } else { .malformed(error) }
    }
}

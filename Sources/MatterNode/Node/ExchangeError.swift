package import Matter

/// Why an exchange ended without an answer.
package enum ExchangeError: Error, Equatable {
    /// None of the transmissions was acknowledged: the peer is off, away or elsewhere.
    case unreachable
    /// The peer acknowledged and then said nothing in its time.
    case noAnswer
    /// The peer, or something on the way to a newer session, ended the session.
    case sessionEnded
    /// The waiting flow was cancelled.
    case cancelled
    /// The peer answered in another protocol than the exchange is of. Core §4.10.
    case foreignProtocol(ProtocolID)
    /// The message could not be made (too long, no room).
    case message(MessageError)
}

/// A message that came in an exchange, free of the buffer that it came in.
package struct IncomingMessage: Sendable {
    package let protocolID: ProtocolID
    package let opcode: UInt8
    package let payload: [UInt8]
}

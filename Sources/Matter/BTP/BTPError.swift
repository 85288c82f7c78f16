/// What a peer did against the Bluetooth Transport Protocol; each ends the session.
package enum BTPError: Error, Equatable {
    /// The segment ends within its header, at this octet.
    case truncated(at: Int)
    /// Flags that contradict each other or what came before.
    case invalidFlags(UInt8)
    /// A segment of more octets than were agreed.
    case oversizedSegment(count: Int)
    /// A message of more octets than we take, or of none.
    case invalidMessageLength(Int)
    /// A segment without octets of its message.
    case emptySegment
    /// The message has another length than its first segment said.
    case lengthMismatch(announced: Int, received: Int)
    /// A segment was lost or repeated.
    case outOfOrder(expected: UInt8, received: UInt8)
    /// An acknowledgement of what was not sent or is acknowledged already.
    case invalidAcknowledgement(UInt8)
    /// More segments than the peer may send without acknowledgement.
    case windowExceeded
    /// Neither a handshake request nor a response, where there has to be one.
    case invalidHandshake
    /// No version that we speak is offered, or the one chosen was not.
    case unsupportedVersion
    /// A segment size out of bounds.
    case invalidSegmentSize(UInt16)
    /// A window of no segment, or a larger one than was offered.
    case invalidWindow(UInt8)
}

/// Why a session ended without a fault in what was received.
package enum BTPClosure: Equatable, Sendable {
    case handshakeTimeout
    /// The peer did not acknowledge in time.
    case acknowledgementTimeout
    case idle
}

package enum BTPEvent: Equatable, Sendable {
    /// Messages may be sent now, in segments of this many octets.
    case connected(segmentBytes: Int)
    /// A message is complete; it is readable until the next octets are received.
    case message
    case closed(BTPClosure)
}

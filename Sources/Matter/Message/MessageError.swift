/// Why a datagram was not taken. None of these is answered: they are counted and dropped.
package enum MessageError: Error, Equatable {
    /// Cut short, of another version, or with a reserved value.
    case malformedHeader
    /// Longer than a Matter message may be.
    case tooLong
    /// For a session that we do not have.
    case unknownSession
    /// Group messages and those under privacy are not for a controller.
    case unsupported
    /// The octets were changed, or sealed with another key.
    case notAuthentic
    /// Seen before, or too old for the window to tell.
    case duplicate
    /// An answer in an exchange that is not open here.
    case unknownExchange
    /// A table of ours is full.
    case noRoom
}

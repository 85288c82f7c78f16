/// A connection of octets with another process of this machine.
package protocol ByteStream: LineSource {
    /// The user at the other end.
    var peerUser: UInt32 { get }

    /// Hands octets over in their order. Never blocks: what the peer does not take yet waits, up
    /// to a bound; one sending is always taken when none waits.
    /// - Returns: false when it was not taken, and the connection has ended. A peer that has gone
    ///   takes everything; the end of what is read tells of it.
    @discardableResult
    func send(_ bytes: Span<UInt8>) -> Bool

    /// Ends it; the peer still gets what the system has taken, and what waits here is lost.
    func close()
}

package import Base

/// What arrived in one datagram, beside its octets.
package struct DatagramSource: Sendable {
    /// Octets in the buffer; a longer datagram was cut and is not Matter.
    package let count: Int
    package let sender: SocketAddress
    /// The index of the interface it came in on.
    package let interface: UInt32

    package init(count: Int, sender: SocketAddress, interface: UInt32) {
        self.count = count
        self.sender = sender
        self.interface = interface
    }
}

/// A way to exchange datagrams with peers: a UDP socket, a simulated network, or either of them
/// seen through something that traces, records or disturbs.
package protocol DatagramLink: AnyObject, Sendable {
    /// Called on the loop, outside any actor, when `receive` has something.
    var onReadable: (() -> Void)? { get set }

    /// Takes the next datagram, or nil when none waits. Never blocks.
    @_lifetime(buffer: copy buffer)
    func receive(into buffer: inout MutableSpan<UInt8>) -> DatagramSource?

    /// Best effort: what the network refuses is lost, as on the air; the sender retransmits.
    /// - Returns: false when this peer cannot be reached from here at all (no route).
    @discardableResult
    func send(_ bytes: Span<UInt8>, to peer: SocketAddress) -> Bool
}

/// The multicast DNS groups on the interfaces in use.
package protocol MulticastLink: AnyObject, Sendable {
    var onReadable: (() -> Void)? { get set }

    /// Takes the next datagram, or nil when none waits. Never blocks.
    @_lifetime(buffer: copy buffer)
    func receive(into buffer: inout MutableSpan<UInt8>) -> DatagramSource?

    /// Sends to the groups of both families on one of the interfaces in use.
    func sendToGroup(_ bytes: Span<UInt8>, on interface: UInt32)

    /// Answers one asker (a legacy query, or one that asked for unicast).
    func send(_ bytes: Span<UInt8>, to peer: SocketAddress)
}

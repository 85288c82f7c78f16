package import Base
package import MatterNode

/// A UDP socket of a simulated network.
package final class SimulatedLink: DatagramLink, @unchecked Sendable {
    package var onReadable: (() -> Void)?
    /// What it sends from.
    package var address: SocketAddress
    /// Neither sends nor receives, as a device without power.
    package var isOff = false
    /// Peers to which there is no route.
    package var unroutable: Set<SocketAddress> = []
    private let network: SimulatedNetwork
    private var inbox = Inbox()

    init(_ network: SimulatedNetwork, _ address: SocketAddress) {
        self.network = network
        self.address = address
    }

    @_lifetime(buffer: copy buffer)
    package func receive(into buffer: inout MutableSpan<UInt8>) -> DatagramSource? {
        inbox.receive(into: &buffer, interface: address.address.scope)
    }

    @discardableResult
    package func send(_ bytes: Span<UInt8>, to peer: SocketAddress) -> Bool {
        guard !unroutable.contains(peer) else { return false }
        if !isOff { network.send(bytes, from: address, to: peer) }
        return true
    }

    func take(_ datagram: SimulatedDatagram) {
        guard !isOff else { return }
        inbox.datagrams.append(datagram)
        onReadable?()
    }
}

/// A member of the multicast DNS group on one interface.
package final class SimulatedMulticast: MulticastLink, @unchecked Sendable {
    package var onReadable: (() -> Void)?
    package internal(set) var address: SocketAddress
    package let interface: UInt32
    package var isOff = false
    private let network: SimulatedNetwork
    private var inbox = Inbox()

    package static let port: UInt16 = 5353

    init(_ network: SimulatedNetwork, _ address: SocketAddress, interface: UInt32) {
        self.network = network
        self.address = address
        self.interface = interface
    }

    @_lifetime(buffer: copy buffer)
    package func receive(into buffer: inout MutableSpan<UInt8>) -> DatagramSource? {
        inbox.receive(into: &buffer, interface: interface)
    }

    package func sendToGroup(_ bytes: Span<UInt8>, on interface: UInt32) {
        precondition(interface == self.interface, "a member is on one interface")
        if !isOff { network.sendToGroup(bytes, from: self) }
    }

    package func send(_ bytes: Span<UInt8>, to peer: SocketAddress) {
        if !isOff { network.send(bytes, from: address, to: peer) }
    }

    func take(_ datagram: SimulatedDatagram) {
        guard !isOff else { return }
        inbox.datagrams.append(datagram)
        onReadable?()
    }
}

private struct Inbox {
    var datagrams: [SimulatedDatagram] = []

    @_lifetime(buffer: copy buffer)
    mutating func receive(
        into buffer: inout MutableSpan<UInt8>, interface: UInt32
    ) -> DatagramSource? {
        guard !datagrams.isEmpty else { return nil }
        let datagram = datagrams.removeFirst()
        let count = min(datagram.bytes.count, buffer.count)
        for index in 0..<count { buffer[index] = datagram.bytes[index] }
        return DatagramSource(count: count, sender: datagram.sender, interface: interface)
    }
}

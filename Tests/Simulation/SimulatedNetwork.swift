package import Base
package import MatterNode

/// What a network does to the datagrams of one direction.
package struct FaultProfile: Sendable {
    /// Chances, 0 ... 1.
    package var drop: Double
    package var duplicate: Double
    /// Each datagram takes a time of its own in here, so that some overtake others.
    package var delay: ClosedRange<Duration>

    package init(
        drop: Double = 0, duplicate: Double = 0,
        delay: ClosedRange<Duration> = .milliseconds(1)...(.milliseconds(1))
    ) {
        self.drop = drop
        self.duplicate = duplicate
        self.delay = delay
    }
}

/// One datagram on its way.
package struct SimulatedDatagram: Sendable {
    /// Counted from 1 over the whole network.
    package let number: Int
    package let sender: SocketAddress
    package let receiver: SocketAddress
    package let isMulticast: Bool
    package let bytes: [UInt8]
}

/// A link-local network in memory. What happens to a datagram depends on the seed, the two
/// addresses and how many went that way before, never on what is in it.
package final class SimulatedNetwork: @unchecked Sendable {
    package struct Direction: Hashable, Sendable {
        package let sender: SocketAddress
        package let receiver: SocketAddress

        package init(from sender: SocketAddress, to receiver: SocketAddress) {
            self.sender = sender
            self.receiver = receiver
        }
    }

    package let loop: Loop
    /// For all directions that have none of their own.
    package var faults = FaultProfile()
    package var faultsByDirection: [Direction: FaultProfile] = [:]
    /// False loses the datagram, whatever the faults would do.
    package var carries: (SimulatedDatagram) -> Bool = { _ in true }
    /// Datagrams sent so far; one to a group counts once for each member.
    package private(set) var sent = 0

    private let seed: UInt64
    private var links: [SocketAddress: SimulatedLink] = [:]
    private var members: [SimulatedMulticast] = []
    private var streams: [Direction: SeededRandom] = [:]

    package init(loop: Loop, seed: UInt64) {
        self.loop = loop
        self.seed = seed
    }

    package func link(at address: SocketAddress) -> SimulatedLink {
        precondition(links[address] == nil, "an address is somebody's alone")
        let link = SimulatedLink(self, address)
        links[address] = link
        return link
    }

    /// One more address of the same socket, which still sends from its own.
    package func alias(_ address: SocketAddress, of link: SimulatedLink) {
        precondition(links[address] == nil, "an address is somebody's alone")
        links[address] = link
    }

    package func multicast(at address: IPAddress, interface: UInt32) -> SimulatedMulticast {
        let member = SimulatedMulticast(
            self, SocketAddress(address, port: SimulatedMulticast.port), interface: interface)
        members.append(member)
        return member
    }

    func send(_ bytes: Span<UInt8>, from sender: SocketAddress, to receiver: SocketAddress) {
        carry([UInt8](bytes), sender, receiver, isMulticast: false) { [weak self] datagram in
            if let link = self?.links[receiver] {
                link.take(datagram)
            } else {
                self?.members.first { $0.address == receiver }?.take(datagram)
            }
        }
    }

    func sendToGroup(_ bytes: Span<UInt8>, from sender: SimulatedMulticast) {
        let copy = [UInt8](bytes)
        for member in members where member !== sender {
            carry(copy, sender.address, member.address, isMulticast: true) { datagram in
                member.take(datagram)
            }
        }
    }

    private func carry(
        _ bytes: [UInt8], _ sender: SocketAddress, _ receiver: SocketAddress, isMulticast: Bool,
        _ arrive: @escaping (SimulatedDatagram) -> Void
    ) {
        sent += 1
        let datagram = SimulatedDatagram(
            number: sent, sender: sender, receiver: receiver, isMulticast: isMulticast,
            bytes: bytes)
        let direction = Direction(from: sender, to: receiver)
        let faults = faultsByDirection[direction] ?? faults
        var stream = streams[direction] ?? SeededRandom(seed: seed ^ Self.mark(direction))
        // As many draws for each datagram, so that one fault does not shift the next.
        let isDropped = stream.unitInterval() < faults.drop
        let isDuplicated = stream.unitInterval() < faults.duplicate
        let delays = [stream.unitInterval(), stream.unitInterval()]
        streams[direction] = stream
        guard carries(datagram), !isDropped else { return }
        for share in delays.prefix(isDuplicated ? 2 : 1) {
            let span = (faults.delay.upperBound - faults.delay.lowerBound).nanoseconds
            let delay = faults.delay.lowerBound + .nanoseconds(Int64(Double(span) * share))
            _ = loop.schedule(at: loop.now + delay) { arrive(datagram) }
        }
    }

    /// FNV-1a over both addresses; the standard hasher has another seed in each process.
    private static func mark(_ direction: Direction) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for address in [direction.sender, direction.receiver] {
            for octet in [UInt8](address.address.octets) {
                hash = (hash ^ UInt64(octet)) &* 0x100_0000_01B3
            }
            hash = (hash ^ UInt64(address.port)) &* 0x100_0000_01B3
        }
        return hash
    }
}

package import Base
package import MatterNode

/// One datagram on its way.
package struct SimulatedDatagram: Sendable {
    /// Counted from 1 over the whole network.
    package let number: Int
    package let sender: SocketAddress
    package let receiver: SocketAddress
    package let isMulticast: Bool
    package fileprivate(set) var bytes: [UInt8]
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
    /// Addresses cut off from all others.
    package var partitioned: Set<IPAddress> = []
    /// Datagrams sent so far; one to a group counts once for each member.
    package private(set) var sent = 0
    package private(set) var counts = FaultCounts()
    /// Called with each datagram before anything happens to it.
    package var onSend: ((SimulatedDatagram) -> Void)?

    private let seed: UInt64
    private var links: [SocketAddress: SimulatedLink] = [:]
    private var members: [SimulatedMulticast] = []
    private var streams: [Direction: SeededRandom] = [:]
    /// Until when everything in a direction is lost.
    private var bursts: [Direction: Instant] = [:]

    /// What is kept of each pair of addresses that something went between, in octets.
    package var keptOctets: Int {
        (streams.capacity + bursts.capacity)
            * (MemoryLayout<Direction>.stride + MemoryLayout<Instant>.stride)
    }

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

    /// Gives a socket another address; what is under way to the old one is lost.
    package func move(_ link: SimulatedLink, to address: SocketAddress) {
        precondition(links[address] == nil, "an address is somebody's alone")
        links = links.filter { $0.value !== link }
        link.address = address
        links[address] = link
    }

    package func move(_ member: SimulatedMulticast, to address: IPAddress) {
        member.address = SocketAddress(address, port: SimulatedMulticast.port)
    }

    /// Takes a socket away, as the end of its process does.
    package func remove(_ link: SimulatedLink) {
        links = links.filter { $0.value !== link }
        link.isOff = true
    }

    package func remove(_ member: SimulatedMulticast) {
        members.removeAll { $0 === member }
        member.isOff = true
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
        var datagram = SimulatedDatagram(
            number: sent, sender: sender, receiver: receiver, isMulticast: isMulticast,
            bytes: bytes)
        onSend?(datagram)
        let direction = Direction(from: sender, to: receiver)
        let faults = faultsByDirection[direction] ?? faults
        var stream = streams[direction] ?? SeededRandom(seed: seed ^ Self.mark(direction))
        let fate = DatagramFate(faults, &stream)
        streams[direction] = stream
        guard carries(datagram), passes(datagram, fate, faults, direction) else { return }
        if let share = fate.flippedBit {
            counts.flipped += 1
            datagram.bytes.turnBit(at: share)
        }
        if fate.isReordered { counts.reordered += 1 }
        if fate.isDuplicated { counts.duplicated += 1 }
        if fate.delays[0] > faults.delay.lowerBound { counts.delayed += 1 }
        for delay in fate.delays.prefix(fate.isDuplicated ? 2 : 1) {
            _ = loop.schedule(at: loop.now + delay) { [datagram] in arrive(datagram) }
        }
    }

    /// Whether the datagram arrives at all; counts why not.
    private func passes(
        _ datagram: SimulatedDatagram, _ fate: DatagramFate, _ faults: FaultProfile,
        _ direction: Direction
    ) -> Bool {
        let ends = [datagram.sender.address, datagram.receiver.address]
        guard !ends.contains(where: partitioned.contains) else {
            counts.partitioned += 1
            return false
        }
        if let mtu = faults.mtu, datagram.bytes.count > mtu {
            counts.tooLong += 1
            return false
        }
        if let time = fate.burst { bursts[direction] = loop.now + time }
        if let end = bursts[direction], loop.now < end {
            counts.droppedInBurst += 1
            return false
        }
        if fate.isDropped { counts.dropped += 1 }
        return !fate.isDropped
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

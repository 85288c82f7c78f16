package import Base
internal import Glibc
package import MatterNode

/// Multicast DNS on the chosen interfaces: RFC 6762's port and groups in both families.
///
/// The port is shared with whoever else speaks multicast DNS on this machine; what is sent to a
/// group reaches all of them, a unicast answer only one.
package final class MulticastSocket: MulticastLink, @unchecked Sendable {
    /// Nothing is watched while this is nil.
    package var onReadable: (() -> Void)? {
        didSet { watch() }
    }

    /// Where a family cannot be used on an interface, and why. One family is enough.
    package private(set) var failures: [Failure] = []

    package struct Failure: Error, Equatable, Sendable {
        package let interface: String
        package let isIPv6: Bool
        package let error: Errno
    }

    /// Whether another program had the port before us; a unicast answer may go to it instead.
    package let isPortShared: Bool

    private let poll: PollLoop
    private let families: [Family]
    private let unavailable: [(isIPv6: Bool, error: Errno)]
    private var isWatched = false
    /// Which family is asked first, in turn, so that none starves the other.
    private var turn = 0

    /// - Throws: the first failure, when no group can be joined on any interface.
    package init(
        on poll: PollLoop, interfaces: [NetworkInterface], port: UInt16 = MulticastSocket.port
    ) throws(Failure) {
        precondition(!interfaces.isEmpty, "the interfaces were chosen")
        self.poll = poll
        isPortShared = Self.isTaken(port)
        var families: [Family] = []
        var unavailable: [(Bool, Errno)] = []
        for isIPv6 in [true, false] {
            do throws(Errno) {
                families.append(try Family(isIPv6: isIPv6, port: port))
            } catch {
                unavailable.append((isIPv6, error))
            }
        }
        self.families = families
        self.unavailable = unavailable
        use(interfaces)
        if families.allSatisfy(\.joined.isEmpty), let first = failures.first { throw first }
    }

    deinit {
        if isWatched { unwatchAll() }
    }

    /// Takes the interfaces to use as they are now, after one has come, gone or changed its
    /// addresses. Also looks anew at those that failed before.
    package func use(_ interfaces: [NetworkInterface]) {
        failures = []
        for (isIPv6, error) in unavailable {
            failures += interfaces.map { interface in
                Failure(interface: interface.name, isIPv6: isIPv6, error: error)
            }
        }
        for family in families {
            family.leave(allBut: interfaces)
            for interface in interfaces {
                do throws(Errno) {
                    try family.use(interface)
                } catch {
                    failures.append(
                        Failure(interface: interface.name, isIPv6: family.isIPv6, error: error))
                }
            }
        }
    }

    package func receive(into buffer: inout MutableSpan<UInt8>) -> DatagramSource? {
        turn += 1
        for step in families.indices {
            let family = families[(turn + step) % families.count]
            while let source = family.descriptor.receiveDatagram(into: &buffer) {
                // Unicast comes in on any interface; what is not on a link in use is not ours.
                if family.joined.contains(source.interface) { return source }
            }
        }
        return nil
    }

    package func sendToGroup(_ bytes: Span<UInt8>, on interface: UInt32) {
        for family in families where family.sending.contains(interface) {
            family.sendToGroup(bytes, on: interface)
        }
    }

    package func send(_ bytes: Span<UInt8>, to peer: SocketAddress) {
        let isIPv6 = !peer.address.isIPv4
        guard let family = families.first(where: { $0.isIPv6 == isIPv6 }) else { return }
        // An answer that is lost is asked for again.
        try? family.descriptor.sendDatagram(bytes, family: family.number, to: peer)
    }

    private func watch() {
        if onReadable != nil, !isWatched {
            isWatched = true
            for family in families {
                poll.watch(family.descriptor.rawValue) { [unowned self] _ in self.onReadable?() }
            }
        } else if onReadable == nil, isWatched {
            unwatchAll()
        }
    }

    /// Tries the port alone, in either family.
    private static func isTaken(_ port: UInt16) -> Bool {
        for family in [AF_INET6, AF_INET] {
            do throws(Errno) {
                let probe = try Descriptor { socket(family, UDPSocket.type, 0) }
                if family == AF_INET6 { try probe.setOption(Int(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
                try probe.bindToAny(family: family, port: port)
            } catch {
                if error.rawValue == EADDRINUSE { return true }
            }
        }
        return false
    }

    private func unwatchAll() {
        isWatched = false
        for family in families { poll.unwatch(family.descriptor.rawValue) }
    }

    /// RFC 6762 §3.
    package static let port: UInt16 = 5353
}

/// The socket of one family.
private final class Family {
    let isIPv6: Bool
    let descriptor: Descriptor
    /// The interfaces on which the group was joined.
    private(set) var joined: [UInt32] = []
    /// Those of them that have an address to send from; without one the kernel would take
    /// another interface's.
    private(set) var sending: [UInt32] = []

    private let group: SocketAddress

    init(isIPv6: Bool, port: UInt16) throws(Errno) {
        self.isIPv6 = isIPv6
        let number = isIPv6 ? AF_INET6 : AF_INET
        descriptor = try Descriptor { socket(number, UDPSocket.type, 0) }
        group = SocketAddress(isIPv6 ? Family.groupIPv6 : Family.groupIPv4, port: port)
        try descriptor.setOption(Int(SOL_SOCKET), SO_REUSEADDR, 1)
        try descriptor.setOption(Int(SOL_SOCKET), SO_REUSEPORT, 1)
        if isIPv6 { try setIPv6Options() } else { try setIPv4Options() }
        try descriptor.bindToAny(family: number, port: port)
    }

    var number: Int32 { isIPv6 ? AF_INET6 : AF_INET }

    func use(_ interface: NetworkInterface) throws(Errno) {
        if !joined.contains(interface.index) {
            do throws(Errno) {
                try change(.join, on: interface.index)
            } catch  where error.rawValue == EADDRINUSE {
                // The kernel has kept the membership.
            }
            joined.append(interface.index)
        }
        guard interface.addresses.contains(where: { $0.isIPv4 != isIPv6 }) else {
            throw Errno(EADDRNOTAVAIL)
        }
        sending.append(interface.index)
    }

    func leave(allBut interfaces: [NetworkInterface]) {
        sending = []
        for index in joined where !interfaces.contains(where: { $0.index == index }) {
            // With a device that is gone the membership is gone too.
            try? change(.leave, on: index)
        }
        joined.removeAll { index in !interfaces.contains { $0.index == index } }
    }

    private enum Membership {
        case join, leave
    }

    private func change(_ change: Membership, on interface: UInt32) throws(Errno) {
        if isIPv6 {
            var request = ipv6_mreq()
            unsafe withUnsafeMutableBytes(of: &request.ipv6mr_multiaddr) { target in
                for index in 0..<16 { unsafe target[index] = group.address.octets[index] }
            }
            request.ipv6mr_interface = interface
            let name = change == .join ? IPV6_JOIN_GROUP : IPV6_LEAVE_GROUP
            try descriptor.setOption(Int(IPPROTO_IPV6), name, content: request)
        } else {
            var request = ip_mreqn()
            unsafe withUnsafeMutableBytes(of: &request.imr_multiaddr) { target in
                for index in 0..<4 { unsafe target[index] = group.address.octets[12 + index] }
            }
            request.imr_ifindex = Int32(interface)
            let name = change == .join ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP
            try descriptor.setOption(Int(IPPROTO_IP), name, content: request)
        }
    }

    /// What an interface refuses is lost: its address may not be usable yet.
    func sendToGroup(_ bytes: Span<UInt8>, on interface: UInt32) {
        let peer = SocketAddress(group.address.scoped(to: interface), port: group.port)
        try? descriptor.sendDatagram(bytes, family: number, to: peer, interface: interface)
    }

    /// RFC 6762 §11: a hop limit of 255. Our own messages come back too, to the other programs
    /// of this machine.
    private func setIPv6Options() throws(Errno) {
        let level = Int(IPPROTO_IPV6)
        try descriptor.setOption(level, IPV6_V6ONLY, 1)
        try descriptor.setOption(level, IPV6_RECVPKTINFO, 1)
        try descriptor.setOption(level, IPV6_MULTICAST_HOPS, 255)
        try descriptor.setOption(level, IPV6_UNICAST_HOPS, 255)
        try descriptor.setOption(level, IPV6_MULTICAST_LOOP, 1)
        try descriptor.setOption(level, IPV6_MULTICAST_ALL, 0)
    }

    private func setIPv4Options() throws(Errno) {
        let level = Int(IPPROTO_IP)
        try descriptor.setOption(level, IP_PKTINFO, 1)
        try descriptor.setOption(level, IP_MULTICAST_TTL, 255)
        try descriptor.setOption(level, IP_TTL, 255)
        try descriptor.setOption(level, IP_MULTICAST_LOOP, 1)
        try descriptor.setOption(level, IP_MULTICAST_ALL, 0)
    }

    /// ff02::fb
    private static let groupIPv6: IPAddress = {
        var octets = FixedBytes<16>()
        octets[0] = 0xFF
        octets[1] = 0x02
        octets[15] = 0xFB
        return IPAddress(octets)
    }()

    /// 224.0.0.251
    private static let groupIPv4: IPAddress = {
        var octets = FixedBytes<4>()
        octets[0] = 224
        octets[3] = 251
        return IPAddress(ipv4: octets)
    }()
}

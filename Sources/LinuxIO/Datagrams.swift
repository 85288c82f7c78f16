internal import Base
internal import CLinux
internal import Glibc
internal import MatterNode

/// Receiving and sending on a datagram socket that reports the interface; what the two kinds of
/// socket share.
extension Descriptor {
    /// The next datagram, or nil when none waits. What ICMP reported about earlier datagrams is
    /// passed over: the protocols above find out by silence.
    @_lifetime(buffer: copy buffer)
    func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> DatagramSource? {
        var sender = clinux_peer()
        var errors = 0
        while errors < Limits.receptionErrors {
            do throws(Errno) {
                let result = try Syscall.attempt {
                    unsafe buffer.withUnsafeMutableBufferPointer { target in
                        unsafe clinux_receive(
                            rawValue, target.baseAddress, target.count, &sender)
                    }
                }
                guard let count = result else { return nil }
                return DatagramSource(
                    count: count, sender: SocketAddress(sender), interface: sender.interface)
            } catch {
                errors += 1
            }
        }
        return nil
    }

    /// - Parameters:
    ///   - family: the socket's, AF_INET6 or AF_INET.
    ///   - interface: the one to use, or 0 for the route's.
    func sendDatagram(
        _ bytes: Span<UInt8>, family: Int32, to peer: SocketAddress, interface: UInt32 = 0
    ) throws(Errno) {
        var target = clinux_peer(peer)
        target.interface = interface
        try Syscall.call {
            unsafe bytes.withUnsafeBufferPointer { source in
                unsafe clinux_send(
                    rawValue, family, source.baseAddress, source.count, &target)
            }
        }
    }

    /// The port a socket of either family is bound to.
    func boundPort() throws(Errno) -> UInt16 {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        try Syscall.call {
            unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                    unsafe getsockname(rawValue, generic, &size)
                }
            }
        }
        return UInt16(bigEndian: address.sin6_port)
    }

    /// Binds to every address of the machine.
    func bindToAny(family: Int32, port: UInt16) throws(Errno) {
        if family == AF_INET6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            try bind(to: address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            try bind(to: address)
        }
    }

    private func bind<Address>(to address: Address) throws(Errno) {
        try Syscall.call {
            unsafe withUnsafePointer(to: address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                    unsafe Glibc.bind(rawValue, generic, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
    }
}

extension SocketAddress {
    init(_ peer: clinux_peer) {
        var octets = FixedBytes<16>()
        unsafe withUnsafeBytes(of: peer.address) { source in
            for index in 0..<16 { unsafe octets[index] = source[index] }
        }
        self.init(IPAddress(octets, scope: peer.scope), port: peer.port)
    }
}

extension clinux_peer {
    init(_ peer: SocketAddress) {
        self.init()
        let octets = peer.address.octets
        unsafe withUnsafeMutableBytes(of: &address) { target in
            for index in 0..<16 { unsafe target[index] = octets[index] }
        }
        scope = peer.address.scope
        port = peer.port
    }
}

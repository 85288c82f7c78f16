package import Base
internal import Glibc
package import MatterNode

/// The socket that messages go through: IPv6, and IPv4 in its mapped form, on one port.
package final class UDPSocket: DatagramLink, @unchecked Sendable {
    /// Nothing is watched while this is nil; the kernel keeps what arrives.
    package var onReadable: (() -> Void)? {
        didSet { watch() }
    }

    /// The port it has, also when the kernel chose it.
    package let port: UInt16

    private let descriptor: Descriptor
    private let poll: PollLoop
    private var isWatched = false

    /// - Parameter port: 0 for one that the kernel chooses.
    package init(on poll: PollLoop, port: UInt16 = 0) throws(Errno) {
        self.poll = poll
        descriptor = try Descriptor {
            socket(AF_INET6, UDPSocket.type, 0)
        }
        try descriptor.setOption(IPPROTO_IPV6, IPV6_V6ONLY, 0)
        try descriptor.setOption(IPPROTO_IPV6, IPV6_RECVPKTINFO, 1)
        // Matter's messages fit IPv6's least MTU; a longer one is a fault, not to be spread
        // over fragments that low-power networks lose.
        try descriptor.setOption(IPPROTO_IPV6, IPV6_DONTFRAG, 1)
        try descriptor.bindToAny(family: AF_INET6, port: port)
        self.port = try descriptor.boundPort()
    }

    deinit {
        if isWatched { poll.unwatch(descriptor.rawValue) }
    }

    @_lifetime(buffer: copy buffer)
    package func receive(into buffer: inout MutableSpan<UInt8>) -> DatagramSource? {
        descriptor.receiveDatagram(into: &buffer)
    }

    @discardableResult
    package func send(_ bytes: Span<UInt8>, to peer: SocketAddress) -> Bool {
        do throws(Errno) {
            try descriptor.sendDatagram(bytes, family: AF_INET6, to: peer)
            return true
        } catch {
            return !error.isUnreachable
        }
    }

    private func watch() {
        if onReadable != nil, !isWatched {
            isWatched = true
            poll.watch(descriptor.rawValue) { [unowned self] _ in self.onReadable?() }
        } else if onReadable == nil, isWatched {
            isWatched = false
            poll.unwatch(descriptor.rawValue)
        }
    }

    static let type =
        Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        | Int32(SOCK_CLOEXEC.rawValue)
}

extension Errno {
    /// No route, no address to send from, no such interface or no such destination. Everything
    /// else (a full queue, a neighbour that does not answer) may pass.
    fileprivate var isUnreachable: Bool {
        switch rawValue {
        case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, ENETDOWN, ENODEV, ENXIO, EACCES, EPERM,
            EINVAL:
            true
        default: false
        }
    }
}

import Base
import Glibc
import MatterNode
import Testing

@testable import LinuxIO

@Suite("UDPSocket")
struct UDPSocketTests {
    private let poll = PollLoop()

    private static func receive(_ socket: UDPSocket) -> (bytes: [UInt8], source: DatagramSource)? {
        var buffer = [UInt8](repeating: 0, count: 1500)
        var span = buffer.mutableSpan
        guard let source = socket.receive(into: &span) else { return nil }
        return (Array(buffer.prefix(source.count)), source)
    }

    @Test(
        "datagrams go between two sockets over IPv6 and over IPv4",
        arguments: ["::1", "127.0.0.1"])
    func exchange(host: String) throws {
        let left = try UDPSocket(on: poll)
        let right = try UDPSocket(on: poll)
        #expect(left.port != 0 && left.port != right.port)
        let address = try #require(IPAddress(host))
        var received: (bytes: [UInt8], source: DatagramSource)?
        right.onReadable = { [unowned right] in received = Self.receive(right) }
        let isSent = left.send([1, 2, 3].span, to: SocketAddress(address, port: right.port))
        #expect(isSent)
        poll.run { received != nil }
        #expect(received?.bytes == [1, 2, 3])
        #expect(received?.source.sender == SocketAddress(address, port: left.port))
        let loopback = try #require(try Interfaces.all().first { $0.name == "lo" })
        #expect(received?.source.interface == loopback.index)
        #expect(Self.receive(right) == nil)
    }

    @Test("a refused datagram disturbs neither sending nor receiving")
    func refused() throws {
        let socket = try UDPSocket(on: poll)
        let address = try #require(IPAddress("::1"))
        let closed: SocketAddress
        do {
            let other = try UDPSocket(on: poll)
            closed = SocketAddress(address, port: other.port)
        }
        for _ in 0..<3 {
            let isSent = socket.send([9].span, to: closed)
            #expect(isSent)
        }
        #expect(Self.receive(socket) == nil)
        socket.send([1].span, to: SocketAddress(address, port: socket.port))
        var received: [UInt8]?
        socket.onReadable = { [unowned socket] in received = Self.receive(socket)?.bytes }
        poll.run { received != nil }
        #expect(received == [1])
    }

    @Test(
        "a peer that no route leads to is told apart",
        arguments: ["[fe80::1%99999]:5540", "[::1]:0"])
    func unreachable(text: String) throws {
        let socket = try UDPSocket(on: poll)
        let peer = try #require(SocketAddress(text))
        let isSent = socket.send([1].span, to: peer)
        #expect(!isSent)
    }

    @Test("an empty datagram is a datagram, and one too long is cut to the buffer")
    func sizes() throws {
        let socket = try UDPSocket(on: poll)
        let own = SocketAddress(try #require(IPAddress("::1")), port: socket.port)
        socket.send([UInt8]().span, to: own)
        socket.send([UInt8](repeating: 7, count: 2000).span, to: own)
        #expect(Self.receive(socket)?.bytes == [])
        #expect(Self.receive(socket)?.bytes.count == 1500)
    }

    @Test("a port in use is refused with the system's reason")
    func portInUse() throws {
        let socket = try UDPSocket(on: poll)
        #expect(throws: Errno(EADDRINUSE)) {
            _ = try UDPSocket(on: poll, port: socket.port)
        }
    }

    @Test("a socket that goes while it is watched leaves the loop's table")
    func release() throws {
        var socket: UDPSocket? = try UDPSocket(on: poll)
        socket?.onReadable = {}
        socket = nil
        let loop = poll.loop
        poll.run { () async -> Void in try? await loop.sleep(for: .milliseconds(1)) }
        #expect(socket == nil)
    }
}

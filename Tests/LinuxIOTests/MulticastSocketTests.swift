import Base
import Glibc
import MatterNode
import Testing

@testable import LinuxIO

@Suite("MulticastSocket", .serialized)
struct MulticastSocketTests {
    private let poll = PollLoop()
    /// Not 5353, so that no multicast DNS of this machine takes part.
    private static let port: UInt16 = 45_353

    private static func loopback() throws -> [NetworkInterface] {
        try Interfaces.choose(["lo"], from: Interfaces.all())
    }

    private static func receive(
        _ socket: MulticastSocket
    ) -> (bytes: [UInt8], source: DatagramSource)? {
        var buffer = [UInt8](repeating: 0, count: 9000)
        var span = buffer.mutableSpan
        guard let source = socket.receive(into: &span) else { return nil }
        return (Array(buffer.prefix(source.count)), source)
    }

    @Test("two sockets share the port; what one sends to the group reaches both")
    func group() throws {
        let interfaces = try Self.loopback()
        let left = try MulticastSocket(on: poll, interfaces: interfaces, port: Self.port)
        let right = try MulticastSocket(on: poll, interfaces: interfaces, port: Self.port)
        #expect(!left.isPortShared)
        #expect(right.isPortShared)
        left.sendToGroup([1, 2].span, on: interfaces[0].index)
        for socket in [left, right] {
            let received = try #require(Self.receive(socket))
            #expect(received.bytes == [1, 2])
            #expect(received.source.interface == interfaces[0].index)
            #expect(received.source.sender.port == Self.port)
            while Self.receive(socket) != nil {}
        }
    }

    @Test("one asker gets a unicast answer from the shared port")
    func unicast() throws {
        let socket = try MulticastSocket(
            on: poll, interfaces: Self.loopback(), port: Self.port)
        let asker = try UDPSocket(on: poll)
        for host in ["127.0.0.1", "::1"] {
            let address = try #require(IPAddress(host))
            socket.send([5].span, to: SocketAddress(address, port: asker.port))
            var buffer = [UInt8](repeating: 0, count: 16)
            var span = buffer.mutableSpan
            let source = asker.receive(into: &span)
            #expect(source?.sender == SocketAddress(address, port: Self.port))
        }
    }

    @Test("an interface that is gone is reported")
    func gone() throws {
        let interface = NetworkInterface(
            name: "gone0", index: 99_999, flags: [.up, .running], addresses: [])
        #expect(throws: MulticastSocket.Failure.self) {
            _ = try MulticastSocket(on: poll, interfaces: [interface], port: Self.port)
        }
        let both = try MulticastSocket(
            on: poll, interfaces: Self.loopback() + [interface], port: Self.port)
        #expect(both.failures.contains { $0.interface == "gone0" })
    }

    @Test("interfaces come and go while the socket is open")
    func changes() throws {
        let interfaces = try Self.loopback()
        let gone = NetworkInterface(
            name: "gone0", index: 99_999, flags: [.up, .running], addresses: [])
        let socket = try MulticastSocket(on: poll, interfaces: interfaces, port: Self.port)
        socket.use([gone])
        #expect(socket.failures.count == 2)
        socket.sendToGroup([1].span, on: interfaces[0].index)
        #expect(Self.receive(socket) == nil)
        socket.use(interfaces)
        #expect(socket.failures.isEmpty)
        socket.sendToGroup([2].span, on: interfaces[0].index)
        #expect(Self.receive(socket)?.bytes == [2])
    }

    @Test("an interface without an address of a family only listens in that family")
    func noAddress() throws {
        var interface = try Self.loopback()[0]
        interface.addresses.removeAll { $0.isIPv4 }
        let socket = try MulticastSocket(on: poll, interfaces: [interface], port: Self.port)
        #expect(
            socket.failures == [
                .init(interface: "lo", isIPv6: false, error: Errno(EADDRNOTAVAIL))
            ])
        let other = try MulticastSocket(on: poll, interfaces: Self.loopback(), port: Self.port)
        other.sendToGroup([1].span, on: interface.index)
        #expect(Self.receive(socket)?.bytes == [1])
    }
}

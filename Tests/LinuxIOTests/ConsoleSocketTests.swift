import Glibc
import MatterNode
import Testing

@testable import LinuxIO

@Suite("ConsoleSocket")
struct ConsoleSocketTests {
    private let poll = PollLoop()
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/run/console.sock" }

    private final class Accepted: @unchecked Sendable {
        var streams: [StreamSocket] = []
    }

    private func listen(_ accepted: Accepted = Accepted()) throws -> ConsoleSocket {
        try ConsoleSocket(path, group: "no such group", on: poll) { accepted.streams.append($0) }
    }

    @discardableResult
    private static func send(_ bytes: [UInt8], to stream: StreamSocket) -> Bool {
        stream.send(bytes.span)
    }

    private static func receive(_ stream: StreamSocket, count: Int = 16) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        return stream.receive(into: &span).map { Array(bytes[..<$0]) }
    }

    @Test("octets go both ways, and the peer's user is known")
    func exchange() throws {
        let accepted = Accepted()
        let socket = try listen(accepted)
        let client = try #require(try StreamSocket.connect(to: path, on: poll))
        Self.send([1, 2, 3], to: client)
        poll.run { accepted.streams.count == 1 }
        let server = accepted.streams[0]
        #expect(server.peerUser == getuid())
        var received: [UInt8]?
        server.onReadable = { [unowned server] in received = Self.receive(server) }
        poll.run { received != nil }
        #expect(received == [1, 2, 3])
        #expect(Self.receive(server) == nil)
        Self.send([4], to: server)
        server.close()
        #expect(!Self.send([5], to: server))
        #expect(Self.receive(client) == [4])
        #expect(Self.receive(client) == [])
        withExtendedLifetime(socket) {}
    }

    @Test("only its owner may connect where there is no such group, and the name goes with it")
    func rights() throws {
        var status = stat()
        do {
            let socket = try listen()
            let found = unsafe stat(path, &status)
            #expect(found == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            withExtendedLifetime(socket) {}
        }
        let found = unsafe stat(path, &status)
        #expect(found != 0)
        #expect(try StreamSocket.connect(to: path, on: poll) == nil)
    }

    @Test("what an agent that was killed has left behind is no agent, and no hindrance")
    func stale() throws {
        _ = unsafe mkdir(folder.path + "/run", 0o755)
        let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let bound = unsafe LocalAddress.call(path) { unsafe bind(left, $0, $1) }
        #expect(bound == 0)
        close(left)
        #expect(try StreamSocket.connect(to: path, on: poll) == nil)
        let socket = try listen()
        #expect(try StreamSocket.connect(to: path, on: poll) != nil)
        withExtendedLifetime(socket) {}
    }

    @Test("a name that no socket can have belongs to no agent")
    func longName() throws {
        let long = folder.path + "/" + String(repeating: "x", count: 120)
        #expect(try StreamSocket.connect(to: long, on: poll) == nil)
        #expect(throws: Errno(ENAMETOOLONG)) {
            _ = try ConsoleSocket(long, group: "", on: poll) { _ in }
        }
    }

    @Test("what is not taken waits in its order, up to the bound")
    func backlog() throws {
        let accepted = Accepted()
        let socket = try listen(accepted)
        let client = try #require(try StreamSocket.connect(to: path, on: poll))
        poll.run { accepted.streams.count == 1 }
        let server = accepted.streams[0]
        let part = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        for _ in 0..<5 { Self.send(part, to: server) }
        var received: [UInt8] = []
        client.onReadable = { [unowned client] in
            received += Self.receive(client, count: 4096) ?? []
        }
        poll.run { received.count == 5 * part.count }
        #expect(received == part + part + part + part + part)
        client.onReadable = nil
        var taken = 0
        while Self.send(part, to: server) { taken += 1 }
        #expect(taken >= 10 && taken < 20)
        #expect(!Self.send([1], to: server))
        withExtendedLifetime(socket) {}
    }

    @Test("what was said before the peer went is read, also after writing in vain")
    func refusal() throws {
        let accepted = Accepted()
        let socket = try listen(accepted)
        let client = try #require(try StreamSocket.connect(to: path, on: poll))
        poll.run { accepted.streams.count == 1 }
        Self.send([1], to: accepted.streams[0])
        accepted.streams[0].close()
        #expect(Self.send([2], to: client))
        #expect(Self.receive(client) == [1])
        #expect(Self.receive(client) == [])
        withExtendedLifetime(socket) {}
    }

    @Test("a group's number is found in the system's table")
    func groups() {
        #expect(LocalGroup.id(of: "root") == 0)
        #expect(LocalGroup.id(of: "no such group") == nil)
    }
}

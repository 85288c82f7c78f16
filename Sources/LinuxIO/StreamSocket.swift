internal import CLinux
internal import Glibc
internal import MatterNode

/// One end of a connection between processes of this machine.
package final class StreamSocket: ByteStream, @unchecked Sendable {
    private var descriptor: Descriptor?
    private let poll: PollLoop
    /// Handed over and not yet taken; what is before `sent` is gone.
    private var backlog: [UInt8] = []
    private var sent = 0
    private var isWatched = false

    package var onReadable: (() -> Void)? {
        didSet { watch() }
    }

    package init(_ descriptor: consuming Descriptor, on poll: PollLoop) {
        self.descriptor = consume descriptor
        self.poll = poll
    }

    deinit { if let raw { poll.unwatch(raw) } }

    /// Connects to whoever listens at the path.
    /// - Returns: nil when nobody does.
    package static func connect(
        to path: String, on poll: PollLoop
    ) throws(Errno) -> StreamSocket? {
        do throws(Errno) { try LocalAddress.checkLength(path) } catch { return nil }
        let descriptor = try Descriptor { socket(AF_UNIX, type, 0) }
        let raw = descriptor.rawValue
        do throws(Errno) {
            try Syscall.call {
                unsafe LocalAddress.call(path) { unsafe Glibc.connect(raw, $0, $1) }
            }
        } catch {
            switch error.rawValue {
            case ENOENT, ENOTDIR, ECONNREFUSED: return nil
            default: throw error
            }
        }
        return StreamSocket(descriptor, on: poll)
    }

    package var peerUser: UInt32 {
        var user = UInt32.max
        if let raw { _ = unsafe clinux_peer_user(raw, &user) }
        return user
    }

    @_lifetime(buffer: copy buffer)
    package func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard let raw else { return 0 }
        // A connection that is reset has ended.
        do throws(Errno) { return try read(raw, into: &buffer) } catch { return 0 }
    }

    @_lifetime(buffer: copy buffer)
    private func read(
        _ raw: Int32, into buffer: inout MutableSpan<UInt8>
    ) throws(Errno) -> Int? {
        try Syscall.attempt {
            unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(raw, bytes.baseAddress, bytes.count)
            }
        }
    }

    package func send(_ bytes: Span<UInt8>) -> Bool {
        guard raw != nil else { return false }
        let waiting = backlog.count - sent
        guard waiting == 0 || waiting + bytes.count <= Limits.streamBacklog else {
            close()
            return false
        }
        let taken = waiting == 0 ? write(bytes) : 0
        for index in taken..<bytes.count { backlog.append(bytes[index]) }
        watch()
        return true
    }

    package func close() {
        if let raw, isWatched { poll.unwatch(raw) }
        isWatched = false
        descriptor = nil
        forget()
    }

    static let type =
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        | Int32(SOCK_CLOEXEC.rawValue)

    // MARK: Parts

    private var raw: Int32? { descriptor?.rawValue }

    /// - Returns: how many octets the system took. Where the peer has gone they are taken and
    ///   lost: what it said before is still to be read, and then its end.
    private func write(_ bytes: Span<UInt8>) -> Int {
        guard let raw else { return 0 }
        do throws(Errno) {
            return try Syscall.attempt {
                unsafe bytes.withUnsafeBytes { source in
                    unsafe Glibc.send(
                        raw, source.baseAddress, source.count, Int32(MSG_NOSIGNAL))
                }
            } ?? 0
        } catch { return bytes.count }
    }

    private func flush() {
        while backlog.count > sent {
            let count = write(backlog.span.extracting(sent..<backlog.count))
            if count == 0 { return }
            sent += count
        }
        forget()
        watch()
    }

    /// What was sent may have been typed at a hidden prompt.
    private func forget() {
        for index in backlog.indices { backlog[index] = 0 }
        backlog = []
        sent = 0
    }

    private func watch() {
        guard let raw else { return }
        var events: PollEvents = []
        if onReadable != nil { events.insert(.readable) }
        if backlog.count > sent { events.insert(.writable) }
        poll.change(raw, to: events, from: &isWatched) { [weak self] events in
            self?.handle(events)
        }
    }

    private func handle(_ events: PollEvents) {
        if backlog.count > sent { flush() }
        if !events.isDisjoint(with: [.readable, .hangup, .error]) { onReadable?() }
    }
}

internal import Base
internal import Glibc
package import MatterNode

/// ATT packets over a socket that keeps their bounds (SOCK_SEQPACKET): ATT's channel of a
/// Bluetooth LE link, or one end of a local pair in its stead.
package final class ATTSocket: ATTBearer, @unchecked Sendable {
    private var descriptor: Descriptor?
    private let poll: PollLoop
    private var isWatched = false
    /// `send` found no room.
    private var isFull = false

    package var onReadable: (() -> Void)? {
        didSet { watch() }
    }
    package var onWritable: (() -> Void)?

    /// - Parameter descriptor: does not block.
    package init(_ descriptor: consuming Descriptor, on poll: PollLoop) {
        self.descriptor = consume descriptor
        self.poll = poll
    }

    /// Takes over an open descriptor that does not block.
    package convenience init(owning raw: Int32, on poll: PollLoop) {
        self.init(Descriptor(owning: raw), on: poll)
    }

    deinit { if let raw { poll.unwatch(raw) } }

    /// A packet longer than the buffer, which is as long as both sides agreed on, ends the link.
    @_lifetime(buffer: copy buffer)
    package func receive(into buffer: inout MutableSpan<UInt8>) -> ATTInput {
        guard let raw else { return .closed }
        let room = buffer.count
        do throws(Errno) {
            let count = try Syscall.attempt {
                unsafe buffer.withUnsafeMutableBytes { bytes in
                    // With this flag the result is the packet's length, whatever was kept of it.
                    unsafe recv(raw, bytes.baseAddress, bytes.count, Int32(MSG_TRUNC))
                }
            }
            guard let count else { return .nothing }
            if count > 0, count <= room { return .packet(count) }
        } catch {
            // How the link ended is of no use to the reader.
        }
        close()
        return .closed
    }

    /// Where the link is gone the packet is taken and lost: the reader will see the end.
    package func send(_ bytes: Span<UInt8>) -> Bool {
        precondition(!bytes.isEmpty, "a packet has its opcode")
        guard let raw else { return true }
        do throws(Errno) {
            let taken = try Syscall.attempt {
                unsafe bytes.withUnsafeBytes { source in
                    unsafe Glibc.send(
                        raw, source.baseAddress, source.count, Int32(MSG_NOSIGNAL))
                }
            }
            guard taken == nil else { return true }
        } catch {
            return true
        }
        isFull = true
        watch()
        return false
    }

    package func close() {
        if let raw, isWatched { poll.unwatch(raw) }
        isWatched = false
        isFull = false
        descriptor = nil
    }

    // MARK: Parts

    private var raw: Int32? { descriptor?.rawValue }

    private func watch() {
        guard let raw else { return }
        var events: PollEvents = []
        if onReadable != nil { events.insert(.readable) }
        if isFull { events.insert(.writable) }
        poll.change(raw, to: events, from: &isWatched) { [weak self] events in
            self?.handle(events)
        }
    }

    private func handle(_ events: PollEvents) {
        if isFull, !events.isDisjoint(with: [.writable, .hangup, .error]) {
            isFull = false
            watch()
            onWritable?()
        }
        if !events.isDisjoint(with: [.readable, .hangup, .error]) { onReadable?() }
    }
}

// MARK: Connecting

extension ATTSocket {
    /// Waits until the connection that was begun is there.
    func connected(until deadline: Instant) async throws(BluetoothError) {
        guard let raw else { throw .connectionFailed(reason: nil) }
        let wait = LoopWait<PollEvents?>()
        poll.watch(raw, .writable) { [poll] events in
            poll.unwatch(raw)
            wait.resume(returning: events)
        }
        let timer = poll.loop.schedule(at: deadline) { wait.resume(returning: nil) }
        defer {
            poll.loop.cancel(timer)
            poll.unwatch(raw)
        }
        let result: PollEvents?
        do throws(CancellationError) { result = try await wait.value() } catch {
            throw .cancelled
        }
        guard let events = result else { throw .timedOut }
        let error = failure(raw)
        if error != 0 { throw BluetoothError(connecting: Errno(error)) }
        if events.contains(.hangup) { throw .connectionFailed(reason: nil) }
    }

    /// What became of the connection: an error's number, or 0.
    private func failure(_ raw: Int32) -> Int32 {
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe getsockopt(raw, SOL_SOCKET, SO_ERROR, &error, &size)
        return error
    }
}

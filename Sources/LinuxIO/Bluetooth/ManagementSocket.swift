internal import Base
internal import Glibc
internal import MatterNode

/// The kernel's Bluetooth management: commands, one at a time, and events.
///
/// Scope: whole messages and waiting for their answers. Not scope: what they mean.
final class ManagementSocket: @unchecked Sendable {
    private let descriptor: Descriptor
    private let poll: PollLoop
    private var inFlight: (opcode: UInt16, adapter: UInt16?, wait: LoopWait<Answer>)?

    /// Called with what is no answer, and with the adapter that it concerns.
    var onEvent: ((ManagementEvent, UInt16?) -> Void)?
    /// Called once, when the socket is of no use any more.
    var onEnd: (() -> Void)?

    private typealias Answer = Result<ManagementEvent, BluetoothError>

    /// - Parameter descriptor: does not block.
    init(_ descriptor: consuming Descriptor, on poll: PollLoop) {
        self.descriptor = descriptor
        self.poll = poll
        poll.watch(self.descriptor.rawValue) { [weak self] _ in self?.receive() }
    }

    deinit { poll.unwatch(descriptor.rawValue) }

    /// - Returns: the answer, a refusal too.
    func perform(
        _ command: ManagementCommand, adapter: UInt16?, within time: Duration
    ) async throws(BluetoothError) -> ManagementEvent {
        precondition(inFlight == nil, "commands are given one at a time")
        do throws(Errno) { try send(command, adapter: adapter) } catch {
            throw .system(errno: error.rawValue)
        }
        let wait = LoopWait<Answer>()
        inFlight = (command.opcode, adapter, wait)
        let timer = poll.loop.schedule(at: poll.loop.now + time) {
            wait.resume(returning: .failure(.timedOut))
        }
        defer {
            poll.loop.cancel(timer)
            inFlight = nil
        }
        let answer: Answer
        do throws(CancellationError) { answer = try await wait.value() } catch {
            throw .cancelled
        }
        return try answer.get()
    }

    private func send(_ command: ManagementCommand, adapter: UInt16?) throws(Errno) {
        var octets: [UInt8] = []
        do throws(ByteError) {
            octets = try [UInt8](capacity: ManagementCommand.maximumOctets) {
                (writer) throws(ByteError) in
                try command.write(&writer, adapter: adapter)
            }
        } catch { preconditionFailure("the longest command fits") }
        let raw = descriptor.rawValue
        let bytes = octets.span
        try Syscall.call {
            unsafe bytes.withUnsafeBytes { source in
                unsafe Glibc.send(
                    raw, source.baseAddress, source.count, Int32(MSG_NOSIGNAL))
            }
        }
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: Limits.managementEvent)
        let raw = descriptor.rawValue
        for _ in 0..<Limits.managementEvents {
            do throws(Errno) {
                let room = buffer.count
                let count = try Syscall.attempt { unsafe recv(raw, &buffer, room, 0) }
                guard let count else { return }
                guard count > 0 else { return end(errno: EPIPE) }
                let read = ManagementEvent.read(buffer.span.extracting(first: count))
                if let (event, adapter) = read { take(event, adapter) }
            } catch {
                return end(errno: error.rawValue)
            }
        }
    }

    /// An answer that nobody waits for any more is nobody's.
    private func take(_ event: ManagementEvent, _ adapter: UInt16?) {
        guard let opcode = event.answered else {
            if event == .indexRemoved, let inFlight, inFlight.adapter == adapter {
                inFlight.wait.resume(returning: .failure(.noAdapter))
            }
            onEvent?(event, adapter)
            return
        }
        if let inFlight, inFlight.opcode == opcode, inFlight.adapter == adapter {
            inFlight.wait.resume(returning: .success(event))
        }
    }

    private func end(errno: Int32) {
        poll.unwatch(descriptor.rawValue)
        inFlight?.wait.resume(returning: .failure(.system(errno: errno)))
        onEnd?()
    }
}

internal import Base
internal import CLinux
internal import Glibc
internal import MatterNode

/// The addresses of one name, looked up in a child process, so that a resolver that does not
/// answer keeps nobody waiting. It ends with its owner.
final class AddressLookup {
    enum Failure: Error, Equatable {
        case notFound
        case timedOut
        case system(Errno)
    }

    private let poll: PollLoop
    private let done: (Result<[IPAddress], Failure>) -> Void
    private let descriptor: Descriptor
    let child: pid_t
    private var timer: TimerID?

    /// - Parameter done: called once on the loop, not from within this call; not after the end.
    init(
        _ host: String, within limit: Duration, on poll: PollLoop,
        done: @escaping (Result<[IPAddress], Failure>) -> Void
    ) throws(Errno) {
        var child: pid_t = 0
        // The child ends by itself a little later, should this process be stopped meanwhile.
        let seconds = UInt32(clamping: limit.milliseconds / 1000 + 1)
        descriptor = try Descriptor { unsafe clinux_begin_lookup(host, seconds, &child) }
        self.child = child
        self.poll = poll
        self.done = done
        poll.watch(descriptor.rawValue) { [weak self] _ in self?.receive() }
        timer = poll.loop.schedule(at: poll.loop.now + limit) { [weak self] in
            self?.finish(.failure(.timedOut))
        }
    }

    deinit { end() }

    private func receive() {
        var answer = clinux_lookup()
        let size = MemoryLayout<clinux_lookup>.size
        let source = descriptor.rawValue
        let count = try? Syscall.attempt { unsafe read(source, &answer, size) }
        // A child that was ended, or had no memory, has written nothing.
        guard count == size else { return finish(.failure(.notFound)) }
        guard answer.error == 0 else {
            return finish(.failure(answer.error == EAI_AGAIN ? .timedOut : .notFound))
        }
        let found = unsafe withUnsafeBytes(of: &answer.found) { octets in
            unsafe Array(octets.bindMemory(to: clinux_peer.self).prefix(Int(answer.count)))
        }
        finish(.success(found.map { SocketAddress($0).address }))
    }

    private func finish(_ result: Result<[IPAddress], Failure>) {
        end()
        done(result)
    }

    private func end() {
        guard let timer else { return }
        poll.loop.cancel(timer)
        self.timer = nil
        poll.unwatch(descriptor.rawValue)
        Self.bury(child, on: poll)
    }

    /// A child that is being ended needs a moment.
    private static func bury(_ child: pid_t, on poll: PollLoop) {
        guard clinux_end_lookup(child) == 0 else { return }
        _ = poll.loop.schedule(at: poll.loop.now + Limits.childPatience) {
            bury(child, on: poll)
        }
    }
}

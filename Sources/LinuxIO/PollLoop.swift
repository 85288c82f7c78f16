internal import Base
internal import Glibc
package import MatterNode

/// Drives a `Loop` on this thread: runs what is ready, then waits in poll(2) for a descriptor or
/// for the next timer.
///
/// Scope: descriptors and waiting. Not scope: what is read from the descriptors. It belongs to
/// the thread that made it; a job that comes from another one stops the program.
package final class PollLoop {
    package let loop: Loop

    /// What poll(2) gets. A free place has the descriptor -1, which the kernel passes over.
    private var polled: [pollfd] = []
    /// Handlers, at the same places.
    private var handlers: [Handler?] = []

    /// A closure that is an array's element by itself costs an allocation with every call that
    /// is not optimised.
    private struct Handler {
        let call: (PollEvents) -> Void
    }

    package init() {
        loop = Loop(clock: MonotonicClock())
        polled.reserveCapacity(Limits.descriptors)
        handlers.reserveCapacity(Limits.descriptors)
    }

    // MARK: Descriptors

    /// Calls `handler` on every turn in which the descriptor has one of `events`, an error or a
    /// hang-up; it must read, or end the watch, or it is called again at once.
    ///
    /// Handlers may watch and unwatch anything, themselves too. A descriptor is watched once.
    package func watch(
        _ descriptor: Int32, _ events: PollEvents = .readable,
        _ handler: @escaping (PollEvents) -> Void
    ) {
        precondition(descriptor >= 0, "only an open descriptor can be watched")
        precondition(place(of: descriptor) == nil, "a descriptor has one watcher")
        let entry = pollfd(fd: descriptor, events: events.rawValue, revents: 0)
        if let free = place(of: -1) {
            polled[free] = entry
            handlers[free] = Handler(call: handler)
        } else {
            precondition(polled.count < Limits.descriptors, "the table of descriptors is full")
            polled.append(entry)
            handlers.append(Handler(call: handler))
        }
    }

    /// Changes what a watched descriptor is watched for.
    package func update(_ descriptor: Int32, _ events: PollEvents) {
        guard let place = place(of: descriptor) else {
            preconditionFailure("only a watched descriptor can be changed")
        }
        polled[place].events = events.rawValue
    }

    /// Ends the watch, if there is one; the handler is not called any more, not even in this
    /// turn. To be called before the descriptor is closed.
    package func unwatch(_ descriptor: Int32) {
        guard descriptor >= 0, let place = place(of: descriptor) else { return }
        polled[place] = pollfd(fd: -1, events: 0, revents: 0)
        handlers[place] = nil
    }

    /// Waits for these events from now on; for none the descriptor is not watched.
    /// - Parameter isWatched: whether it is so far, for the caller to keep.
    func change(
        _ descriptor: Int32, to events: PollEvents, from isWatched: inout Bool,
        _ handler: @escaping (PollEvents) -> Void
    ) {
        if events.isEmpty {
            if isWatched { unwatch(descriptor) }
        } else if isWatched {
            update(descriptor, events)
        } else {
            watch(descriptor, events, handler)
        }
        isWatched = !events.isEmpty
    }

    private func place(of descriptor: Int32) -> Int? {
        polled.firstIndex { $0.fd == descriptor }
    }

    // MARK: Running

    /// Runs until `isDone` is true at the end of a turn's work.
    package func run(until isDone: () -> Bool) {
        while true {
            loop.runReady()
            if isDone() { return }
            wait()
        }
    }

    /// Runs one flow to its end, and everything that becomes due meanwhile. For command lines.
    package func run<Value: Sendable, Failure: Error>(
        _ flow: sending @escaping @isolated(any) () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let outcome = Outcome<Value, Failure>()
        loop.spawn {
            do throws(Failure) {
                outcome.result = .success(try await flow())
            } catch {
                outcome.result = .failure(error)
            }
        }
        run { outcome.result != nil }
        guard let result = outcome.result else { preconditionFailure("the flow has ended") }
        return try result.get()
    }

    /// Waits for the next event, at most until the next timer, and calls whom it concerns.
    private func wait() {
        let timeout = timeoutMilliseconds
        precondition(
            timeout >= 0 || polled.contains { $0.fd >= 0 },
            "nothing is ready, scheduled or watched: the wait would have no end")
        let count = unsafe poll(&polled, nfds_t(polled.count), timeout)
        if count < 0 {
            precondition(errno == EINTR || errno == EAGAIN, "poll's arguments are our own")
        } else if count > 0 {
            dispatch()
        }
        loop.fireTimers(at: loop.now)
    }

    /// Rounded up: a timer never fires early, and the loop does not spin for what is left of a
    /// millisecond. -1 waits without end.
    private var timeoutMilliseconds: Int32 {
        guard let deadline = loop.nextDeadline, deadline != .distantFuture else { return -1 }
        let left = deadline.nanoseconds.subtractingReportingOverflow(loop.now.nanoseconds)
        guard !left.overflow, left.partialValue > 0 else { return 0 }
        return Int32(clamping: (left.partialValue - 1) / 1_000_000 + 1)
    }

    private func dispatch() {
        // What handlers add has no events yet, at the end as well as at a place that was freed.
        for place in polled.indices where polled[place].revents != 0 {
            let events = PollEvents(rawValue: polled[place].revents)
            polled[place].revents = 0
            precondition(!events.contains(.invalid), "a watched descriptor was closed")
            handlers[place]?.call(events)
        }
    }
}

/// poll(2)'s events.
package struct PollEvents: OptionSet, Sendable {
    package let rawValue: Int16

    package init(rawValue: Int16) {
        self.rawValue = rawValue
    }

    package static let readable = PollEvents(rawValue: Int16(POLLIN))
    package static let writable = PollEvents(rawValue: Int16(POLLOUT))
    /// Out-of-band data, or the change of a kernel file that announces changes so.
    package static let priority = PollEvents(rawValue: Int16(POLLPRI))
    /// Reported without being asked for, like the next two.
    package static let error = PollEvents(rawValue: Int16(POLLERR))
    package static let hangup = PollEvents(rawValue: Int16(POLLHUP))
    static let invalid = PollEvents(rawValue: Int16(POLLNVAL))
}

/// Where a flow leaves its result. Both sides are on the loop's thread.
private final class Outcome<Value: Sendable, Failure: Error>: @unchecked Sendable {
    var result: Result<Value, Failure>?
}

/// The machine's clock, on the thread on which it was made.
@safe private final class MonotonicClock: LoopClock {
    private let thread = pthread_self()

    var now: Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    var isLoopThread: Bool { pthread_equal(pthread_self(), thread) != 0 }
}

package import Base

/// The one thread that everything runs on: a queue of ready jobs and a table of timers.
///
/// Actors of the gateway and the virtual devices have it as their executor, so calls among them
/// need no queue, and a run with the same inputs takes the same course. What drives it differs:
/// `PollLoop` waits in poll(2) between turns, a simulation jumps to the next deadline.
///
/// Scope: order and time. Not scope: descriptors, signals.
@safe package final class Loop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    private var ready: [UnownedJob] = []
    private var timers = TimerTable()

    private let clock: any LoopClock

    package init(clock: any LoopClock) {
        self.clock = clock
    }

    package var now: Instant { clock.now }

    // MARK: Executor

    package func enqueue(_ job: consuming ExecutorJob) {
        precondition(clock.isLoopThread, "a job came from a foreign thread")
        ready.append(UnownedJob(job))
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        unsafe UnownedTaskExecutor(ordinary: self)
    }

    package func checkIsolated() {
        precondition(clock.isLoopThread, "the loop's state belongs to its thread")
    }

    package func isIsolatingCurrentContext() -> Bool? { clock.isLoopThread }

    // MARK: Work

    /// Starts a flow. Every task of the product is born here, so that all of it runs on the loop.
    @discardableResult
    package func spawn(
        _ body: sending @escaping @isolated(any) () async -> Void
    ) -> LoopTask {
        Task(executorPreference: self) { await body() }
    }

    /// Runs everything that is ready, and what becomes ready by it; then the loop may wait.
    package func runReady() {
        var index = 0
        while index < ready.count {
            let job = ready[index]
            index += 1
            unsafe job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
        ready.removeAll(keepingCapacity: true)
    }

    /// True when no job is waiting; virtual time may move only then.
    package var isIdle: Bool { ready.isEmpty }

    // MARK: Timers

    /// Those that are scheduled.
    package var timerCount: Int { timers.count }

    /// When the next timer is due.
    package var nextDeadline: Instant? { timers.nextDeadline }

    /// Calls `action` once at `deadline`, never earlier; equal deadlines keep their order.
    package func schedule(
        at deadline: Instant, _ action: @escaping () -> Void
    ) -> TimerID {
        timers.insert(deadline: deadline, action: action)
    }

    package func cancel(_ timer: TimerID) {
        timers.remove(timer)
    }

    /// Calls the actions of all timers due at `now`.
    package func fireTimers(at now: Instant) {
        while let action = timers.popDue(at: now) { action() }
    }

    /// Waits until `deadline`, or ends at once with the task's cancellation.
    package func sleep(until deadline: Instant) async throws(CancellationError) {
        let wait = LoopWait<Void>()
        let timer = schedule(at: deadline) { wait.resume(with: .success(())) }
        defer { cancel(timer) }
        try await wait.value()
    }

    package func sleep(for duration: Duration) async throws(CancellationError) {
        try await sleep(until: now + duration)
    }
}

/// A flow that was started on a loop.
package typealias LoopTask = Task<Void, Never>

/// The time a loop lives by.
package protocol LoopClock: AnyObject {
    /// The monotonic clock of the machine, or of a simulation.
    var now: Instant { get }
    /// Whether the caller is on the loop's thread; a job from elsewhere is our own fault.
    var isLoopThread: Bool { get }
}

/// Names a timer that was scheduled; a fired or cancelled one is never named again.
package struct TimerID: Hashable, Sendable {
    fileprivate let sequence: UInt64
}

/// Timers ordered by deadline, then by the order in which they were made.
private struct TimerTable {
    private struct Entry {
        let deadline: Instant
        let id: TimerID
        let action: () -> Void
    }

    /// Latest first, so that the next due is taken from the end. A node has a handful of timers
    /// and each node of a hundred has one, so that an insertion moves little.
    private var entries: [Entry] = []
    private var sequence: UInt64 = 0

    var count: Int { entries.count }
    var nextDeadline: Instant? { entries.last?.deadline }

    mutating func insert(deadline: Instant, action: @escaping () -> Void) -> TimerID {
        sequence += 1
        let entry = Entry(deadline: deadline, id: TimerID(sequence: sequence), action: action)
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].deadline > deadline { low = middle + 1 } else { high = middle }
        }
        entries.insert(entry, at: low)
        return entry.id
    }

    mutating func remove(_ id: TimerID) {
        guard let index = entries.lastIndex(where: { $0.id == id }) else { return }
        entries.remove(at: index)
    }

    mutating func popDue(at now: Instant) -> (() -> Void)? {
        guard let next = entries.last, next.deadline <= now else { return nil }
        return entries.removeLast().action
    }
}

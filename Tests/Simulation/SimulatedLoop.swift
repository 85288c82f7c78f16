package import Base
internal import Glibc
package import MatterNode

/// Drives a `Loop` at virtual time: runs what is ready, and jumps to the next deadline only when
/// nothing is. The same inputs take the same course, and an hour takes no time.
package final class SimulatedLoop: @unchecked Sendable {
    package let loop: Loop
    private let clock = SimulatedClock()
    /// Times that ready jobs were run until there were none.
    package private(set) var turns = 0
    /// Called after each turn with its number; may make more ready.
    package var onTurn: ((Int) -> Void)?

    private let turnsBound: Int

    /// - Parameter turnsBound: a commissioning takes some hundred, a device a million in a month.
    package init(turnsBound: Int = 1_000_000) {
        loop = Loop(clock: clock)
        self.turnsBound = turnsBound
    }

    package var now: Instant { clock.now }

    /// Nothing is ready and nothing is scheduled.
    package var isQuiet: Bool { loop.isIdle && loop.nextDeadline == nil }

    /// Goes on for this long.
    package func run(for duration: Duration) { run(until: now + duration) }

    package func run(until end: Instant) {
        while step(until: end) {}
        clock.now = max(clock.now, end)
    }

    /// Goes on until nothing is ready or scheduled any more.
    /// - Returns: false when something still is at the end of the time given.
    package func runUntilQuiet(within limit: Duration) -> Bool {
        let end = now + limit
        while !isQuiet {
            guard step(until: end) else {
                clock.now = end
                return false
            }
        }
        return true
    }

    /// Time passes while nothing runs, as when a call does not come back for so long.
    package func block(for duration: Duration) { clock.now = clock.now + duration }

    /// Begins a flow, which runs as far as it can when the loop is run next.
    package func start<Value: Sendable, Failure: Error>(
        _ body: sending @escaping @isolated(any) () async throws(Failure) -> Value
    ) -> Flow<Value, Failure> {
        let flow = Flow<Value, Failure>()
        let loop = loop
        flow.task = loop.spawn {
            do throws(Failure) {
                flow.result = .success(try await body())
            } catch {
                flow.result = .failure(error)
            }
            flow.endedAt = loop.now
        }
        return flow
    }

    /// Goes on until the flow has ended.
    /// - Returns: nil when it has not at the end of the time given.
    @discardableResult
    package func finish<Value: Sendable, Failure: Error>(
        _ flow: Flow<Value, Failure>, within limit: Duration = .seconds(3600)
    ) -> Result<Value, Failure>? {
        let end = now + limit
        while flow.result == nil {
            guard step(until: end) else {
                clock.now = end
                return nil
            }
        }
        return flow.result
    }

    /// Begins a flow and goes on until it has ended.
    package func run<Value: Sendable, Failure: Error>(
        within limit: Duration = .seconds(3600),
        _ body: sending @escaping @isolated(any) () async throws(Failure) -> Value
    ) -> Result<Value, Failure>? {
        finish(start(body), within: limit)
    }

    /// One flow of a test.
    package final class Flow<Value: Sendable, Failure: Error>: @unchecked Sendable {
        package fileprivate(set) var result: Result<Value, Failure>?
        package fileprivate(set) var endedAt: Instant?
        fileprivate var task: Task<Void, Never>?

        package func cancel() { task?.cancel() }

        package var value: Value? { if case .success(let value)? = result { value } else { nil } }
        package var error: Failure? {
            if case .failure(let error)? = result { error } else { nil }
        }
    }

    /// Runs the ready jobs or, when there are none, calls the timers that are due next.
    /// - Returns: false when nothing is left until `end`.
    private func step(until end: Instant) -> Bool {
        if !loop.isIdle {
            loop.runReady()
            turns += 1
            precondition(turns < turnsBound, "the simulation has no end")
            onTurn?(turns)
            return true
        }
        guard let deadline = loop.nextDeadline, deadline <= end, deadline != .distantFuture else {
            return false
        }
        clock.now = max(clock.now, deadline)
        loop.fireTimers(at: clock.now)
        return true
    }
}

private final class SimulatedClock: LoopClock {
    var now = Instant(nanoseconds: 0)
    private let thread = pthread_self()

    var isLoopThread: Bool { pthread_equal(thread, pthread_self()) != 0 }
}

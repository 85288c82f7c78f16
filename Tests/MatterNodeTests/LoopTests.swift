import Base
import MatterNode
import Testing

/// A clock that a test moves.
private final class ManualClock: LoopClock {
    var now = Instant(nanoseconds: 0)
    let isLoopThread = true
}

private final class Trace: @unchecked Sendable {
    var entries: [String] = []
}

@Suite("Loop")
struct LoopTests {
    private let clock = ManualClock()
    private let trace = Trace()

    @Test("timers fire in the order of their deadlines, equal ones as they were made")
    func order() {
        let loop = Loop(clock: clock)
        for (name, at) in [("c", 30), ("a", 10), ("b1", 20), ("b2", 20)] {
            _ = loop.schedule(at: Instant(nanoseconds: Int64(at))) { [trace] in
                trace.entries.append(name)
            }
        }
        #expect(loop.nextDeadline == Instant(nanoseconds: 10))
        loop.fireTimers(at: Instant(nanoseconds: 9))
        #expect(trace.entries.isEmpty)
        loop.fireTimers(at: Instant(nanoseconds: 20))
        #expect(trace.entries == ["a", "b1", "b2"])
        #expect(loop.nextDeadline == Instant(nanoseconds: 30))
    }

    @Test("a cancelled timer never fires, not even when cancelled by one due at the same time")
    func cancel() {
        let loop = Loop(clock: clock)
        let deadline = Instant(nanoseconds: 5)
        var second: TimerID?
        _ = loop.schedule(at: deadline) { if let second { loop.cancel(second) } }
        second = loop.schedule(at: deadline) { [trace] in trace.entries.append("second") }
        loop.fireTimers(at: deadline)
        #expect(trace.entries.isEmpty)
        #expect(loop.nextDeadline == nil)
    }

    @Test("flows run in the order in which they were spawned and interleave at their waits")
    func flows() {
        let loop = Loop(clock: clock)
        for name in ["a", "b"] {
            loop.spawn { [trace] in
                trace.entries.append("\(name)1")
                try? await loop.sleep(for: .milliseconds(1))
                trace.entries.append("\(name)2")
            }
        }
        loop.runReady()
        #expect(trace.entries == ["a1", "b1"])
        clock.now = clock.now + .milliseconds(1)
        loop.fireTimers(at: clock.now)
        loop.runReady()
        #expect(trace.entries == ["a1", "b1", "a2", "b2"])
        #expect(loop.isIdle)
    }

    @Test("a cancelled sleep ends at once and leaves no timer")
    func cancelledSleep() {
        let loop = Loop(clock: clock)
        let task = loop.spawn { [trace] in
            do throws(CancellationError) {
                try await loop.sleep(for: .seconds(60))
                trace.entries.append("slept")
            } catch {
                trace.entries.append("cancelled")
            }
        }
        loop.runReady()
        #expect(loop.nextDeadline != nil)
        task.cancel()
        loop.runReady()
        #expect(trace.entries == ["cancelled"])
        #expect(loop.nextDeadline == nil)
    }

    @Test("children of a task group stay on the loop")
    func group() {
        let loop = Loop(clock: clock)
        loop.spawn { [trace] in
            await withTaskGroup(of: Int.self) { group in
                for number in 1...3 { group.addTask { number } }
                for await number in group { trace.entries.append("\(number)") }
            }
        }
        loop.runReady()
        #expect(trace.entries == ["1", "2", "3"])
    }

    @Test("a wait delivers its first value, before or after the waiting began")
    func wait() {
        let loop = Loop(clock: clock)
        let early = LoopWait<Int>()
        early.resume(returning: 1)
        early.resume(returning: 2)
        let late = LoopWait<Int>()
        loop.spawn { [trace] in
            trace.entries.append("\((try? await early.value()) ?? 0)")
            trace.entries.append("\((try? await late.value()) ?? 0)")
        }
        loop.runReady()
        #expect(trace.entries == ["1"])
        late.resume(returning: 3)
        late.resume(returning: 4)
        loop.runReady()
        #expect(trace.entries == ["1", "3"])
    }

    @Test("a deadline beyond what can be counted is the distant future")
    func distantFuture() {
        let loop = Loop(clock: clock)
        clock.now = Instant(nanoseconds: .max - 1)
        _ = loop.schedule(at: loop.now + .seconds(1)) {}
        #expect(loop.nextDeadline == .distantFuture)
    }
}

import Base
import MatterNode
import Simulation
import Testing

@Suite("LoopQueue")
struct LoopQueueTests {
    private let sim = SimulatedLoop()

    private func next(
        _ queue: LoopQueue<Int>, until seconds: Int = 10
    ) -> SimulatedLoop.Flow<Int?, CancellationError> {
        let deadline = Instant(nanoseconds: Int64(seconds) * 1_000_000_000)
        return sim.start { () async throws(CancellationError) -> Int? in
            try await queue.next(until: deadline)
        }
    }

    @Test("elements come in their order, and beyond the bound they are refused")
    func order() {
        let queue = LoopQueue<Int>(on: sim.loop, bound: 3)
        #expect((1...5).map { queue.push($0) } == [true, true, true, false, false])
        for expected in [1, 2, 3] {
            let flow = next(queue)
            sim.finish(flow)
            #expect(flow.value == expected)
        }
        #expect(queue.push(6))
    }

    @Test("a wait ends with what comes, or with nothing at its deadline")
    func deadline() {
        let queue = LoopQueue<Int>(on: sim.loop, bound: 3)
        let first = next(queue)
        _ = sim.loop.schedule(at: Instant(nanoseconds: 4_000_000_000)) { queue.push(1) }
        sim.finish(first)
        #expect(first.value == 1)
        #expect(first.endedAt == Instant(nanoseconds: 4_000_000_000))
        #expect(sim.isQuiet)
        let second = next(queue)
        sim.finish(second)
        #expect(second.result != nil && second.value == .some(nil))
        #expect(second.endedAt == Instant(nanoseconds: 10_000_000_000))
        #expect(sim.isQuiet)
    }

    @Test("an element that comes at the deadline itself is taken, or kept for the next wait")
    func together() {
        let queue = LoopQueue<Int>(on: sim.loop, bound: 3)
        let first = next(queue)
        sim.run(for: .seconds(1))
        _ = sim.loop.schedule(at: Instant(nanoseconds: 10_000_000_000)) { queue.push(1) }
        sim.finish(first)
        #expect(first.value == .some(1))
        #expect(sim.isQuiet)
    }

    @Test("a cancelled wait throws at once, keeps the elements and leaves no timer")
    func cancellation() {
        let queue = LoopQueue<Int>(on: sim.loop, bound: 3)
        let flow = next(queue)
        sim.run(for: .seconds(1))
        flow.cancel()
        queue.push(1)
        sim.run(for: .zero)
        #expect(flow.error != nil)
        #expect(sim.isQuiet)
        let cancelled = next(queue)
        cancelled.cancel()
        sim.finish(cancelled)
        #expect(cancelled.error != nil)
        let after = next(queue)
        sim.finish(after)
        #expect(after.value == 1)
    }
}

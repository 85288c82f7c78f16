import Base
import Matter
import MatterNode
import Simulation
import Testing

private final class Trace: @unchecked Sendable {
    var entries: [String] = []
}

@Suite("Simulation")
struct SimulationTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Sends datagrams of one octet each and gives back what arrived, as `milliseconds:octet`.
    private func arrivals(
        count: Int, seed: UInt64, _ faults: FaultProfile, size: Int = 1
    ) throws -> [String] {
        let sim = SimulatedLoop()
        let network = SimulatedNetwork(loop: sim.loop, seed: seed)
        network.faults = faults
        let sender = network.link(at: SocketAddress(.simulated(1), port: 1))
        let receiver = network.link(at: SocketAddress(.simulated(2), port: 2))
        let trace = Trace()
        receiver.onReadable = { [unowned receiver] in
            var buffer = [UInt8](repeating: 0, count: 2000)
            var span = buffer.mutableSpan
            guard let source = receiver.receive(into: &span) else { return }
            precondition(source.count == size)
            trace.entries.append("\(sim.now.nanoseconds / 1_000_000):\(buffer[0])")
        }
        for number in 0..<count {
            var datagram = [UInt8](repeating: 0, count: size)
            datagram[0] = UInt8(number)
            sender.send(datagram.span, to: receiver.address)
        }
        #expect(sim.runUntilQuiet(within: .seconds(10)))
        return trace.entries
    }

    @Test("time stands still while anything is ready, and then jumps to the next deadline")
    func time() {
        let sim = SimulatedLoop()
        let trace = Trace()
        for name in ["a", "b"] {
            _ = sim.start { () async throws(CancellationError) -> Void in
                trace.entries.append("\(name) \(sim.now.nanoseconds)")
                try await sim.loop.sleep(for: .seconds(3600))
                trace.entries.append("\(name) \(sim.now.nanoseconds)")
            }
        }
        sim.run(for: .seconds(1))
        #expect(trace.entries == ["a 0", "b 0"])
        #expect(sim.now == Instant(nanoseconds: 1_000_000_000))
        #expect(!sim.isQuiet)
        #expect(sim.runUntilQuiet(within: .seconds(4000)))
        #expect(trace.entries.suffix(2) == ["a 3600000000000", "b 3600000000000"])
    }

    @Test("a flow that has not ended at the end of its time has no result")
    func unfinished() {
        let sim = SimulatedLoop()
        let flow = sim.start { () async throws(CancellationError) -> Int in
            try await sim.loop.sleep(for: .seconds(10))
            return 1
        }
        #expect(sim.finish(flow, within: .seconds(9)) == nil)
        #expect(!sim.runUntilQuiet(within: .milliseconds(500)))
        sim.finish(flow, within: .seconds(1))
        #expect(flow.value == 1)
    }

    @Test("a clean network carries everything once, in its order")
    func clean() throws {
        let found = try arrivals(count: 5, seed: 1, FaultProfile())
        #expect(found == ["1:0", "1:1", "1:2", "1:3", "1:4"])
    }

    @Test("drops, repetitions and delays have their shares and bounds")
    func faults() throws {
        #expect(try arrivals(count: 50, seed: 1, FaultProfile(drop: 1)).isEmpty)
        #expect(try arrivals(count: 50, seed: 1, FaultProfile(duplicate: 1)).count == 100)
        let half = try arrivals(count: 200, seed: 1, FaultProfile(drop: 0.5))
        #expect((60...140).contains(half.count))
        let late = try arrivals(
            count: 200, seed: 1, FaultProfile(delay: .milliseconds(10)...(.milliseconds(90))))
        let times = late.compactMap { Int($0.prefix { $0 != ":" }) }
        #expect(times == times.sorted() && times.count == 200)
        #expect((10...90).contains(times[0]) && (10...90).contains(times[199]))
        #expect(times[199] - times[0] > 60)
    }

    @Test("the seed makes the course, and the size of datagrams does not")
    func seeds() throws {
        let faults = FaultProfile(
            drop: 0.3, duplicate: 0.3, delay: .milliseconds(1)...(.milliseconds(90)))
        let course = try arrivals(count: 50, seed: 7, faults)
        #expect(try arrivals(count: 50, seed: 7, faults) == course)
        #expect(try arrivals(count: 50, seed: 7, faults, size: 900) == course)
        #expect(try arrivals(count: 50, seed: 8, faults) != course)
    }

    @Test("a store fails at the calls that it is told to, and changes nothing then")
    func store() throws {
        let store = MemoryStore()
        let run = RunRecord(nodeID: NodeID(1), step: 10, startedAt: 0)
        store.failing = [1, 3]
        #expect(throws: StoreError.full) { try store.save(run) }
        #expect(store.storedRuns.isEmpty)
        try store.save(run)
        #expect(throws: StoreError.full) { try store.endRun(NodeID(1)) }
        #expect(store.storedRuns == [run])
        try store.endRun(NodeID(1))
        #expect(store.storedRuns.isEmpty)
        #expect(store.calls == ["save run", "save run", "end run", "end run"])
    }
}

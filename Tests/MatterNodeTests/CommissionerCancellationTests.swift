import Base
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Commissioner: cancellation")
struct CommissionerCancellationTests {
    /// How long what is said to the device in the background may take.
    private static let bound = Duration.seconds(30)

    private enum Moment { case turn, datagram }

    /// Cancels one run at the Nth moment.
    /// - Returns: false when the run had ended before.
    private func cancel(at number: Int, _ moment: Moment, _ faults: FaultProfile) throws -> Bool {
        let world = World(seed: UInt64(number), faults: faults)
        let device = world.device()
        world.sim.run(for: .seconds(1))
        let flow = world.commission()
        var cancelledAt: Instant?
        func cancel() {
            guard flow.result == nil, cancelledAt == nil else { return }
            cancelledAt = world.sim.now
            flow.cancel()
        }
        let turns = world.sim.turns
        let sent = world.network.sent
        world.sim.onTurn = { turn in
            if moment == .turn, turn - turns == number { cancel() }
        }
        world.network.carries = { datagram in
            if moment == .datagram, datagram.number - sent == number { cancel() }
            return true
        }
        world.sim.finish(flow, within: .seconds(120))
        guard let cancelledAt else { return false }
        let place = "\(moment) \(number), \(world.steps.last.map { "\($0)" } ?? "")"
        let endedAt = try #require(flow.endedAt, "\(place)")
        #expect(endedAt == cancelledAt, "\(place)")
        let quietAfter = world.sim.now + Self.bound
        let left = world.leftovers(within: .seconds(300))
        // The device's own fail-safe may be the last thing that ends.
        if device.failSafeExpiries == 0 { #expect(world.sim.now <= quietAfter, "\(place)") }
        #expect(world.store.storedRuns.isEmpty, "\(place)")
        if let made = flow.value {
            #expect(world.store.storedNodes == [made.node], "\(place)")
            #expect(left == .init(sessions: 1), "\(place)")
            return true
        }
        #expect(flow.error?.cause == .cancelled, "\(place): \(String(describing: flow.error))")
        #expect(left == .init(), "\(place)")
        #expect(world.store.storedNodes.isEmpty, "\(place)")
        #expect(device.isUntouched, "\(place)")
        // On a bad network the disarming can overtake what armed it, or be lost for good.
        guard faults.drop == 0 else { return true }
        #expect(device.failSafeExpiries == 0, "\(place)")
        // What was complete already is not disarmed but removed.
        let complete = DeviceRequest.invoke(GeneralCommissioning.CommissioningComplete.self)
        if device.count(complete) == 0, let last = device.armings.last {
            #expect(last == 0, "\(place)")
        }
        return true
    }

    @Test("cancelled at any turn, the run ends at once and the device is disarmed behind it")
    func turns() throws {
        var number = 1
        while try cancel(at: number, .turn, FaultProfile()) { number += 1 }
        #expect(number > 15)
    }

    @Test("cancelled as any datagram is sent, likewise")
    func datagrams() throws {
        var number = 1
        while try cancel(at: number, .datagram, FaultProfile()) { number += 1 }
        #expect(number > 40)
    }

    @Test("cancelled anywhere on a bad network, the run ends at once and leaves nothing here")
    func lossy() throws {
        for number in 1...100 {
            _ = try cancel(at: number, .datagram, .lossy)
        }
    }
}

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
        if number == 0 { cancel() }
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
        // At 0 before it has begun.
        var number = 0
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

    /// A run in which the device does something else, cancelled in the middle of a wait.
    private func cancel(
        after seconds: Int, in step: CommissioningStep, passcode: UInt32 = 20_202_021,
        _ reaction: DeviceReaction, to request: DeviceRequest, announcesIdentity: Bool = true
    ) {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.announcesIdentity = announcesIdentity
        let device = world.device(1, settings)
        device.react = { $0 == request ? reaction : .proceed }
        let flow = world.commission(World.request(passcode))
        world.sim.run(for: .seconds(seconds))
        #expect(flow.result == nil, "\(step)")
        #expect(world.steps.last == step)
        flow.cancel()
        world.sim.run(for: .zero)
        #expect(flow.error?.cause == .cancelled, "\(step)")
        #expect(flow.endedAt == world.sim.now, "\(step)")
        #expect(world.leftovers() == .init(), "\(step)")
        #expect(device.isUntouched, "\(step)")
        #expect(world.store.storedNodes.isEmpty && world.store.storedRuns.isEmpty, "\(step)")
    }

    @Test("cancelled while it waits for a device that is busy, mute, slow to appear or wrong")
    func waits() {
        let begin = DeviceRequest.handshake(.pbkdfParamRequest)
        let busy = DeviceReaction.report(.busy(wait: .seconds(8)))
        cancel(after: 4, in: .establishPASE, busy, to: begin)
        cancel(after: 4, in: .establishPASE, .mute, to: begin)
        // Whether another device knows this passcode.
        cancel(after: 2, in: .establishPASE, passcode: 12_345_679, .proceed, to: begin)
        let csr = DeviceRequest.invoke(OperationalCredentials.CSRRequest.self)
        cancel(after: 20, in: .requestCSR, .mute, to: csr)
        cancel(after: 10, in: .establishCASE, .proceed, to: begin, announcesIdentity: false)
        cancel(after: 40, in: .establishCASE, .proceed, to: begin, announcesIdentity: false)
    }

    @Test("what goes on behind a cancelled run can be awaited, and then all is undone")
    func awaited() throws {
        let world = World()
        let device = world.device()
        device.react = {
            $0 == .invoke(OperationalCredentials.CSRRequest.self) ? .mute : .proceed
        }
        let flow = world.commission()
        world.sim.run(for: .seconds(2))
        #expect(world.undoing.isEmpty)
        flow.cancel()
        world.sim.finish(flow)
        #expect(device.isArmed)
        let task = try #require(world.undoing.first)
        _ = world.sim.run { () async throws(Never) -> Void in await task.value }
        #expect(device.isUntouched && device.wasDisarmed)
        #expect(world.leftoversNow.sessions == 0)
        #expect(world.undoing.count == 1)
    }

    @Test("cancelled while it undoes a failure, the run tells the failure in bounded time")
    func undoing() throws {
        let world = World()
        let device = world.device()
        let csr = DeviceRequest.invoke(OperationalCredentials.CSRRequest.self)
        device.react = { [unowned device] request in
            if request == csr { device.react = { _ in .vanish } }
            return request == csr ? .code(1) : .proceed
        }
        let flow = world.commission()
        world.sim.run(for: .seconds(2))
        #expect(flow.result == nil)
        flow.cancel()
        world.sim.finish(flow, within: Self.bound)
        #expect(flow.error?.step == .requestCSR)
        #expect(flow.error?.cause != .cancelled)
        #expect(world.leftovers() == .init())
        #expect(device.isUntouched)
    }
}

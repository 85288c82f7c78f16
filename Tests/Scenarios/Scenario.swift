internal import Base
internal import CSeededRandom
internal import Matter
internal import MatterNode
internal import Simulation
internal import VirtualDevice

/// A gateway and its devices through a storm of faults and the calm after it. One seed takes the
/// same course each time, to the bit.
package final class Scenario {
    private let plan: Plan
    private let world: World
    private let canary: Canary?
    /// All lives of the gateway; the last one goes on.
    private var lives: [GatewayLife] = []
    /// Counted over all lives.
    private var writes = 0
    private var isStorm = true
    /// Devices that get their power back.
    private var returning = 0
    private var result: ScenarioResult

    /// What a canary breaks, for the proof that each checker finds what it looks for.
    package enum Canary: String, CaseIterable, Sendable {
        case wire, agreement, liveness, leftovers
    }

    /// Once faults stop: the longest fail-safe of an interrupted run, the pause between two
    /// settlings of it, and a commissioning.
    private static let calmBound = Duration.seconds(1200)
    /// A poll every five seconds, of three devices that may each need a new session.
    private static let freshness = Duration.seconds(60)
    /// A process that was killed starts again after this.
    private static let timeToRestart = Duration.milliseconds(700)

    /// - Parameter isBluetooth: whether the devices are out of the box.
    package static func run(
        seed: UInt64, isBluetooth: Bool = false, canary: Canary? = nil
    ) -> ScenarioResult {
        seeded_random_begin(seed)
        defer { seeded_random_end() }
        let scenario = Scenario(Plan(seed: seed, isBluetooth: isBluetooth), canary)
        return scenario.complete()
    }

    private init(_ plan: Plan, _ canary: Canary?) {
        self.plan = plan
        self.canary = canary
        result = ScenarioResult(seed: plan.seed)
        world = World(plan)
        world.wire.isBroken = canary == .wire
    }

    private func complete() -> ScenarioResult {
        if plan.kinds.contains(.clock1970) { world.tally.add(.clock1970) }
        startLife()
        world.network.faults = plan.network
        if let air = plan.air { world.air?.faults = air.faults }
        for incident in plan.incidents { schedule(incident) }
        world.sim.run(for: plan.storm)
        calmDown()
        var waited = Duration.zero
        while waited < Self.calmBound, !isSettled {
            world.sim.run(for: .seconds(5))
            waited = waited + .seconds(5)
            for house in world.devices where !isNode(house) { house.device.openWindow() }
        }
        checkLiveness()
        end()
        finishResult()
        return result
    }

    // MARK: Lives

    private var life: GatewayLife { lives[lives.count - 1] }

    private func startLife() {
        let life = GatewayLife(world, number: lives.count + 1) {
            [unowned self] (_, isDone) throws(StoreError) in try meetWrite(isDone)
        }
        lives.append(life)
        life.start()
    }

    private func kill() {
        life.kill()
        _ = world.sim.loop.schedule(at: world.sim.now + Self.timeToRestart) { [unowned self] in
            startLife()
        }
    }

    /// Called before and after each write.
    private func meetWrite(_ isDone: Bool) throws(StoreError) {
        guard isStorm else { return }
        if !isDone { writes += 1 }
        world.trace.note(.write, at: world.sim.now, [isDone ? 1 : 0])
        if let fault = plan.writes[writes] { world.note("write \(writes) \(isDone): \(fault)") }
        switch plan.writes[writes] {
        case nil: break
        case .killBefore:
            guard !isDone else { return }
            world.tally.add(.killBeforeWrite)
            kill()
            throw .inUse
        case .killAfter:
            guard isDone else { return }
            world.tally.add(.killAfterWrite)
            kill()
        case .stall(let time):
            guard !isDone else { return }
            world.tally.add(.stall)
            world.sim.block(for: time)
        case .full:
            guard !isDone else { return }
            world.tally.add(.diskFull)
            throw .full
        case .error:
            guard !isDone else { return }
            world.tally.add(.ioError)
            throw .failed(code: 10)
        }
    }

    // MARK: The storm and the calm

    private func schedule(_ incident: Plan.Incident) {
        _ = world.sim.loop.schedule(at: world.sim.now + incident.time) { [unowned self] in
            happen(incident.event)
        }
    }

    private func happen(_ event: Plan.Incident.Event) {
        world.note("\(event)")
        switch event {
        case .partition(let device, let time):
            let address = device.map { world.devices[$0].link.address.address }
            cutOff(address ?? World.gatewayAddress, for: time)
        case .addressChange(let device):
            world.tally.add(.addressChange)
            world.move(device, to: .simulated(0x200 + UInt16(world.tally[.addressChange])))
        case .reboot(let device, let time):
            world.tally.add(.deviceReboot)
            let device = world.devices[device].device
            device.stop()
            returning += 1
            _ = world.sim.loop.schedule(at: world.sim.now + time) { [unowned self] in
                device.start()
                returning -= 1
            }
        case .kill:
            guard !life.isOver else { return }
            world.tally.add(.kill)
            kill()
        case .cancel:
            if life.cancelRun() { world.tally.add(.cancel) }
        case .clockJump(let seconds):
            world.tally.add(.clockJump)
            world.clockOffset += seconds
        }
    }

    private func cutOff(_ address: IPAddress, for time: Duration) {
        world.network.partitioned.insert(address)
        _ = world.sim.loop.schedule(at: world.sim.now + time) { [unowned self] in
            world.network.partitioned.remove(address)
        }
    }

    /// Nothing goes wrong any more; devices without power get it back by themselves.
    private func calmDown() {
        isStorm = false
        world.note("calm")
        if canary != .liveness { world.network.faults = FaultProfile() }
        if canary == .liveness { world.network.faults = FaultProfile(drop: 1) }
        world.network.partitioned = []
        world.air?.faults = AirFaults()
    }

    // MARK: Checks

    private func isNode(_ house: World.House) -> Bool {
        world.medium.nodes.contains {
            $0.serialNumber == house.device.settings.serialNumber
        }
    }

    private var isSettled: Bool {
        !life.isOver && returning == 0 && world.medium.runs.isEmpty
            && !world.medium.removals.contains(where: isKnown)
            && world.devices.allSatisfy { isNode($0) && $0.device.failSafeLeft == nil }
            && world.medium.nodes.allSatisfy(isFresh)
    }

    /// A device still has what was given up. One that has lost it by itself and has moved cannot
    /// be asked any more, so that its removal stays.
    private func isKnown(_ removal: PendingRemoval) -> Bool {
        world.devices.contains { house in
            house.device.fabrics.contains { $0.nodeID == removal.nodeID }
        }
    }

    private func isFresh(_ node: NodeRecord) -> Bool {
        guard let time = life.read[node.nodeID] else { return false }
        return world.sim.now - time < Self.freshness
    }

    private func checkLiveness() {
        for house in world.devices {
            let name = house.device.settings.serialNumber
            if !isNode(house) { report("\(name) was not commissioned after the storm") }
            if house.device.failSafeLeft != nil { report("\(name) has a fail-safe armed") }
        }
        for node in world.medium.nodes where !isFresh(node) {
            report("\(node.serialNumber) was not read after the storm")
        }
        for run in world.medium.runs { report("the run of \(run.nodeID) did not end") }
        for removal in world.medium.removals where isKnown(removal) {
            report("the removal of \(removal.nodeID) did not end")
        }
    }

    /// Store and devices know the same of each other.
    private func checkAgreement() {
        for house in world.devices {
            let name = house.device.settings.serialNumber
            let known = world.medium.nodes.filter { $0.serialNumber == name }.map(\.nodeID)
            var fabrics = house.device.fabrics.map(\.nodeID)
            if canary == .agreement { fabrics.append(NodeID(1)) }
            if fabrics != known {
                report("\(name) is \(fabrics) by its own word, \(known) by the store's")
            }
        }
    }

    /// The last life ends as it should, and nothing goes on.
    private func end() {
        let life = life
        _ = world.sim.run { () async throws(Never) -> Void in await life.end() }
        checkAgreement()
        for house in world.devices { house.device.stop() }
        guard world.sim.runUntilQuiet(within: .seconds(7200)) else {
            return report("something goes on at idle")
        }
        for life in lives { checkLeftovers(life) }
    }

    private func checkLeftovers(_ life: GatewayLife) {
        let counts = world.sim.run { () async throws(Never) -> [Int] in
            [
                await life.node.inboxCount, await life.node.exchangeCount,
                await life.resolver.browserCount, await life.node.bluetoothLinkCount,
                await life.bluetooth?.listenerCount ?? 0,
            ]
        }
        guard case .success(var left)? = counts else { return report("the node does not answer") }
        if canary == .leftovers { left[0] += 1 }
        if left.contains(where: { $0 != 0 }) {
            report(
                "life \(life.number) leaves inboxes, exchanges, browsers, links, listeners: "
                    + "\(left)")
        }
    }

    private func add(_ counts: AirCounts, to tally: inout FaultTally) {
        tally.add(.linkLoss, counts.losses)
        tally.add(.failedConnection, counts.failedConnections)
        tally.add(.latePacket, counts.late)
        tally.add(.fullBuffer, counts.full)
        tally.add(.deafness, counts.unheard)
        for kind in [FaultKind.smallPackets, .leavesBluetooth] where plan.kinds.contains(kind) {
            tally.add(kind)
        }
    }

    private func report(_ text: String) { result.faults.append(text) }

    private func finishResult() {
        result.faults += world.wire.faults
        result.trace = world.trace
        result.timeline = world.timeline
        result.lives = lives.count
        result.commissionings = lives.reduce(0) { $0 + $1.commissionings }
        result.readings = lives.reduce(0) { $0 + $1.readings }
        let counts = world.network.counts
        var tally = world.tally
        tally.add(.drop, counts.dropped)
        tally.add(.burst, counts.droppedInBurst)
        tally.add(.duplicate, counts.duplicated)
        tally.add(.reorder, counts.reordered)
        tally.add(.delay, counts.delayed)
        tally.add(.flip, counts.flipped)
        tally.add(.mtu, counts.tooLong)
        tally.add(.partition, counts.partitioned)
        if let air = world.air { add(air.counts, to: &tally) }
        result.tally = tally
    }
}

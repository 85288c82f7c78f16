import Base
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Commissioner: interrupted runs")
struct InterruptedRunTests {
    enum Moment: CaseIterable { case beforeWrite, afterWrite, datagram }

    /// Where the device is after the cut.
    enum Presence: CaseIterable {
        /// There, and the gateway starts again at once.
        case present
        /// There, and the gateway starts again when every fail-safe is over.
        case presentLater
        /// Away until every fail-safe is over.
        case away
    }

    /// A commissioning that ends with the power at the Nth moment.
    /// - Returns: the world, the device, and whether the run had not ended before.
    private static func interrupted(
        at number: Int, _ moment: Moment, replacing old: NodeRecord? = nil,
        then whenCut: @escaping (ScriptedDevice) -> Void
    ) -> (World, ScriptedDevice, isCut: Bool) {
        let world = World()
        let device = world.device()
        world.sim.run(for: .seconds(1))
        if let old { try? world.store.save(old) }
        let life = Life(world, number: 1, store: world.store)
        var isCut = false
        func cut() {
            isCut = true
            life.cut()
            whenCut(device)
        }
        let first = world.network.sent
        life.store.onWrite = { count, isDone in
            if moment == (isDone ? .afterWrite : .beforeWrite), count == number { cut() }
        }
        world.network.carries = { datagram in
            if moment == .datagram, datagram.number - first == number { cut() }
            return true
        }
        var request = World.request()
        request.replaces = old?.nodeID
        let flow = world.commission(request, with: life.commissioner)
        world.sim.finish(flow, within: .seconds(600))
        world.network.carries = { _ in true }
        return (world, device, isCut)
    }

    /// Starts the gateway again and lets it go through what is left, as long as something is.
    private static func live(
        _ world: World, number: UInt16, for time: Duration
    ) throws -> Life {
        let life = Life(world, number: number, store: world.store)
        let end = world.sim.now + time
        while world.sim.now < end, !world.store.storedRuns.isEmpty {
            _ = try life.settle()
            world.sim.run(for: .seconds(30))
        }
        return life
    }

    /// The device and the store agree on who the device is.
    private static func check(
        _ world: World, _ device: ScriptedDevice, _ life: Life, _ place: String
    ) {
        #expect(world.store.storedRuns.isEmpty, "\(place)")
        // A run that had given the device nothing is rolled back without waiting for it.
        world.sim.run(for: .seconds(Int(device.settings.failSafeSeconds)))
        #expect(!device.isArmed, "\(place)")
        let pending = device.fabrics.count(where: \.isPending)
        #expect(pending == 0, "\(place)")
        #expect(
            device.fabrics.map(\.nodeID) == world.store.storedNodes.map(\.nodeID), "\(place)")
        guard let node = world.store.storedNodes.first else { return }
        #expect(node.fabricIndex == device.fabrics.first?.index, "\(place)")
        #expect(node.endpoints.map(\.endpoint) == [.root, EndpointID(1)], "\(place)")
        #expect(node.serialNumber == "SN-1" && node.isAttested, "\(place)")
        #expect(life.reads(node), "\(place)")
    }

    /// - Returns: nil when the run had ended before the moment; else whether a node came of it.
    private static func cut(
        at number: Int, _ moment: Moment, _ presence: Presence
    ) throws -> Bool? {
        let (world, device, isCut) = interrupted(at: number, moment) { device in
            if presence == .away { device.vanish() }
        }
        guard isCut else { return nil }
        let place = "\(moment) \(number), \(presence)"
        let life: Life
        switch presence {
        case .present: life = try live(world, number: 2, for: .seconds(1000))
        case .presentLater:
            world.sim.run(for: .seconds(1000))
            life = try live(world, number: 2, for: .seconds(60))
        case .away:
            let early = try live(world, number: 2, for: .seconds(1000))
            // What is not decided may be complete, and is not forgotten.
            for run in world.store.storedRuns { #expect(run.mayBeComplete, "\(place)") }
            if world.store.storedRuns.isEmpty, world.store.storedNodes.isEmpty {
                let known = device.fabrics.count
                #expect(known == 0, "\(place)")
            }
            early.cut()
            device.appear()
            life = try live(world, number: 3, for: .seconds(60))
        }
        check(world, device, life, place)
        return !world.store.storedNodes.isEmpty
    }

    @Test(
        "killed at any write or datagram, store and device agree within the fail-safe's life",
        arguments: Presence.allCases)
    func everyCut(presence: Presence) throws {
        var kept = 0
        var rolledBack = 0
        for moment in Moment.allCases {
            for number in 1... {
                guard let isKept = try Self.cut(at: number, moment, presence) else { break }
                if isKept { kept += 1 } else { rolledBack += 1 }
            }
        }
        // Both kinds of end were met, and all the way was gone.
        #expect(kept > 5 && rolledBack > 30, "\(kept) kept, \(rolledBack) rolled back")
    }

    @Test("killed at any write, a place has its old device or its new one, never both or none")
    func everyCutOfReplacing() throws {
        var old = NodeRecord(
            nodeID: NodeID(0x77), fabricIndex: FabricIndex(1), vendorID: VendorID(0xFFF1),
            productID: ProductID(0x8000))
        old.name = "Lamp"
        var replaced = 0
        var stayed = 0
        for moment in [Moment.beforeWrite, .afterWrite] {
            for number in 1... {
                let (world, device, isCut) = Self.interrupted(
                    at: number, moment, replacing: old
                ) { _ in }
                guard isCut else { break }
                _ = try Self.live(world, number: 2, for: .seconds(1000))
                let node = try #require(world.store.storedNodes.first, "\(moment) \(number)")
                #expect(world.store.storedNodes.count == 1, "\(moment) \(number)")
                #expect(node.name == "Lamp", "\(moment) \(number)")
                let removals = world.store.storedRemovals.map(\.nodeID)
                if node.nodeID == old.nodeID {
                    stayed += 1
                    #expect(removals.isEmpty, "\(moment) \(number)")
                    world.sim.run(for: .seconds(60))
                    let known = device.fabrics.count
                    #expect(known == 0, "\(moment) \(number)")
                } else {
                    replaced += 1
                    #expect(node.historyID == old.nodeID, "\(moment) \(number)")
                    #expect(removals == [old.nodeID], "\(moment) \(number)")
                }
            }
        }
        #expect(replaced > 1 && stayed > 1)
    }

    // MARK: One by one

    private static let node = NodeID(0x55)

    private func run(_ step: CommissioningStep, _ device: ScriptedDevice? = nil) -> RunRecord {
        var run = RunRecord(
            nodeID: Self.node, step: step.rawValue, startedAt: World.unixSeconds)
        run.failSafeSeconds = 180
        run.lastAddress = device?.address
        return run
    }

    private func isRolledBack(
        _ outcomes: [RunOutcome], _ reason: RunOutcome.Reason
    ) -> Bool {
        guard case .rolledBack(reason)? = outcomes.first else { return false }
        return outcomes.count == 1
    }

    @Test("§11.10.6.2 a device that is not found is given up when its fail-safe must be over")
    func expired() throws {
        let world = World()
        try world.store.save(run(.addNOC))
        let life = Life(world, number: 1, store: world.store)
        world.sim.run(for: .seconds(170))
        guard case .open(.notFound)? = try life.settle().first else {
            Issue.record("decided too early")
            return
        }
        world.sim.run(for: .seconds(10))
        #expect(isRolledBack(try life.settle(), .expired))
        #expect(world.store.storedRuns.isEmpty)
    }

    @Test("with a clock that is wrong, now or then, the whole time is counted from here")
    func wrongClock() throws {
        for (startedAt, isPlausible) in [(Int64(0), false), (0, true), (1 << 40, true)] {
            let world = World()
            var run = run(.addNOC)
            run.startedAt = startedAt
            try world.store.save(run)
            world.sim.run(for: .seconds(1000))
            let life = Life(world, number: 1, store: world.store)
            life.isClockPlausible = isPlausible
            guard case .open? = try life.settle().first else {
                Issue.record("decided too early: \(startedAt), \(isPlausible)")
                return
            }
            world.sim.run(for: .seconds(170))
            guard case .open? = try life.settle().first else {
                Issue.record("decided too early: \(startedAt), \(isPlausible)")
                return
            }
            world.sim.run(for: .seconds(10))
            #expect(isRolledBack(try life.settle(), .expired), "\(startedAt), \(isPlausible)")
        }
    }

    @Test(
        "§11.10.7.6 a device whose fail-safe is over, or another's, has ours complete",
        arguments: [UInt8(0), 2, 3])
    func complete(code: UInt8) throws {
        let world = World()
        let device = world.member(Self.node.rawValue)
        device.react = {
            $0 == .invoke(GeneralCommissioning.CommissioningComplete.self)
                ? .code(code) : .proceed
        }
        try world.store.save(run(.addNOC))
        let life = Life(world, number: 1, store: world.store)
        guard case .kept(let node, _)? = try life.settle().first else {
            Issue.record("not kept")
            return
        }
        #expect(world.store.storedNodes == [node] && world.store.storedRuns.isEmpty)
        #expect(life.reads(node))
    }

    @Test("a device that refuses otherwise is tried again", arguments: [UInt8(1), 4])
    func refused(code: UInt8) throws {
        let world = World()
        let device = world.member(Self.node.rawValue)
        device.react = {
            $0 == .invoke(GeneralCommissioning.CommissioningComplete.self)
                ? .code(code) : .proceed
        }
        try world.store.save(run(.addNOC))
        let life = Life(world, number: 1, store: world.store)
        guard case .open(.refused)? = try life.settle().first else {
            Issue.record("decided")
            return
        }
        #expect(
            world.store.storedRuns.map(\.step) == [CommissioningStep.commissioningComplete.rawValue]
        )
        device.react = { _ in .proceed }
        #expect(try life.settle().count == 1)
        #expect(world.store.storedNodes.map(\.nodeID) == [Self.node])
    }

    @Test("an address that is lent proves nothing: who is there now may be another")
    func lentAddress() throws {
        let world = World()
        let device = world.device()
        let lent = SocketAddress("10.0.0.7:5540")
        world.network.alias(try #require(lent), of: device.link)
        for (address, isRolledBack) in [(lent, false), (device.address, true)] {
            var run = run(.commissioningComplete)
            run.lastAddress = address
            try world.store.save(run)
            let life = Life(world, number: isRolledBack ? 2 : 1, store: world.store)
            #expect(self.isRolledBack(try life.settle(), .unknownToDevice) == isRolledBack)
        }
    }

    @Test("a run that fails when it may be complete leaves a removal until the device knows")
    func undoneLater() throws {
        let world = World()
        let device = world.device()
        let life = Life(world, number: 1, store: world.store)
        // Storing the node fails, and the device is gone.
        life.store.onWrite = { (number, isDone) throws(StoreError) in
            guard number == 4, !isDone else { return }
            device.vanish()
            throw .full
        }
        let flow = world.commission(with: life.commissioner)
        world.sim.finish(flow)
        #expect(flow.error == CommissioningError(.store, .store(.full)))
        #expect(world.store.storedRuns.isEmpty && world.store.storedNodes.isEmpty)
        #expect(world.store.storedRemovals.map(\.nodeID) == device.fabrics.map(\.nodeID))
        let known = device.fabrics.count
        #expect(known == 1)
        device.appear()
        _ = try life.settle()
        #expect(world.store.storedRemovals.isEmpty)
        let left = device.fabrics.count
        #expect(left == 0)
    }
}

extension ScriptedDevice {
    /// Has power again, and says so.
    func appear() {
        link.isOff = false
        answerer.link.isOff = false
        for fabric in fabrics { announce(fabric) }
    }
}

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
        at number: Int, _ moment: Moment, then whenCut: @escaping (ScriptedDevice) -> Void
    ) -> (World, ScriptedDevice, isCut: Bool) {
        let world = World()
        let device = world.device()
        world.sim.run(for: .seconds(1))
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
        let flow = world.commission(with: life.commissioner)
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
        #expect(device.fabrics.allSatisfy { !$0.isPending }, "\(place)")
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
                #expect(device.fabrics.isEmpty, "\(place)")
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
}

extension ScriptedDevice {
    /// Has power again, and says so.
    func appear() {
        link.isOff = false
        answerer.link.isOff = false
        for fabric in fabrics { announce(fabric) }
    }
}

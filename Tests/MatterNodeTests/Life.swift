import Base
import Matter
import MatterNode
import Simulation

/// One process of the gateway: from its start until it is killed. The store outlives it.
final class Life: @unchecked Sendable {
    let store: MemoryStore
    let node: Node
    let resolver: Resolver
    /// When it began.
    let start: Instant
    var isClockPlausible = true
    private let world: World
    private let link: SimulatedLink
    private let multicast: SimulatedMulticast
    private let random: SharedRandom

    /// - Parameter number: 1 ... 15, another for each life in a world.
    init(_ world: World, number: UInt16, store: MemoryStore) {
        self.world = world
        self.store = MemoryStore(of: store)
        start = world.sim.now
        let address = IPAddress.simulated(0x50 + number)
        link = world.network.link(at: SocketAddress(address, port: 41_000))
        multicast = world.network.multicast(at: address, interface: 2)
        random = SharedRandom(SeededRandom(seed: UInt64(number) + 1000))
        node = Node(loop: world.sim.loop, link: link, random: random)
        resolver = Resolver(loop: world.sim.loop, link: multicast, interfaces: [2])
        _ = world.sim.run { [node, resolver] () async throws(Never) -> Void in
            await node.start()
            await resolver.start()
        }
    }

    /// Nothing that it does from now on reaches anybody, as if its power had been cut.
    func cut() {
        link.isOff = true
        multicast.isOff = true
        store.isCut = true
    }

    var commissioner: Commissioner {
        Commissioner(
            node: node, resolver: resolver, store: store, fabric: world.fabric,
            verifier: DeviceAttestation.shared.verifier,
            clock: CommissioningClock(
                unixSeconds: { [self] in isClockPlausible ? now : nil },
                certificateTime: { ScriptedDevice.certificateTime }),
            random: random, progress: { _ in })
    }

    var now: Int64 { World.unixSeconds + world.sim.now.nanoseconds / 1_000_000_000 }

    /// Goes once through what earlier lives left.
    func settle() throws -> [RunOutcome] {
        let outcomes = world.sim.run { [self] () async throws(StoreError) -> [RunOutcome] in
            var outcomes: [RunOutcome] = []
            for run in try store.runs() {
                outcomes.append(try await commissioner.settle(run, seenAt: start))
            }
            for removal in try store.removals() { _ = try await commissioner.settle(removal) }
            return outcomes
        }
        guard let outcomes else { throw World.NoEnd() }
        return try outcomes.get()
    }

    /// Whether a node of the store can be read.
    func reads(_ node: NodeRecord) -> Bool {
        let connector = OperationalConnector(
            node: self.node, resolver: resolver, fabric: world.fabric,
            resumptions: StoredResumptions(store),
            certificateTime: { ScriptedDevice.certificateTime })
        let count = world.sim.run { () async throws(Never) -> Int in
            guard
                let peer = try? await connector.connect(
                    to: node.nodeID, hint: node.lastAddress, within: .seconds(10)),
                let reports = try? await peer.read([AttributePath(OnOff.onOff, endpoint: nil)])
            else { return 0 }
            return reports.count
        }
        return count?.get() == 1
    }
}

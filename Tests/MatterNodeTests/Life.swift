import Base
import Matter
import MatterNode
import Simulation

/// One process of the gateway: from its start until it is killed. The store outlives it.
final class Life: @unchecked Sendable {
    let store: CuttableStore
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
        self.store = CuttableStore(store)
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

/// A store that a process loses when it is killed, before or after one of its writes.
final class CuttableStore: Store, @unchecked Sendable {
    var isCut = false
    /// Called with the number of each write, from 1, before and after it is made.
    var onWrite: (_ number: Int, _ isDone: Bool) -> Void = { _, _ in }
    private(set) var writes = 0
    private let base: MemoryStore

    init(_ base: MemoryStore) { self.base = base }

    private func write(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try check()
        writes += 1
        let number = writes
        onWrite(number, false)
        try check()
        try body()
        onWrite(number, true)
        try check()
    }

    private func check() throws(StoreError) {
        if isCut { throw .inUse }
    }

    let notice: String? = nil

    func fabric() throws(StoreError) -> FabricRecord? {
        try check()
        return try base.fabric()
    }

    func save(_ fabric: FabricRecord) throws(StoreError) {
        try write { () throws(StoreError) in try base.save(fabric) }
    }

    func nodes() throws(StoreError) -> [NodeRecord] {
        try check()
        return try base.nodes()
    }

    func save(_ node: NodeRecord) throws(StoreError) {
        try write { () throws(StoreError) in try base.save(node) }
    }

    func removeNode(_ nodeID: NodeID) throws(StoreError) {
        try write { () throws(StoreError) in try base.removeNode(nodeID) }
    }

    func complete(
        _ run: RunRecord, with node: NodeRecord, inPlaceOf predecessor: Predecessor?
    ) throws(StoreError) {
        try write { () throws(StoreError) in
            try base.complete(run, with: node, inPlaceOf: predecessor)
        }
    }

    func resumption(of nodeID: NodeID) throws(StoreError) -> SessionResumption? {
        try check()
        return try base.resumption(of: nodeID)
    }

    func save(_ resumption: SessionResumption) throws(StoreError) {
        try write { () throws(StoreError) in try base.save(resumption) }
    }

    func removeResumption(of nodeID: NodeID) throws(StoreError) {
        try write { () throws(StoreError) in try base.removeResumption(of: nodeID) }
    }

    func runs() throws(StoreError) -> [RunRecord] {
        try check()
        return try base.runs()
    }

    func save(_ run: RunRecord) throws(StoreError) {
        try write { () throws(StoreError) in try base.save(run) }
    }

    func endRun(_ nodeID: NodeID) throws(StoreError) {
        try write { () throws(StoreError) in try base.endRun(nodeID) }
    }

    func removals() throws(StoreError) -> [PendingRemoval] {
        try check()
        return try base.removals()
    }

    func save(_ removal: PendingRemoval) throws(StoreError) {
        try write { () throws(StoreError) in try base.save(removal) }
    }

    func endRemoval(_ nodeID: NodeID) throws(StoreError) {
        try write { () throws(StoreError) in try base.endRemoval(nodeID) }
    }

    func append(_ event: EventRecord) throws(StoreError) {
        try write { () throws(StoreError) in try base.append(event) }
    }

    func events(limit: Int) throws(StoreError) -> [EventRecord] {
        try check()
        return try base.events(limit: limit)
    }

    func checkWritable() throws(StoreError) { try check() }
}

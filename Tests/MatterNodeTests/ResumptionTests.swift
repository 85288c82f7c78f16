import Base
import Crypto
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Resumption of sessions")
struct ResumptionTests {
    private static let node = NodeID(0x2002)
    private static let refusal = StatusReport(.failure, .invalidParameter)

    /// A member that is in the store and was connected with once. The session has ended.
    private func acquainted(_ world: World) throws -> ScriptedDevice {
        let device = world.member()
        try world.store.save(
            NodeRecord(
                nodeID: Self.node, fabricIndex: FabricIndex(1), vendorID: VendorID(0xFFF1),
                productID: ProductID(0x8000)))
        let peer = try #require(connect(world).value)
        #expect(device.count(.handshake(.sigma3)) == 1)
        end(peer, world)
        return device
    }

    private func connect(_ world: World) -> SimulatedLoop.Flow<Peer, ConnectionError> {
        let connector = world.connector()
        let flow = world.sim.start { () async throws(ConnectionError) -> Peer in
            try await connector.connect(to: Self.node, hint: nil, within: .seconds(30))
        }
        world.sim.finish(flow)
        return flow
    }

    private func end(_ peer: Peer, _ world: World) {
        _ = world.sim.run { () async throws(Never) -> Void in await peer.close() }
        _ = world.sim.runUntilQuiet(within: .seconds(60))
    }

    private func works(_ world: World, _ peer: Peer) -> Bool {
        let flow = world.sim.start { () async throws(PeerError) -> Int in
            try await peer.read([AttributePath(OnOff.onOff, endpoint: EndpointID(1))]).count
        }
        world.sim.finish(flow)
        return flow.value == 1
    }

    private func stored(_ world: World) -> SessionResumption? {
        world.store.storedResumptions.first
    }

    @Test("§4.14.2.2 a node is met again without certificates, as often as it is met")
    func resumed() throws {
        let world = World()
        let device = try acquainted(world)
        var ids = [try #require(stored(world)).id]
        for meeting in 2...5 {
            let peer = try #require(connect(world).value)
            #expect(device.count(.handshake(.sigma1)) == meeting)
            #expect(device.count(.handshake(.sigma3)) == 1)
            #expect(works(world, peer))
            #expect(world.leftovers() == .init(sessions: 1))
            end(peer, world)
            let next = try #require(stored(world)).id
            #expect(!ids.contains(next))
            ids.append(next)
        }
        #expect(world.store.storedResumptions.count == 1)
    }

    @Test("a resumed session works over a bad network: its last word is sent until it arrives")
    func lossy() throws {
        for seed in 1...40 {
            let world = World(seed: UInt64(seed))
            let device = try acquainted(world)
            world.network.faults = .lossy
            let flow = connect(world)
            let peer = try #require(flow.value, "seed \(seed): \(String(describing: flow.error))")
            #expect(device.count(.handshake(.sigma3)) == 1, "seed \(seed)")
            #expect(works(world, peer), "seed \(seed)")
            #expect(world.leftovers() == .init(sessions: 1), "seed \(seed)")
        }
    }

    @Test("a node that has forgotten the session goes on in full, and the next one is resumed")
    func forgotten() throws {
        let world = World()
        let device = try acquainted(world)
        let old = try #require(stored(world))
        device.resumptions = []
        let peer = try #require(connect(world).value)
        #expect(device.count(.handshake(.sigma1)) == 2)
        #expect(device.count(.handshake(.sigma3)) == 2)
        #expect(try #require(stored(world)).sharedSecret != old.sharedSecret)
        end(peer, world)
        _ = try #require(connect(world).value)
        #expect(device.count(.handshake(.sigma1)) == 3)
        #expect(device.count(.handshake(.sigma3)) == 2)
    }

    @Test(
        "a node that fails over the resumption is asked once more, in full",
        arguments: [DeviceReaction.report(refusal), .mute, .garbage])
    func failed(reaction: DeviceReaction) throws {
        let world = World()
        let device = try acquainted(world)
        let old = try #require(stored(world))
        device.react = { [unowned device] request in
            request == .handshake(.sigma1) && device.count(request) == 2 ? reaction : .proceed
        }
        let peer = try #require(connect(world).value)
        #expect(device.count(.handshake(.sigma1)) == 3)
        #expect(device.count(.handshake(.sigma3)) == 2)
        #expect(works(world, peer))
        #expect(world.leftovers() == .init(sessions: 1))
        #expect(try #require(stored(world)).sharedSecret != old.sharedSecret)
    }

    @Test("a resumption that failed is dropped, also when the full handshake fails as well")
    func dropped() throws {
        let world = World()
        let device = try acquainted(world)
        device.react = { _ in .report(Self.refusal) }
        let flow = connect(world)
        #expect(
            flow.error == .handshake(.operational(.statusReport(Self.refusal))))
        #expect(device.count(.handshake(.sigma1)) == 3)
        #expect(stored(world) == nil)
        #expect(world.leftovers() == .init())
    }

    @Test(
        "a node that is occupied, or another one in its place, costs no resumption",
        arguments: [
            StatusReport.busy(wait: .seconds(2)), StatusReport(.failure, .noSharedTrustRoots),
        ])
    func kept(report: StatusReport) throws {
        let world = World()
        let device = try acquainted(world)
        let old = try #require(stored(world))
        device.react = { _ in .report(report) }
        #expect(connect(world).error != nil)
        #expect(device.count(.handshake(.sigma1)) == 2)
        #expect(stored(world)?.id == old.id)
        device.react = { _ in .proceed }
        _ = try #require(connect(world).value)
        #expect(device.count(.handshake(.sigma3)) == 1)
    }

    @Test("a node that is not there costs no resumption")
    func away() throws {
        let world = World()
        let device = try acquainted(world)
        let old = try #require(stored(world))
        device.link.isOff = true
        #expect(connect(world).error == .handshake(.exchange(.unreachable)))
        #expect(stored(world)?.id == old.id)
        #expect(world.leftovers() == .init())
    }

    @Test("an id with another secret is not resumed, nor is what belongs to another fabric")
    func wrong() throws {
        for isOfFabric in [true, false] {
            let world = World()
            let device = try acquainted(world)
            let old = try #require(stored(world))
            let peer = OperationalIdentity(
                nodeID: Self.node,
                fabricID: isOfFabric ? old.peer.fabricID : FabricID(77), cats: [],
                publicKey: old.peer.publicKey)
            try world.store.save(
                SessionResumption(
                    id: old.id, sharedSecret: Secret([UInt8](repeating: 1, count: 32).span),
                    peer: peer, fabricIndex: old.fabricIndex))
            let session = try #require(connect(world).value)
            #expect(device.count(.handshake(.sigma1)) == 2)
            #expect(device.count(.handshake(.sigma3)) == 2)
            #expect(works(world, session))
            #expect(stored(world)?.peer.fabricID == old.peer.fabricID)
        }
    }

    @Test("what a commissioning leaves is resumed with the first command that follows")
    func commissioned() throws {
        let world = World()
        let device = world.device()
        let flow = world.commission()
        world.sim.finish(flow)
        let made = try #require(flow.value)
        let kept = try #require(stored(world))
        #expect(kept.peer.nodeID == made.node.nodeID)
        end(made.peer, world)
        let connector = world.connector()
        let again = world.sim.start { () async throws(ConnectionError) -> Peer in
            try await connector.connect(
                to: made.node.nodeID, hint: nil, within: .seconds(30))
        }
        world.sim.finish(again)
        #expect(again.value != nil)
        #expect(device.count(.handshake(.sigma3)) == 1)
        #expect(device.count(.handshake(.sigma1)) == 2)
        try world.store.removeNode(made.node.nodeID)
        #expect(stored(world) == nil)
    }

    @Test("a store that fails costs nothing but the resumption")
    func storeFails() throws {
        let world = World()
        let device = try acquainted(world)
        let calls = world.store.calls.count
        world.store.failing = Set((calls + 1)...(calls + 20))
        let peer = try #require(connect(world).value)
        #expect(device.count(.handshake(.sigma3)) == 2)
        #expect(works(world, peer))
    }
}

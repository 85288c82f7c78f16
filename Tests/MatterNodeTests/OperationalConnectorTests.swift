import Base
import Matter
import MatterNode
import Simulation
import Testing

@Suite("OperationalConnector")
struct OperationalConnectorTests {
    private static let node = NodeID(0x2002)

    private func connect(
        _ world: World, hint: SocketAddress? = nil, within time: Duration = .seconds(30)
    ) -> SimulatedLoop.Flow<Peer, ConnectionError> {
        let connector = world.connector()
        return world.sim.start { () async throws(ConnectionError) -> Peer in
            try await connector.connect(to: Self.node, hint: hint, within: time)
        }
    }

    private func silentMember(_ world: World, number: UInt8 = 1) -> ScriptedDevice {
        var settings = ScriptedDevice.Settings()
        settings.announcesIdentity = false
        let device = world.device(number, settings)
        device.join(world.fabric, as: Self.node)
        return device
    }

    @Test("§4.3.2 a node is found by its name, and connected with by its identity")
    func found() throws {
        let world = World()
        let device = world.member()
        let flow = connect(world)
        let peer = try #require(try world.sim.finish(flow)?.get())
        let address = world.sim.run { () async throws(Never) -> PeerAddress? in
            await world.node.address(of: peer.session)
        }
        #expect(address?.get() == .udp(device.address))
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("the right one of many nodes is found, over a bad network too")
    func many() throws {
        for seed in 1...20 {
            let world = World(seed: UInt64(seed), faults: .lossy)
            let devices = (UInt8(1)...8).map {
                world.member($0 == 5 ? Self.node.rawValue : 0x3000 + UInt64($0), number: $0)
            }
            let flow = connect(world)
            world.sim.finish(flow)
            #expect(flow.value != nil, "seed \(seed): \(String(describing: flow.error))")
            #expect(devices.map(\.sessionCount) == [0, 0, 0, 0, 1, 0, 0, 0], "seed \(seed)")
            #expect(world.leftovers() == .init(sessions: 1), "seed \(seed)")
        }
    }

    @Test("addresses that are dead, or lead nowhere, are passed over", arguments: 1...3)
    func deadAddresses(count: Int) throws {
        let world = World()
        let device = silentMember(world)
        for number in 1...count {
            let dead = IPAddress.simulated(0x4000 + UInt16(number))
            device.answerer.addresses.insert(dead, at: 0)
        }
        device.announce(device.fabrics[0])
        let start = world.sim.now
        let flow = connect(world, within: .seconds(60))
        world.sim.finish(flow)
        #expect(flow.value != nil)
        #expect(world.leftoversNow.inboxes == 0, "the losers are cancelled with the end")
        // Each of the first costs a second; three are tried at once.
        let bound: Duration = count < 3 ? .milliseconds(1000 * count + 500) : .seconds(12)
        #expect(try #require(flow.endedAt) - start < bound)
        #expect(device.sessionCount == 1)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("a device that is slow, but has acknowledged, is not asked at its other addresses")
    func slow() throws {
        let world = World()
        let device = silentMember(world)
        let other = IPAddress.simulated(0x4001)
        device.answerer.addresses.append(other)
        device.announce(device.fabrics[0])
        // Until its announcements are over.
        world.sim.run(for: .seconds(3))
        device.react = { _ in .late(.seconds(4)) }
        let flow = connect(world, within: .seconds(60))
        world.sim.run(for: .milliseconds(50))
        let before = world.network.sent
        world.sim.run(for: .seconds(3))
        #expect(world.network.sent == before + 1, "its acknowledgement and nothing else")
        world.sim.finish(flow)
        #expect(flow.value != nil)
        #expect(device.count(.handshake(.sigma1)) == 1)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("a second address of one device that loses the race keeps no session, here or there")
    func loser() throws {
        for milliseconds in stride(from: 800, through: 1300, by: 20) {
            let world = World()
            let devices = [silentMember(world, number: 1), silentMember(world, number: 2)]
            devices[0].answerer.addresses.append(devices[1].address.address)
            devices[0].announce(devices[0].fabrics[0])
            // The first address is mute until about when the second one begins.
            devices[0].link.isOff = true
            _ = world.sim.loop.schedule(at: world.sim.now + .milliseconds(milliseconds)) {
                devices[0].link.isOff = false
            }
            let flow = connect(world, within: .seconds(60))
            world.sim.finish(flow)
            #expect(flow.value != nil, "\(milliseconds) ms")
            #expect(world.leftoversNow.inboxes == 0, "\(milliseconds) ms")
            #expect(world.leftovers() == .init(sessions: 1), "\(milliseconds) ms")
        }
    }

    @Test("a node that does not announce itself is not found, at the end of the time given")
    func notFound() {
        let world = World()
        _ = silentMember(world)
        let start = world.sim.now
        let flow = connect(world)
        world.sim.finish(flow)
        #expect(flow.error == .notFound)
        #expect(flow.endedAt == start + .seconds(30))
        #expect(world.leftovers() == .init())
    }

    @Test("a node that refuses is told from one that is not there")
    func refused() {
        let world = World()
        let device = world.member()
        let report = StatusReport(.failure, .invalidParameter)
        device.react = { _ in .report(report) }
        for seconds in 1...5 {
            _ = world.sim.loop.schedule(at: world.sim.now + .seconds(3 * seconds)) {
                device.answerer.addresses.append(.simulated(0x4000 + UInt16(seconds)))
                device.announce(device.fabrics[0])
            }
        }
        let flow = connect(world)
        world.sim.finish(flow)
        guard case .handshake? = flow.error else {
            Issue.record("\(String(describing: flow.error))")
            return
        }
        // Its record changes now and then, and that is no reason to try again.
        #expect(device.count(.handshake(.sigma1)) == 1)
        #expect(world.leftovers() == .init())
    }

    @Test("cancelled at any time, it ends at once and leaves nothing")
    func cancelled() {
        for milliseconds in [0, 1, 2, 10, 22, 23, 24, 25, 26, 30, 1000, 4000, 20_000] {
            let world = World()
            let device = milliseconds < 1000 ? world.member() : silentMember(world)
            device.react = { _ in .late(.milliseconds(5)) }
            let flow = connect(world)
            world.sim.run(for: .milliseconds(milliseconds))
            guard flow.result == nil else { continue }
            flow.cancel()
            world.sim.run(for: .zero)
            #expect(flow.error == .cancelled, "\(milliseconds) ms")
            #expect(flow.endedAt == world.sim.now, "\(milliseconds) ms")
            #expect(world.leftovers() == .init(), "\(milliseconds) ms")
        }
    }

    @Test("a node that does not announce itself is reached where it was last")
    func hint() {
        let world = World()
        let device = silentMember(world)
        let flow = connect(world, hint: device.address)
        world.sim.finish(flow, within: .seconds(5))
        #expect(flow.value != nil)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("a node that moved is found where it is now; its last address costs nothing")
    func moved() {
        let world = World()
        _ = world.member()
        let old = SocketAddress(.simulated(0x4000), port: ScriptedDevice.port)
        let start = world.sim.now
        let flow = connect(world, hint: old)
        world.sim.finish(flow)
        #expect(flow.value != nil)
        #expect(world.sim.now - start < .seconds(1))
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("a node that is nowhere, not where it was last either, is not found in time")
    func nowhere() throws {
        let world = World()
        let old = SocketAddress(.simulated(0x4000), port: ScriptedDevice.port)
        let start = world.sim.now
        let flow = connect(world, hint: old)
        world.sim.finish(flow)
        #expect(flow.error == .handshake(.exchange(.unreachable)))
        #expect(try #require(flow.endedAt) - start == .seconds(30))
        #expect(world.leftovers() == .init())
    }
}

import Base
import Matter
import MatterNode
import Simulation
import Testing

@Suite("World")
struct WorldTests {
    @Test("what is left is noticed: a session, an exchange, a browser, a timer")
    func canary() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        #expect(world.leftovers() != .init())
        let exchange = world.sim.run { () async throws(ExchangeError) -> ExchangeHandle in
            try await world.node.open(peer.session)
        }
        _ = try #require(exchange).get()
        #expect(world.leftovers() == .init(sessions: 1, exchanges: 1, inboxes: 1))
        _ = world.sim.run { () async throws(DiscoveryError) -> Void in
            _ = try await world.resolver.browse(.commissionableNodes)
        }
        #expect(
            world.leftovers()
                == .init(sessions: 1, exchanges: 1, inboxes: 1, browsers: 1, isQuiet: false))
    }
}

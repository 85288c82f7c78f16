import Base
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Resolver")
struct ResolverTests {
    private typealias Flow = SimulatedLoop.Flow<ServiceRecord?, CancellationError>

    private func browse(_ world: World, _ query: MDNSQuery) throws -> Resolver.Browser {
        let browser = world.sim.run { () async throws(DiscoveryError) -> Resolver.Browser in
            try await world.resolver.browse(query)
        }
        return try #require(try browser?.get())
    }

    private func next(
        _ world: World, _ browser: Resolver.Browser, within time: Duration = .seconds(10)
    ) -> Flow {
        let deadline = world.sim.now + time
        return world.sim.start { () async throws(CancellationError) -> ServiceRecord? in
            try await browser.next(until: deadline)
        }
    }

    /// What the flow ends with; nil for nothing.
    private func end(_ world: World, _ flow: Flow) throws -> ServiceRecord? {
        let result = try #require(world.sim.finish(flow))
        return try result.get()
    }

    private func stop(_ world: World, _ browser: Resolver.Browser) {
        _ = world.sim.run { () async throws(Never) -> Void in
            await world.resolver.stop(browser)
        }
    }

    @Test(
        "§4.3.1 a commissionable node is found by each name it goes by",
        arguments: [
            MDNSQuery.longDiscriminator(3840), .shortDiscriminator(15), .openCommissioningWindows,
            .commissionableNodes,
        ])
    func found(query: MDNSQuery) throws {
        let world = World()
        let device = world.device()
        let browser = try browse(world, query)
        let flow = next(world, browser)
        let record = try #require(try end(world, flow))
        #expect(record.addresses == [device.address.address])
        #expect(record.port == device.address.port)
        #expect(record.text.discriminator == 3840)
        #expect(record.text.vendorID == DeviceAttestation.vendorID)
        stop(world, browser)
        #expect(world.leftovers() == .init())
    }

    @Test("§4.3.2 an operational node is found by its name, and another is not")
    func operational() throws {
        let world = World()
        _ = world.member(0x2002)
        let browser = try browse(world, .node(world.fabric.name(of: NodeID(0x2002))))
        let other = try browse(world, .node(world.fabric.name(of: NodeID(0x2003))))
        let flows = [next(world, browser), next(world, other)]
        #expect(try end(world, flows[0])?.kind == .operationalNode)
        #expect(try end(world, flows[1]) == nil)
        stop(world, browser)
        stop(world, other)
        #expect(world.leftovers() == .init())
    }

    @Test("browsers of one query each hear all, and one that joins late hears what is known")
    func several() throws {
        let world = World()
        _ = world.device()
        let first = try browse(world, .commissionableNodes)
        let second = try browse(world, .commissionableNodes)
        let flows = [next(world, first), next(world, second)]
        for flow in flows { world.sim.finish(flow) }
        #expect(flows.allSatisfy { $0.value??.text.discriminator == 3840 })
        let late = try browse(world, .commissionableNodes)
        let flow = next(world, late)
        world.sim.run(for: .milliseconds(1))
        #expect(flow.value??.text.discriminator == 3840)
        #expect(world.leftoversNow.browsers == 3)
        for browser in [first, second, late] { stop(world, browser) }
        #expect(world.leftovers() == .init())
    }

    @Test("a query goes on while one browser is left, and nobody asks after the last has stopped")
    func stopping() throws {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.announcesWindow = false
        let device = world.device(1, settings)
        let first = try browse(world, .commissionableNodes)
        let second = try browse(world, .commissionableNodes)
        world.sim.run(for: .seconds(2))
        stop(world, first)
        let before = device.answerer.questionCount
        world.sim.run(for: .seconds(60))
        #expect(device.answerer.questionCount > before)
        device.openWindow()
        let flow = next(world, second)
        #expect(try end(world, flow) != nil)
        stop(world, second)
        world.sim.run(for: .seconds(1))
        let after = device.answerer.questionCount
        world.sim.run(for: .seconds(7200))
        #expect(device.answerer.questionCount == after)
        #expect(world.leftovers() == .init())
    }

    @Test("a browser that hears nothing says so at its deadline, and can go on")
    func deadline() throws {
        let world = World()
        let browser = try browse(world, .commissionableNodes)
        let start = world.sim.now
        for round in 1...3 {
            let flow = next(world, browser, within: .seconds(5))
            #expect(try end(world, flow) == nil)
            #expect(flow.endedAt == start + .seconds(5 * round))
        }
        _ = world.device()
        let flow = next(world, browser)
        #expect(try end(world, flow) != nil)
        stop(world, browser)
        #expect(world.leftovers() == .init())
    }

    @Test("a cancelled browser ends at once; the next flow may use it")
    func cancellation() throws {
        let world = World()
        let browser = try browse(world, .commissionableNodes)
        let flow = next(world, browser)
        world.sim.run(for: .seconds(1))
        flow.cancel()
        world.sim.run(for: .zero)
        #expect(flow.error != nil && flow.endedAt == world.sim.now)
        _ = world.device()
        let again = next(world, browser)
        #expect(try end(world, again) != nil)
        stop(world, browser)
        #expect(world.leftovers() == .init())
    }

    @Test("a lost question is asked again, and so is one whose answer was lost", arguments: 1...2)
    func lost(number: Int) throws {
        let world = World()
        _ = world.device()
        // Both announcements are over.
        world.sim.run(for: .seconds(3))
        let first = world.network.sent
        world.network.carries = { $0.number != first + number }
        let browser = try browse(world, .longDiscriminator(3840))
        let flow = next(world, browser)
        #expect(try end(world, flow) != nil)
        #expect(world.sim.now > Instant(nanoseconds: 3_900_000_000))
        stop(world, browser)
        #expect(world.leftovers() == .init())
    }

    @Test("more queries than there is room for are refused, and leave the others as they are")
    func tooMany() throws {
        let world = World()
        _ = world.device()
        var browsers: [Resolver.Browser] = []
        for number in 0..<Limits.mdnsQueries {
            browsers.append(try browse(world, .longDiscriminator(UInt16(3840 + number))))
        }
        let refused = world.sim.run { () async throws(DiscoveryError) -> Void in
            _ = try await world.resolver.browse(.commissionableNodes)
        }
        #expect(throws: DiscoveryError.tooManyQueries) { try refused?.get() }
        #expect(world.leftoversNow.browsers == Limits.mdnsQueries)
        let flow = next(world, browsers[0])
        #expect(try end(world, flow) != nil)
        for browser in browsers { stop(world, browser) }
        #expect(world.leftovers() == .init())
    }

    @Test("what is no DNS message changes nothing")
    func junk() throws {
        let world = World()
        _ = world.device()
        let stranger = world.network.multicast(at: .simulated(0x999), interface: 2)
        let browser = try browse(world, .commissionableNodes)
        var random = SeededRandom(seed: 3)
        for count in [0, 1, 11, 12, 40, 400, 1400] {
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            stranger.sendToGroup(bytes.span, on: 2)
        }
        let flow = next(world, browser)
        #expect(try end(world, flow) != nil)
        stop(world, browser)
        #expect(world.leftovers() == .init())
    }
}

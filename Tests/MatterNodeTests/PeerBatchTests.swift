import Base
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Several commands, and lists longer than a message")
struct PeerBatchTests {
    private static let on = DeviceRequest.invoke(OnOff.On.self)

    private func device(
        _ world: World, maxPaths: UInt16, answersPerMessage: Int = 8
    ) -> ScriptedDevice {
        var settings = ScriptedDevice.Settings()
        settings.maxPathsPerInvoke = maxPaths
        settings.commandAnswersPerMessage = answersPerMessage
        let device = world.device(1, settings)
        device.commandAnswers[Self.on] = .status(.success)
        device.commandAnswers[.invoke(OnOff.Toggle.self)] = .status(.unsupportedCommand)
        return device
    }

    private func commands(_ count: UInt16) throws -> [CommandToInvoke] {
        try (1...count).map { number in
            number == 2
                ? try CommandToInvoke(OnOff.Toggle(), endpoint: EndpointID(number))
                : try CommandToInvoke(OnOff.On(), endpoint: EndpointID(number))
        }
    }

    private func invoke(
        _ world: World, _ peer: Peer, _ commands: [CommandToInvoke]
    ) -> SimulatedLoop.Flow<[InvokeOutcome], PeerError> {
        world.sim.start { () async throws(PeerError) -> [InvokeOutcome] in
            let most = try await peer.maxPathsPerInvoke()
            return try await peer.invoke(commands, maxPaths: most)
        }
    }

    private func expected(_ count: Int) -> [InvokeOutcome] {
        (1...count).map { number in
            number == 2
                ? .failure(.status(.unsupportedCommand, clusterStatus: nil)) : .success(.success)
        }
    }

    @Test(
        "§8.8 as few messages as the device takes; answers in several, and the last one first",
        arguments: [(10, 3), (10, 1), (4, 8), (1, 8)])
    func batches(maxPaths: UInt16, answersPerMessage: Int) throws {
        for seed in 1...5 {
            let world = World(seed: UInt64(seed), faults: seed == 1 ? FaultProfile() : .lossy)
            let device = device(world, maxPaths: maxPaths, answersPerMessage: answersPerMessage)
            let peer = try world.connected(device)
            let flow = invoke(world, peer, try commands(9))
            world.sim.finish(flow)
            #expect(flow.value == expected(9), "seed \(seed)")
            let messages = device.heard.count {
                if case .command = $0 { true } else { false }
            }
            #expect(messages == (9 + Int(maxPaths) - 1) / Int(maxPaths), "seed \(seed)")
            #expect(device.invoked.count == 9, "seed \(seed)")
            #expect(world.leftovers() == .init(sessions: 1), "seed \(seed)")
        }
    }

    @Test("with a device that takes one at a time, no more than four wait at once")
    func atOnce() throws {
        let world = World()
        let device = device(world, maxPaths: 1)
        let peer = try world.connected(device)
        device.react = { request in
            if case .command = request { .late(.seconds(1)) } else { .proceed }
        }
        let start = world.sim.now
        let flow = invoke(world, peer, try commands(9))
        world.sim.finish(flow)
        #expect(flow.value == expected(9))
        let spent = try #require(flow.endedAt) - start
        #expect(spent > .milliseconds(2900) && spent < .seconds(4), "\(spent)")
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("a device that refuses a message as a whole refuses each command of it")
    func refused() throws {
        let world = World()
        let device = device(world, maxPaths: 2)
        let peer = try world.connected(device)
        let flow = world.sim.start {
            [commands = try commands(3)]
            () async throws(PeerError) -> [InvokeOutcome] in
            try await peer.invoke(commands, maxPaths: 9)
        }
        world.sim.finish(flow)
        #expect(
            flow.value
                == Array(repeating: .failure(.status(.invalidAction, clusterStatus: nil)), count: 3)
        )
        device.react = { _ in .closeSession }
        let ended = invoke(world, peer, try commands(3))
        world.sim.finish(ended)
        #expect(ended.error == .exchange(.sessionEnded))
        #expect(world.leftovers() == .init())
    }

    @Test("cancelled between any two messages, it ends at once and leaves no exchange")
    func cancelled() throws {
        for milliseconds in [0, 1, 2, 5, 20, 500] {
            let world = World()
            let device = device(world, maxPaths: 3, answersPerMessage: 1)
            let peer = try world.connected(device)
            device.react = { _ in .late(.milliseconds(3)) }
            let flow = invoke(world, peer, try commands(9))
            world.sim.run(for: .milliseconds(milliseconds))
            guard flow.result == nil else { continue }
            flow.cancel()
            world.sim.run(for: .zero)
            #expect(flow.error == .exchange(.cancelled), "\(milliseconds) ms")
            #expect(world.leftovers() == .init(sessions: 1), "\(milliseconds) ms")
        }
    }

    private static let entries = (1...50).map { number in
        AccessControl.AccessControlEntryStruct {
            $0.privilege = OpenEnum(number == 1 ? .administer : .view)
            $0.authMode = OpenEnum(.case)
            $0.subjects = .value((0..<7).map { UInt64(number) << 40 + $0 })
        }
    }

    private func writeList(
        _ world: World, _ peer: Peer
    ) -> SimulatedLoop.Flow<Void, PeerError> {
        world.sim.start { () async throws(PeerError) -> Void in
            let data: AttributeDataIB
            do throws(InteractionError) {
                data = try AttributeDataIB(AccessControl.acl, Self.entries, endpoint: .root)
            } catch { throw .interaction(error) }
            try await peer.write([data])
        }
    }

    @Test("§10.6.4.3.1 an access control list of fifty entries arrives whole, over a bad network")
    func longList() throws {
        for seed in 1...5 {
            let world = World(seed: UInt64(seed), faults: .lossy)
            let device = world.device()
            device.put(AccessControl.acl, [])
            let peer = try world.connected(device)
            let flow = writeList(world, peer)
            world.sim.finish(flow)
            #expect(flow.error == nil && flow.result != nil, "seed \(seed)")
            #expect(device.count(.write) > 1, "seed \(seed)")
            let read = world.sim.start {
                () async throws(PeerError) -> [AccessControl.AccessControlEntryStruct]? in
                let paths = [AttributePath(AccessControl.acl, endpoint: .root)]
                let reports = try await peer.report(paths)
                return try? reports.value(AccessControl.acl, .root)
            }
            world.sim.finish(read)
            #expect(read.value == Self.entries, "seed \(seed)")
            #expect(world.leftovers() == .init(sessions: 1), "seed \(seed)")
        }
    }

    @Test("cut off after any part, the list holds the entry that was first in it")
    func cutOff() throws {
        for part in 1...3 {
            let world = World()
            let device = world.device()
            device.put(AccessControl.acl, [])
            let peer = try world.connected(device)
            device.react = { [unowned device] request in
                request == .write && device.count(.write) > part ? .vanish : .proceed
            }
            let flow = writeList(world, peer)
            world.sim.finish(flow)
            #expect(device.count(.write) == part + 1)
            #expect(flow.error == .exchange(.unreachable), "part \(part)")
            let beginning: [AccessControl.AccessControlEntryStruct] =
                try #require(device.written.first).data.decoded()
            #expect(beginning.first == Self.entries[0], "part \(part)")
        }
    }

    @Test("an answer in another protocol than the exchange's ends it", arguments: [true, false])
    func foreignProtocol(isHandshake: Bool) throws {
        let world = World()
        let device = world.device()
        if isHandshake {
            device.react = { _ in .foreignProtocol }
            let flow = world.sim.start { () async throws(HandshakeFailure) -> Peer in
                try await world.pase(device)
            }
            world.sim.finish(flow)
            #expect(flow.error == .exchange(.foreignProtocol(.interactionModel)))
            #expect(world.leftovers() == .init())
        } else {
            let peer = try world.connected(device)
            device.react = { _ in .foreignProtocol }
            let flow = invoke(world, peer, try commands(1))
            world.sim.finish(flow)
            #expect(flow.error == .exchange(.foreignProtocol(.secureChannel)))
            #expect(world.leftovers() == .init(sessions: 1))
        }
    }
}

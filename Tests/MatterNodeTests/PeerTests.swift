import Base
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Peer")
struct PeerTests {
    private func read(
        _ world: World, _ peer: Peer, _ paths: [AttributePath]
    ) -> SimulatedLoop.Flow<[AttributeReport], PeerError> {
        world.sim.start { () async throws(PeerError) -> [AttributeReport] in
            try await peer.read(paths)
        }
    }

    private func invoke<Invoked: Command>(
        _ world: World, _ peer: Peer, _ command: Invoked
    ) -> SimulatedLoop.Flow<Void, PeerError> {
        world.sim.start { () async throws(PeerError) -> Void in
            _ = try await peer.invoke(command)
        }
    }

    private static let everything = [AttributePath()]

    @Test("§8.4 a read in many chunks brings what it brings in one", arguments: [1000, 300, 60])
    func chunks(octets: Int) throws {
        let world = World()
        let whole = world.device()
        let expected = read(world, try world.connected(whole), Self.everything)
        world.sim.finish(expected)

        var settings = ScriptedDevice.Settings()
        settings.chunkOctets = octets
        let device = world.device(2, settings)
        let flow = read(world, try world.connected(device), Self.everything)
        world.sim.finish(flow)
        let reports = try #require(flow.value)
        #expect(reports.count > 15)
        #expect(reports == expected.value)
        if octets == 60 { #expect(device.count(.statusResponse) > 5) }
        #expect(world.leftovers() == .init(sessions: 2))
        #expect(device.exchangeCount == 0)
    }

    @Test("§10.6.4.3.1 a list that comes item by item is joined, over a bad network too")
    func longList() throws {
        let parts = (0..<600).map { EndpointID(UInt16($0)) }
        for seed in 1...20 {
            let world = World(seed: UInt64(seed), faults: .lossy)
            let device = world.device()
            device.putList(Descriptor.partsList, parts)
            let peer = try world.connected(device)
            let flow = world.sim.start { () async throws(PeerError) -> [EndpointID]? in
                let reports = try await peer.report([
                    AttributePath(Descriptor.partsList, endpoint: .root),
                    AttributePath(BasicInformation.vendorName, endpoint: .root),
                ])
                do throws(InteractionError) {
                    return try reports.value(Descriptor.partsList, .root)
                } catch { throw .interaction(error) }
            }
            world.sim.finish(flow)
            #expect(flow.value == parts, "seed \(seed): \(String(describing: flow.error))")
            #expect(device.count(.statusResponse) > 5, "seed \(seed)")
            #expect(world.leftovers() == .init(sessions: 1), "seed \(seed)")
        }
    }

    @Test(
        "§2.11.2 more than nine paths are asked for in several reads, in their order",
        arguments: [0, 1, 9, 10, 18, 25])
    func split(count: Int) throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        let attributes = [BasicInformation.vendorName, BasicInformation.productName]
        let paths = (0..<count).map { number in
            // Some of them do not exist.
            number % 5 == 4
                ? AttributePath(OnOff.onOff, endpoint: EndpointID(9))
                : AttributePath(attributes[number % 2], endpoint: .root)
        }
        let flow = read(world, peer, paths)
        world.sim.finish(flow)
        let reports = try #require(flow.value)
        #expect(reports.map { AttributePath($0.path) } == paths)
        for (number, report) in reports.enumerated() where number % 5 == 4 {
            #expect(report.value == .status(.unsupportedAttribute, clusterStatus: nil))
        }
        #expect(device.count(.read) == (count + 8) / 9)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("§8.5 a write is carried out, and one path refused is told")
    func write() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        let good = try AttributeDataIB(BasicInformation.nodeLabel, "Hall", endpoint: .root)
        let bad = try AttributeDataIB(BasicInformation.location, "XX", endpoint: .root)
        func write(_ values: [AttributeDataIB]) -> SimulatedLoop.Flow<Void, PeerError> {
            world.sim.start { () async throws(PeerError) -> Void in
                try await peer.write(values)
            }
        }
        let accepted = write([good])
        world.sim.finish(accepted)
        #expect(accepted.error == nil && accepted.result != nil)
        #expect(device.written == [good])
        let refused = write([good, bad])
        world.sim.finish(refused)
        #expect(
            refused.error
                == .interaction(.status(.unsupportedAttribute, clusterStatus: nil)))
        device.react = { _ in .status(.unsupportedAccess) }
        let whole = write([good])
        world.sim.finish(whole)
        #expect(
            whole.error == .interaction(.status(.unsupportedAccess, clusterStatus: nil)))
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("§8.7 a command that must be timed is announced first")
    func timed() throws {
        let world = World()
        let device = world.device()
        let request = DeviceRequest.invoke(AdministratorCommissioning.RevokeCommissioning.self)
        device.timedCommands = [request]
        device.commandAnswers[request] = .status(.success)
        let peer = try world.connected(device)
        let before = device.heard.count
        let flow = invoke(world, peer, AdministratorCommissioning.RevokeCommissioning())
        world.sim.finish(flow)
        #expect(flow.result != nil && flow.error == nil)
        #expect(device.heard[before...] == [.timedRequest, request])
        #expect(world.leftovers() == .init(sessions: 1))

        device.react = { $0 == .timedRequest ? .status(.resourceExhausted) : .proceed }
        let refused = invoke(world, peer, AdministratorCommissioning.RevokeCommissioning())
        world.sim.finish(refused)
        #expect(
            refused.error
                == .interaction(.status(.resourceExhausted, clusterStatus: nil)))
        #expect(device.count(request) == 1)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("§8.8 a refused command tells the status and the cluster's own")
    func refused() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        let request = DeviceRequest.invoke(OnOff.Toggle.self)
        device.commandAnswers[request] = .status(.failure, clusterStatus: 7)
        let flow = invoke(world, peer, OnOff.Toggle())
        world.sim.finish(flow)
        #expect(flow.error == .interaction(.status(.failure, clusterStatus: 7)))
        device.commandAnswers[request] = .status(.success)
        let accepted = invoke(world, peer, OnOff.Toggle())
        world.sim.finish(accepted)
        #expect(accepted.result != nil && accepted.error == nil)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("a session that ends between two chunks ends the read")
    func endsBetweenChunks() throws {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.chunkOctets = 100
        let device = world.device(1, settings)
        let peer = try world.connected(device)
        var count = 0
        device.react = { request in
            guard request == .statusResponse else { return .proceed }
            count += 1
            return count == 3 ? .closeSession : .proceed
        }
        let flow = read(world, peer, Self.everything)
        world.sim.finish(flow)
        #expect(flow.error == .exchange(.sessionEnded))
        #expect(world.leftovers() == .init())
    }

    @Test("a read that is cancelled between any two chunks ends at once and leaves no exchange")
    func cancelledBetweenChunks() throws {
        for turn in 1... {
            let world = World()
            var settings = ScriptedDevice.Settings()
            settings.chunkOctets = 100
            let device = world.device(1, settings)
            let peer = try world.connected(device)
            let flow = read(world, peer, Self.everything)
            let start = world.sim.turns
            var cancelledAt: Instant?
            world.sim.onTurn = { turns in
                guard turns == start + turn, flow.result == nil else { return }
                cancelledAt = world.sim.now
                flow.cancel()
            }
            world.sim.finish(flow)
            guard let cancelledAt else {
                #expect(turn > 5)
                break
            }
            #expect(flow.error == .exchange(.cancelled), "turn \(turn)")
            #expect(flow.endedAt == cancelledAt, "turn \(turn)")
            #expect(world.leftovers() == .init(sessions: 1), "turn \(turn)")
        }
    }
}

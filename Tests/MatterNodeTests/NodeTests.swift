import Base
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Node")
struct NodeTests {
    private static let label = [AttributePath(BasicInformation.vendorName, endpoint: .root)]

    private func read(
        _ world: World, _ peer: Peer
    ) -> SimulatedLoop.Flow<String?, PeerError> {
        world.sim.start { () async throws(PeerError) -> String? in
            let reports = try await peer.report(Self.label)
            do throws(InteractionError) {
                return try reports.value(BasicInformation.vendorName, .root)
            } catch { throw .interaction(error) }
        }
    }

    @Test("§4.10 a request is answered in its exchange, and nothing is left but the session")
    func answer() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        let flow = read(world, peer)
        #expect(try world.sim.finish(flow)?.get() == "Vendor")
        #expect(world.leftovers() == .init(sessions: 1))
        #expect(device.exchangeCount == 0)
    }

    @Test("§4.12.2 a lost request is sent again, and heard once", arguments: 0...4)
    func lostRequest(times: Int) throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        var lost = 0
        world.network.carries = { datagram in
            guard datagram.receiver == device.address, lost < times else { return true }
            lost += 1
            return false
        }
        let flow = read(world, peer)
        #expect(try world.sim.finish(flow)?.get() == "Vendor")
        #expect(device.count(.read) == 1)
        #expect(lost == times)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test(
        "§4.12.2 a lost answer comes again, and the question is not asked twice", arguments: 1...4)
    func lostAnswer(times: Int) throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        var lost = 0
        world.network.carries = { datagram in
            guard datagram.sender == device.address, lost < times else { return true }
            lost += 1
            return false
        }
        let flow = read(world, peer)
        #expect(try world.sim.finish(flow)?.get() == "Vendor")
        #expect(device.count(.read) == 1)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("§4.12.5.2.1 what arrives twice is taken once")
    func duplicates() throws {
        let world = World(faults: FaultProfile(duplicate: 1))
        let device = world.device()
        let peer = try world.connected(device)
        let flow = read(world, peer)
        #expect(try world.sim.finish(flow)?.get() == "Vendor")
        #expect(device.count(.read) == 1)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("§4.12.8 a peer that acknowledges nothing is unreachable after five transmissions")
    func unreachable() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        device.vanish()
        let before = world.network.sent
        let start = world.sim.now
        let flow = read(world, peer)
        world.sim.finish(flow)
        #expect(flow.error == .exchange(.unreachable))
        #expect(world.network.sent - before == MRP.transmissions)
        let spent = try #require(flow.endedAt) - start
        #expect(spent <= MRP.longest(interval: .milliseconds(500)))
        #expect(spent >= .milliseconds(2000))
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("a peer that acknowledges and says no more has its time, and then has not answered")
    func noAnswer() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        device.react = { _ in .mute }
        let start = world.sim.now
        let flow = read(world, peer)
        world.sim.finish(flow)
        #expect(flow.error == .exchange(.noAnswer))
        let network =
            MRP.longest(interval: .milliseconds(500)) + MRP.longest(interval: .milliseconds(300))
        #expect(flow.endedAt == start + network + Node.interactionProcessing)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("an answer that is late by less than the peer's time is taken")
    func late() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        device.react = { _ in .late(.seconds(4)) }
        let flow = read(world, peer)
        #expect(try world.sim.finish(flow)?.get() == "Vendor")
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("§4.11.1.4 CloseSession from the peer ends the flows that wait for it, and no other")
    func closeSession() throws {
        let world = World()
        let device = world.device()
        let other = world.device(2)
        let peer = try world.connected(device)
        let otherPeer = try world.connected(other)
        device.react = { _ in .mute }
        other.react = { $0 == .read ? .late(.seconds(2)) : .proceed }
        let flows = [read(world, peer), read(world, peer)]
        let unharmed = read(world, otherPeer)
        world.sim.run(for: .seconds(1))
        device.closeSessions()
        world.sim.run(for: .milliseconds(2))
        #expect(flows.map(\.error) == [.exchange(.sessionEnded), .exchange(.sessionEnded)])
        #expect(try world.sim.finish(unharmed)?.get() == "Vendor")
        #expect(world.leftovers() == .init(sessions: 1))
        let again = read(world, peer)
        world.sim.finish(again)
        #expect(again.error == .exchange(.sessionEnded))
    }

    @Test(
        "a cancelled flow ends at once, before or after the acknowledgement, with its exchange",
        arguments: [0, 1, 100, 250, 3000])
    func cancellation(milliseconds: Int) throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        device.react = { $0 == .read ? .late(.seconds(5)) : .proceed }
        let flow = read(world, peer)
        world.sim.run(for: .milliseconds(milliseconds))
        flow.cancel()
        world.sim.run(for: .zero)
        #expect(flow.error == .exchange(.cancelled))
        #expect(flow.endedAt == world.sim.now)
        let left = world.leftoversNow
        #expect(left.exchanges == 0 && left.inboxes == 0)
        // The answer still comes; it is acknowledged, and that is all.
        #expect(world.leftovers() == .init(sessions: 1))
        #expect(device.exchangeCount == 0)
    }

    @Test("a flow that is cancelled before it begins says so, and sends nothing twice")
    func cancelledBefore() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        let flow = read(world, peer)
        flow.cancel()
        world.sim.finish(flow)
        #expect(flow.error == .exchange(.cancelled))
        #expect(device.count(.read) <= 1)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("flows side by side in one session each get their own answer")
    func sideBySide() throws {
        let world = World(faults: .lossy)
        let device = world.device()
        let peer = try world.connected(device)
        let attributes = [
            BasicInformation.vendorName, BasicInformation.productName,
            BasicInformation.serialNumber,
        ]
        let flows = (0..<12).map { number in
            let attribute = attributes[number % 3]
            return world.sim.start { () async throws(PeerError) -> String? in
                let reports = try await peer.report([AttributePath(attribute, endpoint: .root)])
                do throws(InteractionError) {
                    return try reports.value(attribute, .root)
                } catch { throw .interaction(error) }
            }
        }
        for (number, flow) in flows.enumerated() {
            world.sim.finish(flow)
            #expect(flow.value == ["Vendor", "Lamp", "SN-1"][number % 3])
        }
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("what nobody asked for is acknowledged and leaves nothing")
    func unasked() throws {
        let world = World()
        let device = world.device()
        _ = try world.connected(device)
        device.sendUnasked()
        #expect(world.leftovers() == .init(sessions: 1))
        #expect(device.exchangeCount == 0)
    }

    @Test("closing a session tells the peer and ends what waits in it")
    func closing() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        device.react = { $0 == .read ? .mute : .proceed }
        let flow = read(world, peer)
        let closing = world.sim.start { () async throws(Never) -> Void in await peer.close() }
        world.sim.finish(closing)
        world.sim.run(for: .milliseconds(10))
        #expect(flow.error == .exchange(.sessionEnded))
        #expect(device.count(.closeSession) == 1)
        #expect(device.sessionCount == 0)
        #expect(world.leftovers() == .init())
    }

    @Test("datagrams that are no messages are counted and change nothing")
    func junk() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        let stranger = world.network.link(
            at: SocketAddress(.simulated(0x999), port: 5540))
        var random = SeededRandom(seed: 9)
        for count in [0, 1, 7, 8, 16, 30, 200, 1232, 1300, 2000] {
            var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            // Half of them have an acceptable first octet.
            if count % 2 == 0, count > 0 { bytes[0] = 0 }
            stranger.send(bytes.span, to: World.address)
        }
        world.sim.run(for: .milliseconds(10))
        let dropped = world.sim.run { () async throws(Never) -> MessageLayer.DropCounts in
            await world.node.dropped
        }
        let counts = try #require(dropped).get()
        #expect(counts.malformed + counts.unknownSession + counts.notAuthentic == 10)
        let flow = read(world, peer)
        #expect(try world.sim.finish(flow)?.get() == "Vendor")
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("the same seed takes the same course")
    func determinism() throws {
        func course() throws -> [String] {
            let world = World(seed: 77, faults: .lossy)
            let device = world.device()
            var trace: [String] = []
            world.network.carries = { datagram in
                trace.append(
                    "\(world.sim.now.nanoseconds) \(datagram.sender) \(datagram.bytes.count)")
                return true
            }
            let peer = try world.connected(device)
            let flow = read(world, peer)
            world.sim.finish(flow)
            return trace
        }
        let first = try course()
        #expect(first.count > 10)
        #expect(try course() == first)
    }

    @Test("a message that is too long is refused, and the session stays usable")
    func tooLong() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        let flow = world.sim.start { () async throws(ExchangeError) -> Void in
            let exchange = try await world.node.open(peer.session)
            let long = [UInt8](repeating: 0, count: 1300)
            do throws(ExchangeError) {
                try await world.node.send(
                    on: exchange, .interactionModel, opcode: 2, long.span)
            } catch {
                await world.node.close(exchange)
                throw error
            }
        }
        world.sim.finish(flow)
        #expect(flow.error == .message(.tooLong))
        #expect(world.leftovers() == .init(sessions: 1))
        let next = read(world, peer)
        #expect(try world.sim.finish(next)?.get() == "Vendor")
    }

    @Test("§4.12.5.2.1 a repetition is acknowledged again, so that the peer stops")
    func repetition() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        let flow = read(world, peer)
        var answers = 0
        var isLost = false
        world.network.carries = { datagram in
            if datagram.sender == device.address { answers += 1 }
            // Our acknowledgement of the answer, which is the second that we send.
            guard datagram.sender == World.address, answers == 1, !isLost else { return true }
            isLost = true
            return false
        }
        #expect(try world.sim.finish(flow)?.get() == "Vendor")
        #expect(world.leftovers() == .init(sessions: 1))
        #expect(isLost)
        #expect(answers == 2)
    }

    @Test("§4.12.5.2.2 an answer for which nobody waits any more is acknowledged at once")
    func lateAnswer() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        device.react = { $0 == .read ? .late(.seconds(2)) : .proceed }
        let flow = read(world, peer)
        world.sim.run(for: .seconds(1))
        flow.cancel()
        world.sim.run(for: .milliseconds(1))
        var answers = 0
        world.network.carries = { datagram in
            if datagram.sender == device.address { answers += 1 }
            return true
        }
        #expect(world.leftovers() == .init(sessions: 1))
        #expect(answers == 1)
        #expect(device.exchangeCount == 0)
    }

    @Test("§4.6.5 a message sent again by somebody else does not lead the session away")
    func replayed() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        var captured: [[UInt8]] = []
        world.network.carries = { datagram in
            if datagram.sender == device.address { captured.append(datagram.bytes) }
            return true
        }
        let flow = read(world, peer)
        #expect(try world.sim.finish(flow)?.get() == "Vendor")
        let stranger = world.network.link(at: SocketAddress(.simulated(0x999), port: 5540))
        for bytes in captured { stranger.send(bytes.span, to: World.address) }
        world.sim.run(for: .milliseconds(10))
        let address = world.sim.run { () async throws(Never) -> PeerAddress? in
            await world.node.address(of: peer.session)
        }
        #expect(!captured.isEmpty)
        #expect(address?.get() == .udp(device.address))
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("§4.13.2.3 a peer that moved is answered where it is now")
    func moved() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        let elsewhere = SocketAddress(.simulated(0x888), port: 5540)
        device.link.address = elsewhere
        world.network.alias(elsewhere, of: device.link)
        device.sendUnasked()
        world.sim.run(for: .milliseconds(10))
        let address = world.sim.run { () async throws(Never) -> PeerAddress? in
            await world.node.address(of: peer.session)
        }
        #expect(address?.get() == .udp(elsewhere))
        let flow = read(world, peer)
        #expect(try world.sim.finish(flow)?.get() == "Vendor")
    }
}

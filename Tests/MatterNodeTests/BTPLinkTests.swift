import Base
import Matter
import Simulation
import Testing

@testable import MatterNode

@Suite("BTPLink")
struct BTPLinkTests {
    private let sim = SimulatedLoop()

    private func open(
        _ peer: EchoingPeer
    ) -> (link: BTPLink, result: Result<Void, BTPLinkLoss>?) {
        let link = BTPLink(peer, on: sim.loop)
        let result = sim.run { () async throws(BTPLinkLoss) in try await link.open() }
        return (link, result)
    }

    private static func send(_ message: [UInt8], _ link: BTPLink) -> Bool {
        link.send(message.span)
    }

    @Test("§4.20.3.4 the handshake is written first, then C2 is subscribed to")
    func order() throws {
        let peer = EchoingPeer(on: sim.loop)
        let (link, result) = open(peer)
        try #require(result).get()
        #expect(peer.order == ["handshake", "subscribe"])
        link.close()
        #expect(peer.wasClosed)
        #expect(sim.runUntilQuiet(within: .seconds(60)))
    }

    @Test("Messages of every size go and come whole, past the wrap of the sequence numbers")
    func messages() throws {
        let peer = EchoingPeer(on: sim.loop)
        let (link, result) = open(peer)
        try #require(result).get()
        var heard: [[UInt8]] = []
        link.onMessage = { heard.append($0) }
        var sent: [[UInt8]] = []
        for round in 0..<90 {
            let message = [UInt8](repeating: UInt8(round), count: 1 + round * 14)
            sent.append(message)
            #expect(Self.send(message, link))
            sim.run(for: .seconds(1))
        }
        #expect(peer.messages == sent)
        #expect(heard == sent)
        link.close()
    }

    @Test("A packet that finds no room goes when there is some")
    func noRoom() throws {
        let peer = EchoingPeer(on: sim.loop)
        peer.refusals = 3
        let (link, result) = open(peer)
        try #require(result).get()
        peer.refusals = 2
        #expect(Self.send([1, 2, 3], link))
        sim.run(for: .seconds(1))
        #expect(peer.messages == [[1, 2, 3]])
        link.close()
    }

    @Test("A silent device is given up after BTP's wait, a lost connection at once")
    func loss() throws {
        let silent = EchoingPeer(on: sim.loop)
        silent.answersHandshake = false
        let failure = open(silent).result
        #expect(throws: BTPLinkLoss.btpClosed(.handshakeTimeout)) { try failure?.get() }

        let peer = EchoingPeer(on: sim.loop)
        let (link, result) = open(peer)
        try #require(result).get()
        var losses: [BTPLinkLoss] = []
        link.onLoss = { losses.append($0) }
        peer.cut()
        #expect(losses == [.disconnected])
        #expect(!Self.send([1], link))
        #expect(sim.runUntilQuiet(within: .seconds(60)))
    }

    @Test("Silence ends a link after 30 s, but not while anybody waits for an answer")
    func idle() throws {
        let peer = EchoingPeer(on: sim.loop)
        peer.echoes = false
        let (link, result) = open(peer)
        try #require(result).get()
        let start = sim.now
        link.beginWaiting()
        // The device says nothing of its own either; its side keeps the link as long.
        sim.run(for: .seconds(25))
        #expect(link.loss == nil)
        link.endWaiting()
        #expect(sim.runUntilQuiet(within: .seconds(60)))
        #expect(link.loss != nil)
        #expect(sim.now - start >= .seconds(25))
    }

    @Test("A link that is finished lets its last message go")
    func finish() throws {
        let peer = EchoingPeer(on: sim.loop)
        let (link, result) = open(peer)
        try #require(result).get()
        #expect(Self.send([UInt8](repeating: 7, count: 600), link))
        link.finish()
        #expect(sim.runUntilQuiet(within: .seconds(60)))
        #expect(peer.messages.map(\.count) == [600])
        #expect(link.loss == .closed)
    }

    @Test("The sessions of a lost link end, and with them what waits")
    func node() throws {
        let world = World()
        let peer = EchoingPeer(on: world.sim.loop)
        peer.echoes = false
        let node = world.node
        let link = BTPLink(peer, on: world.sim.loop)
        let flow = world.sim.start { () async throws(HandshakeFailure) -> Bool in
            do throws(BTPLinkLoss) { try await link.open() } catch { return false }
            let address = await node.attach(link)
            _ = try await node.establishPASE(
                at: address, passcode: .passcode(20_202_021), parameters: SessionParameters())
            return true
        }
        world.sim.run(for: .seconds(5))
        #expect(peer.messages.count == 1)
        #expect(flow.result == nil)
        peer.cut()
        world.sim.run(for: .milliseconds(1))
        #expect(flow.error == .exchange(.sessionEnded))
        #expect(world.leftovers() == .init())
    }
}

import Base
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Handshakes of a Node")
struct HandshakeTests {
    enum Kind: CaseIterable {
        case pase, operational

        var opcodes: [SecureChannelOpcode] {
            switch self {
            case .pase: [.pbkdfParamRequest, .pake1, .pake3]
            case .operational: [.sigma1, .sigma3]
            }
        }
    }

    private func begin(
        _ kind: Kind, _ world: World, _ device: ScriptedDevice
    ) -> SimulatedLoop.Flow<Peer, HandshakeFailure> {
        world.sim.start { () async throws(HandshakeFailure) -> Peer in
            switch kind {
            case .pase: try await world.pase(device)
            case .operational: try await world.operational(device)
            }
        }
    }

    /// The session carries a message each way.
    private func works(_ world: World, _ peer: Peer) -> Bool {
        let flow = world.sim.start { () async throws(PeerError) -> Int in
            try await peer.read([AttributePath(OnOff.onOff, endpoint: EndpointID(1))]).count
        }
        world.sim.finish(flow)
        return flow.value == 1
    }

    @Test(
        "a device that refuses session parameters is told none: ours are what absence means",
        arguments: Kind.allCases)
    func parameters(kind: Kind) throws {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.refusesSessionParameters = true
        let device = world.device(1, settings)
        device.join(world.fabric, as: NodeID(0x2002))
        let flow = begin(kind, world, device)
        world.sim.finish(flow)
        #expect(works(world, try #require(flow.value)))
    }

    @Test(
        "§4.14 a handshake over a bad network ends in a session that works",
        arguments: Kind.allCases)
    func lossy(kind: Kind) throws {
        for seed in 1...40 {
            let world = World(seed: UInt64(seed), faults: .lossy)
            let device = world.member()
            let flow = begin(kind, world, device)
            world.sim.finish(flow, within: .seconds(60))
            let peer = try #require(flow.value, "seed \(seed): \(String(describing: flow.error))")
            #expect(works(world, peer), "seed \(seed)")
            #expect(world.leftovers() == .init(sessions: 1), "seed \(seed)")
            #expect(device.sessionCount == 1, "seed \(seed)")
        }
    }

    @Test("§4.14.1 a wrong passcode is noticed by us, told to the device, and leaves nothing")
    func wrongPasscode() {
        let world = World()
        let device = world.device()
        let flow = world.sim.start { () async throws(HandshakeFailure) -> Peer in
            try await world.pase(device, passcode: 12_345_679)
        }
        world.sim.finish(flow)
        #expect(flow.error == .pase(.wrongPasscode))
        #expect(world.leftovers() == .init())
        #expect(device.wrongPasscodes == 1)
        #expect(device.sessionCount == 0)
    }

    @Test("§4.11.1.5 a busy peer says how long to wait", arguments: Kind.allCases)
    func busy(kind: Kind) {
        let world = World()
        let device = world.member()
        device.react = { _ in .report(.busy(wait: .seconds(2))) }
        let flow = begin(kind, world, device)
        world.sim.finish(flow)
        #expect(flow.error?.busyWait == .seconds(2))
        #expect(world.leftovers() == .init())
    }

    @Test("§4.14.2 a node of another fabric shares no root with us")
    func otherFabric() throws {
        var random = SeededRandom(seed: 7)
        let record = Fabric.create(adminVendorID: VendorID(0xFFF1), using: &random)
        let world = World()
        let device = world.device()
        device.join(try Fabric(record), as: NodeID(0x2002))
        let flow = begin(.operational, world, device)
        world.sim.finish(flow)
        #expect(
            flow.error
                == .operational(.statusReport(StatusReport(.failure, .noSharedTrustRoots))))
        #expect(world.leftovers() == .init())
    }

    @Test("a handshake that breaks at any message leaves no session", arguments: Kind.allCases)
    func breaks(kind: Kind) throws {
        for opcode in kind.opcodes {
            let reactions: [DeviceReaction] = [
                .report(StatusReport(.failure, .invalidParameter)), .mute, .garbage, .vanish,
            ]
            for (number, reaction) in reactions.enumerated() {
                let world = World()
                let device = world.member()
                device.react = { $0 == .handshake(opcode) ? reaction : .proceed }
                let flow = begin(kind, world, device)
                world.sim.finish(flow, within: .seconds(60))
                let error = try #require(flow.error, "\(opcode) \(number)")
                switch number {
                case 1: #expect(error == .exchange(.noAnswer), "\(opcode)")
                case 3: #expect(error == .exchange(.unreachable), "\(opcode)")
                default: break
                }
                #expect(world.leftovers() == .init(), "\(opcode) \(number)")
                #expect(device.sessionCount == 0, "\(opcode) \(number)")
            }
        }
    }

    @Test(
        "a handshake that is cancelled at any turn ends at once and leaves no session",
        arguments: Kind.allCases)
    func cancelled(kind: Kind) throws {
        var cancellations = 0
        for turn in 1... {
            let world = World()
            let device = world.member()
            _ = world.sim.runUntilQuiet(within: .seconds(10))
            let flow = begin(kind, world, device)
            let start = world.sim.turns
            var cancelledAt: Instant?
            world.sim.onTurn = { turns in
                guard turns == start + turn, flow.result == nil else { return }
                cancelledAt = world.sim.now
                flow.cancel()
            }
            world.sim.finish(flow)
            guard let cancelledAt else { break }
            cancellations += 1
            #expect(flow.endedAt == cancelledAt, "turn \(turn)")
            #expect(flow.error == .exchange(.cancelled), "turn \(turn)")
            #expect(world.leftovers() == .init(), "turn \(turn)")
        }
        #expect(cancellations >= kind.opcodes.count)
    }

    @Test("the session that was there before a failed handshake stays")
    func earlierSession() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        device.react = { $0 == .handshake(.pake1) ? .garbage : .proceed }
        let flow = begin(.pase, world, device)
        world.sim.finish(flow)
        #expect(flow.error != nil)
        #expect(world.leftovers() == .init(sessions: 1))
        #expect(works(world, peer))
    }

    @Test("a flood of strangers takes no room from our own handshakes")
    func flood() throws {
        let world = World()
        let device = world.device()
        let stranger = world.network.link(at: SocketAddress(.simulated(0x999), port: 5540))
        let payload = [UInt8](repeating: 0x15, count: 40)
        for number in 1...600 {
            var header = MessageHeader(sessionID: .unsecured, counter: UInt32(number))
            header.source = NodeID(UInt64(number))
            var message = ProtocolHeader(
                exchangeID: ExchangeID(UInt16(number)), protocolID: .secureChannel,
                opcode: SecureChannelOpcode.pbkdfParamRequest.rawValue, isFromInitiator: true)
            message.needsAcknowledgement = true
            let datagram = try [UInt8](capacity: 100) { writer throws(ByteError) in
                try header.write(&writer)
                try message.write(&writer)
                try writer.bytes(payload.span)
            }
            stranger.send(datagram.span, to: World.address)
            if number % 50 == 0 { world.sim.run(for: .milliseconds(1)) }
        }
        let flow = begin(.pase, world, device)
        world.sim.finish(flow)
        let peer = try #require(flow.value, "\(String(describing: flow.error))")
        #expect(works(world, peer))
        let left = world.leftovers()
        #expect(left.sessions <= Limits.sessions)
        #expect(left.exchanges == 0 && left.inboxes == 0 && left.isQuiet)
    }
}

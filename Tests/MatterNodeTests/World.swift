import Base
import Crypto
import Matter
import MatterNode
import Simulation

/// A gateway and any number of devices on one simulated network at virtual time.
final class World: @unchecked Sendable {
    let sim = SimulatedLoop()
    let network: SimulatedNetwork
    let link: SimulatedLink
    let random: SharedRandom
    let node: Node
    let resolver: Resolver
    let store = MemoryStore()
    let fabric = World.fabric
    /// What the commissioner told of its progress.
    var steps: [CommissioningStep] = []
    var warnings: [CommissioningWarning] = []
    /// What goes on behind runs that were cancelled.
    var undoing: [LoopTask] = []
    private let seed: UInt64
    /// Nobody else holds them.
    private var devices: [ScriptedDevice] = []

    static let address = SocketAddress(.simulated(1), port: 41_000)

    /// One for all tests: who administers makes no difference to any.
    static let fabric: Fabric = {
        var random = SeededRandom(seed: 42)
        let record = Fabric.create(adminVendorID: VendorID(0xFFF1), using: &random)
        do throws(FabricError) { return try Fabric(record) } catch {
            preconditionFailure("a new fabric is in order")
        }
    }()

    init(seed: UInt64 = 1, faults: FaultProfile = FaultProfile()) {
        self.seed = seed
        network = SimulatedNetwork(loop: sim.loop, seed: seed)
        network.faults = faults
        link = network.link(at: Self.address)
        random = SharedRandom(SeededRandom(seed: seed))
        node = Node(loop: sim.loop, link: link, random: random)
        resolver = Resolver(
            loop: sim.loop,
            link: network.multicast(at: Self.address.address, interface: 2), interfaces: [2])
        _ = sim.run { [node, resolver] () async throws(Never) -> Void in
            await node.start()
            await resolver.start()
        }
    }

    func device(
        _ number: UInt8 = 1, _ settings: ScriptedDevice.Settings = ScriptedDevice.Settings()
    ) -> ScriptedDevice {
        let device = ScriptedDevice(
            on: network, number: number, settings: settings, seed: seed)
        devices.append(device)
        return device
    }

    /// A device that is a member of our fabric.
    func member(_ nodeID: UInt64 = 0x2002, number: UInt8 = 1) -> ScriptedDevice {
        let device = device(number)
        device.join(fabric, as: NodeID(nodeID))
        return device
    }

    // MARK: Handshakes

    func pase(
        _ device: ScriptedDevice, passcode: UInt32 = 20_202_021
    ) async throws(HandshakeFailure) -> Peer {
        let session = try await node.establishPASE(
            at: .udp(device.address), passcode: .passcode(passcode),
            parameters: SessionParameters())
        return Peer(node: node, session: session.handle)
    }

    func operational(
        _ device: ScriptedDevice, nodeID: UInt64 = 0x2002
    ) async throws(HandshakeFailure) -> Peer {
        let session = try await node.establishCASE(
            with: NodeID(nodeID), at: .udp(device.address), credentials: fabric.credentials,
            parameters: SessionParameters(), now: ScriptedDevice.certificateTime)
        return Peer(node: node, session: session.handle)
    }

    /// A session that must come about.
    func connected(_ device: ScriptedDevice) throws -> Peer {
        let peer = try sim.run { () async throws(HandshakeFailure) -> Peer in
            try await self.pase(device)
        }?.get()
        guard let peer else { throw NoEnd() }
        // What the handshake still owes is acknowledged.
        _ = sim.runUntilQuiet(within: .seconds(60))
        return peer
    }

    struct NoEnd: Error {}

    // MARK: What is left

    struct Leftovers: Equatable {
        var sessions = 0
        var exchanges = 0
        var inboxes = 0
        var browsers = 0
        /// Nothing ready and no timer, of the gateway or of a device.
        var isQuiet = true
    }

    var leftoversNow: Leftovers {
        let found = sim.run { [node, resolver] () async throws(Never) -> Leftovers in
            Leftovers(
                sessions: await node.sessionCount, exchanges: await node.exchangeCount,
                inboxes: await node.inboxCount, browsers: await resolver.browserCount)
        }
        guard case .success(var leftovers)? = found else {
            preconditionFailure("counting waits for nothing")
        }
        leftovers.isQuiet = sim.isQuiet
        return leftovers
    }

    /// What is left when nothing happens any more, or at the end of the time given.
    func leftovers(within limit: Duration = .seconds(120)) -> Leftovers {
        _ = sim.runUntilQuiet(within: limit)
        return leftoversNow
    }
}

extension FaultProfile {
    static let lossy = FaultProfile(
        drop: 0.1, duplicate: 0.1, delay: .milliseconds(1)...(.milliseconds(60)))
}

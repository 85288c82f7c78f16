internal import Base
internal import Crypto
internal import Gateway
internal import Matter
internal import MatterNode
internal import Simulation
internal import VirtualDevice

/// One process of the gateway, from its start until it is killed. The medium outlives it.
final class GatewayLife: @unchecked Sendable {
    let gateway: Gateway
    let node: Node
    let resolver: Resolver
    let number: Int
    private let world: World
    private let store: MemoryStore
    private let link: SimulatedLink
    private let multicast: SimulatedMulticast
    private let radio: SimulatedRadio?
    let bluetooth: Bluetooth?
    private var flow: LoopTask?
    /// The commissioning that goes on.
    private var run: LoopTask?
    private(set) var isOver = false
    /// When each node was last read well.
    private(set) var read: [NodeID: Instant] = [:]
    private(set) var readings = 0
    private(set) var commissionings = 0

    /// Between tries, and between polls.
    private static let pause = Duration.seconds(5)

    /// - Parameter number: which life it is.
    init(_ world: World, number: Int, onWrite: @escaping MemoryStore.WriteHook) {
        self.world = world
        self.number = number
        store = MemoryStore(world.medium)
        store.onWrite = onWrite
        link = world.network.link(
            at: SocketAddress(World.gatewayAddress, port: UInt16(41_000 + number)))
        multicast = world.network.multicast(
            at: World.gatewayAddress, interface: World.interface)
        let random = SharedRandom(SeededRandom(seed: world.seed &* 97 &+ UInt64(number)))
        node = Node(loop: world.sim.loop, link: link, random: random)
        resolver = Resolver(
            loop: world.sim.loop, link: multicast, interfaces: [World.interface])
        radio = world.air?.radio()
        bluetooth = radio.map { Bluetooth($0, on: world.sim.loop) }
        gateway = Gateway(
            node: node, resolver: resolver, store: store, fabric: world.fabric,
            verifier: AttestationVerifier(anchors: world.anchors, allowTestDevices: true),
            clock: world.clock, random: random, facts: { Self.facts }, bluetooth: bluetooth)
    }

    static let facts: SystemFacts = {
        var facts = SystemFacts()
        facts.interfaces = [
            SystemFacts.InterfaceFact(
                name: "eth0", hasLinkLocalIPv6: true, isIPv6Disabled: false, isForwarding: false,
                learnsThreadRoutes: true)
        ]
        return facts
    }()

    /// Begins to commission what is not ours yet and to read what is, one device after the other.
    func start() {
        flow = world.sim.loop.spawn { [self] in
            await node.start()
            await resolver.start()
            await bluetooth?.start()
            await gateway.beginSettling { [self] settled in
                world.note("life \(number): settled \(settled)")
            }
            while !Task.isCancelled {
                await turn()
                do throws(CancellationError) {
                    try await node.loop.sleep(for: Self.pause)
                } catch { return }
            }
        }
    }

    private func turn() async {
        for house in world.devices {
            guard !Task.isCancelled else { return }
            if let record = record(of: house) {
                await read(record)
            } else {
                await commission(house)
            }
        }
    }

    private func record(of house: World.House) -> NodeRecord? {
        world.medium.nodes.first { $0.serialNumber == house.device.settings.serialNumber }
    }

    private func commission(_ house: World.House) async {
        var request = CommissioningRequest(payload: house.device.payload)
        request.discoveryTime = .seconds(10)
        if world.air != nil { request.networks = Self.networks }
        let gateway = gateway
        let task = world.sim.loop.spawn { [self, request] in
            do throws(CommissioningError) {
                let record = try await gateway.commission(request, progress: { _ in })
                commissionings += 1
                world.note("life \(number): commissioned \(record.nodeID)")
            } catch {
                world.note("life \(number): at \(error.step): \(error.cause)")
            }
        }
        run = task
        await task.value
        run = nil
    }

    private static let networks: DeviceNetworks = {
        let (name, key) = (Array("virtual-home".utf8), Array("correct horse".utf8))
        return DeviceNetworks(
            wiFi: try? WiFiNetworkCredentials(ssid: name.span, credentials: Secret(key.span)))
    }()

    private func read(_ record: NodeRecord) async {
        let path = AttributePath(BasicInformation.serialNumber, endpoint: .root)
        do throws(GatewayError) {
            guard try await gateway.read([path], of: record).count == 1 else { return }
            read[record.nodeID] = node.loop.now
            readings += 1
        } catch { world.note("life \(number): reading \(record.serialNumber): \(error)") }
    }

    /// A person changes their mind about the commissioning that goes on.
    /// - Returns: whether there was one.
    func cancelRun() -> Bool {
        guard let run else { return false }
        run.cancel()
        return true
    }

    /// From now on nothing that it does reaches anybody, as if its power had been cut.
    func kill() {
        guard !isOver else { return }
        isOver = true
        store.isCut = true
        world.network.remove(link)
        world.network.remove(multicast)
        if let radio { world.air?.remove(radio) }
        run?.cancel()
        flow?.cancel()
    }

    /// Ends as a process should: with a word to the devices.
    func end() async {
        run?.cancel()
        flow?.cancel()
        if let flow { await flow.value }
        await gateway.close()
    }
}

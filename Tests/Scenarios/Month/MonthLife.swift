internal import Base
internal import Crypto
internal import Gateway
internal import LinuxIO
internal import Matter
internal import MatterNode
internal import Simulation
internal import VirtualDevice

/// One process of the gateway with all that keeps devices read, joined as `Foreground` does it.
final class MonthLife: @unchecked Sendable {
    let gateway: Gateway
    let node: Node
    let resolver: Resolver
    let keeping: Keeping
    let startedAt: Instant
    let mqtt: MQTTService
    private let agent: Agent
    private let recorder: HistoryRecorder
    private let history: WatchedHistory
    private let store: MemoryStore
    private let link: SimulatedLink
    private let multicast: SimulatedMulticast
    private let world: World
    private var flow: LoopTask?
    private(set) var isOver = false

    /// The same in every life: devices that still tell the one before are heard by the next.
    static let port: UInt16 = 41_000

    init(
        _ world: World, number: Int, history: WatchedHistory, broker: MonthBroker,
        onEvent: @escaping @Sendable (KeepingEvent) -> Void
    ) {
        self.world = world
        self.history = history
        let loop = world.sim.loop
        startedAt = loop.now
        store = MemoryStore(world.medium)
        store.keepsCalls = false
        link = world.network.link(at: SocketAddress(World.gatewayAddress, port: Self.port))
        multicast = world.network.multicast(
            at: World.gatewayAddress, interface: World.interface)
        let random = SharedRandom(SeededRandom(seed: world.seed &* 97 &+ UInt64(number)))
        node = Node(loop: loop, link: link, random: random)
        resolver = Resolver(loop: loop, link: multicast, interfaces: [World.interface])
        gateway = Gateway(
            node: node, resolver: resolver, store: store, fabric: world.fabric,
            verifier: AttestationVerifier(anchors: world.anchors, allowTestDevices: true),
            clock: world.clock, random: random, facts: { GatewayLife.facts })
        keeping = Keeping(gateway: gateway)
        agent = Agent(gateway: gateway, board: DarkBoard(), keeping: keeping) { _ in }
        recorder = HistoryRecorder(history, loop: loop)
        mqtt = Self.service(world, random, broker)
        flow = loop.spawn { [self] in await begin(onEvent) }
    }

    private static func service(
        _ world: World, _ random: SharedRandom, _ broker: MonthBroker
    ) -> MQTTService {
        var configuration = MQTTConfiguration()
        do throws(MQTTConfiguration.Fault) {
            try configuration.set(.mqttBroker, "mqtt://broker.example")
            try configuration.set(.mqttName, MonthBroker.name)
        } catch { preconditionFailure("a configuration of our own is in order") }
        let service = MQTTService(
            configuration, name: "", on: world.sim.loop, random: random,
            surroundings: MQTTService.Surroundings(
                parse: { try? JSONText.parse($0.span) },
                perform: { _ in Output(lines: [], document: .null) }, show: { _, _ in },
                unixSeconds: { [unowned world] in world.plausibleSeconds })
        ) { _, _ in broker.newClient() }
        guard let service else { preconditionFailure("the configuration names a broker") }
        return service
    }

    private func begin(_ onEvent: @escaping @Sendable (KeepingEvent) -> Void) async {
        await node.start()
        await resolver.start()
        await gateway.beginSettling { _ in }
        await keeping.observe { [recorder] event in
            if case .reading(let reading, _) = event { recorder.record(reading) }
            onEvent(event)
        }
        recorder.start()
        await agent.start()
        guard !isOver else { return }
        await agent.use(mqtt)
        await mqtt.follow(keeping)
        mqtt.start(history: history)
    }

    func commission(_ house: World.House) async {
        let request = CommissioningRequest(payload: house.device.payload)
        do throws(CommissioningError) {
            _ = try await gateway.commission(request, progress: { _ in })
        } catch { world.note("commissioning ended at \(error.step): \(error.cause)") }
    }

    func record(_ serialNumber: String) -> NodeRecord? {
        world.medium.nodes.first { $0.serialNumber == serialNumber }
    }

    /// - Parameter alert: kept as a person's would be.
    func keep(_ alert: AlertRecord, _ record: NodeRecord) async {
        do throws(StoreError) {
            try store.save(record)
            try store.save(alert)
        } catch { preconditionFailure("a store in memory takes everything") }
        await keeping.look()
    }

    /// From now on nothing that it does reaches anybody, as if its power had been cut.
    func kill() {
        guard !isOver else { return }
        isOver = true
        history.close()
        store.isCut = true
        world.network.remove(link)
        world.network.remove(multicast)
        flow?.cancel()
        world.sim.loop.spawn { [self] in await end() }
    }

    /// Ends as a process should: what was read is stored, and devices hear of it.
    func close(_ ended: @escaping @Sendable () -> Void) {
        world.sim.loop.spawn { [self] in
            await end()
            isOver = true
            history.close()
            world.network.remove(link)
            world.network.remove(multicast)
            ended()
        }
    }

    private func end() async {
        await agent.stop()
        recorder.stop()
        await gateway.close()
    }
}

/// A board without anything on it.
private final class DarkBoard: Board, @unchecked Sendable {
    var onButton: ((_ isPressed: Bool, _ at: Instant) -> Void)?
    let isButtonPressed = false
    let hasFaultLamp = false
    func show(_ lamp: Lamp, isOn: Bool) {}
}

import Base
import Crypto
import Gateway
import Matter
import MatterNode
import Simulation

/// A gateway whose commands reach simulated devices at virtual time.
final class Building: CommandSurroundings, @unchecked Sendable {
    let sim = SimulatedLoop()
    let records = MemoryStore()
    let fabric: Fabric
    /// Whether its terminal draws.
    var pictures = false
    /// Drawn on by the dashboard.
    var screen: KeyScreen?
    let network: SimulatedNetwork
    let air: SimulatedAir
    let radio: SimulatedRadio?
    let operations: Gateway
    let node: Node
    /// What a person is asked, and whether they type the word.
    var questions: [String] = []
    var confirms = false
    /// What is typed at the prompts for passphrases, in turn.
    var passphrases: [String] = []
    /// What the prompts said.
    var prompts: [String] = []
    var hasTerminal = true
    /// The one that the board is on.
    var boardNetwork: WiFiNetworkCredentials?
    var files: [String: [UInt8]] = [:]
    var isDamaged = false
    var isErased = false
    var freeBytes = 5_000_000_000
    /// Nobody else holds them.
    private var devices: [ScriptedDevice] = []
    let kept = MemoryHistory()
    private(set) var agent: Agent?
    var events: [AgentEvent] = []
    /// Answers questions in the place of `confirms`.
    var answer: (() async -> Bool)?

    /// - Parameter hasRadio: whether its board has Bluetooth; devices are found in `air` then.
    init(
        hasRadio: Bool = false, verifier: AttestationVerifier = DeviceAttestation.shared.verifier
    ) throws {
        air = SimulatedAir(loop: sim.loop, seed: 7)
        radio = hasRadio ? air.radio() : nil
        var seed = SeededRandom(seed: 7)
        fabric = try Fabric(Fabric.create(adminVendorID: VendorID(0xFFF1), using: &seed))
        network = SimulatedNetwork(loop: sim.loop, seed: 7)
        (operations, node) = Self.gateway(
            1, on: network, of: fabric, records, sim, verifier, radio)
    }

    /// - Parameter number: makes its address and its random numbers.
    private static func gateway(
        _ number: UInt8, on network: SimulatedNetwork, of fabric: Fabric,
        _ store: MemoryStore, _ sim: SimulatedLoop,
        _ verifier: AttestationVerifier = DeviceAttestation.shared.verifier,
        _ radio: SimulatedRadio? = nil
    ) -> (Gateway, Node) {
        let address = SocketAddress(.simulated(UInt16(number)), port: 41_000)
        let random = SharedRandom(SeededRandom(seed: UInt64(number) + 7))
        let node = Node(loop: sim.loop, link: network.link(at: address), random: random)
        let resolver = Resolver(
            loop: sim.loop, link: network.multicast(at: address.address, interface: 2),
            interfaces: [2])
        let bluetooth = radio.map { Bluetooth($0, on: sim.loop) }
        let gateway = Gateway(
            node: node, resolver: resolver, store: store, fabric: fabric,
            verifier: verifier,
            clock: CommissioningClock(
                unixSeconds: { 1_777_000_000 },
                certificateTime: { ScriptedDevice.certificateTime }),
            random: random, facts: { Self.facts }, bluetooth: bluetooth)
        _ = sim.run { () async throws(Never) -> Void in
            await node.start()
            await resolver.start()
            await bluetooth?.start()
        }
        return (gateway, node)
    }

    /// Adds a device to a gateway of another owner.
    func commissionElsewhere(_ payload: SetupPayload) throws -> NodeRecord {
        var seed = SeededRandom(seed: 70)
        let theirs = try Fabric(Fabric.create(adminVendorID: VendorID(0xFFF2), using: &seed))
        let (gateway, _) = Self.gateway(2, on: network, of: theirs, MemoryStore(), sim)
        let result = sim.run { () async throws(CommissioningError) -> NodeRecord in
            try await gateway.commission(CommissioningRequest(payload: payload)) { _ in }
        }
        guard let result else { throw NoEnd() }
        return try result.get()
    }

    private static let facts: SystemFacts = {
        var facts = SystemFacts()
        facts.interfaces = [
            SystemFacts.InterfaceFact(
                name: "eth0", hasLinkLocalIPv6: true, isIPv6Disabled: false, isForwarding: false,
                learnsThreadRoutes: true)
        ]
        return facts
    }()

    /// A device that nobody has added, with the manual code 34970112332.
    func stranger(_ number: UInt8, announcesWindow: Bool = true) -> ScriptedDevice {
        var settings = ScriptedDevice.Settings()
        settings.announcesWindow = announcesWindow
        let device = ScriptedDevice(on: network, number: number, settings: settings)
        devices.append(device)
        return device
    }

    /// A device that was added before.
    func device(
        _ number: UInt8, name: String, endpoints: [EndpointRecord] = []
    ) throws -> ScriptedDevice {
        let device = stranger(number, announcesWindow: false)
        device.join(fabric, as: NodeID(UInt64(number)))
        var record = NodeRecord(
            nodeID: NodeID(UInt64(number)), fabricIndex: FabricIndex(1),
            vendorID: DeviceAttestation.vendorID, productID: DeviceAttestation.productID)
        record.name = name
        record.endpoints = endpoints
        try records.save(record)
        return device
    }

    /// A device that waits to be added.
    func newDevice(
        _ number: UInt8, _ settings: ScriptedDevice.Settings = ScriptedDevice.Settings()
    ) -> ScriptedDevice {
        let device = ScriptedDevice(on: network, number: number, settings: settings)
        devices.append(device)
        return device
    }

    /// The device gets another address, and says so.
    func move(_ device: ScriptedDevice, to address: IPAddress) {
        network.move(device.link, to: SocketAddress(address, port: ScriptedDevice.port))
        network.move(device.answerer.link, to: address)
        device.answerer.addresses = [address]
    }

    /// An agent for this gateway; what it tells is in `events`.
    func startAgent(
        on board: ScriptedBoard, _ settings: ButtonWindow.Settings = ButtonWindow.Settings(),
        keeps: Bool = false, showsReadings: Bool = false
    ) -> Agent {
        let agent = Agent(
            gateway: operations, board: board, settings: settings,
            keeping: keeps ? Keeping(gateway: operations) : nil, showsReadings: showsReadings
        ) { [self] event in events.append(event) }
        _ = sim.run { () async throws(Never) -> Void in await agent.start() }
        self.agent = agent
        return agent
    }

    /// One line of the console.
    func run(_ line: String) throws -> Output {
        let words = try ConsoleLine.split(Array(line.utf8).span)
        let command = try CommandParser.parse(words).command
        let result = sim.run { () async throws(Never) -> Output in
            await CommandRunner(self).run(command)
        }
        guard case .success(let output)? = result else { throw NoEnd() }
        return output
    }

    struct NoEnd: Error {}

    // MARK: CommandSurroundings

    func store() throws(Explanation) -> any Store { records }
    func gateway() async throws(Explanation) -> Gateway { operations }
    func history() throws(Explanation) -> any History { kept }
    func authorities() throws(Explanation) -> TrustAnchors { TrustAnchors() }
    func readCode() throws(Explanation) -> Secret? { nil }
    func confirm(_ question: String) async throws(Explanation) -> Bool {
        questions.append(question)
        return await answer?() ?? confirms
    }
    func parseJSON(_ text: String) throws(Explanation) -> JSONValue { .null }
    func picture(of text: [UInt8]) -> [String]? { pictures ? ["<picture>"] : nil }
    func progress(_ text: String) {}
    func openScreen() -> KeyScreen? { screen }
    var now: Instant { sim.now }
}

extension Building {
    func readPassphrase(_ prompt: String) throws(Explanation) -> Secret {
        prompts.append(prompt)
        guard !passphrases.isEmpty else {
            throw Explanation(.missingInput, "nobody types", remedy: "")
        }
        return Secret(Array(passphrases.removeFirst().utf8).span)
    }

    func readText(_ prompt: String) throws(Explanation) -> Secret {
        questions.append(prompt)
        return try readPassphrase(prompt)
    }

    func boardNetwork(_ ssid: [UInt8]?) throws(Explanation) -> WiFiNetworkCredentials {
        guard let network = boardNetwork, ssid == nil || ssid == network.ssid else {
            throw Explanation(.missingInput, "no network", remedy: "")
        }
        return network
    }

    func exists(_ path: String) -> Bool { files[path] != nil }

    func files(inFolder path: String) throws(Explanation) -> [String]? {
        let inside = files.keys.filter { $0.hasPrefix(path + "/") }.sorted()
        return inside.isEmpty ? nil : inside
    }

    func readFile(_ path: String, limit: Int) throws(Explanation) -> [UInt8] {
        guard let bytes = files[path], bytes.count <= limit else {
            throw Explanation(.missingInput, "no file", remedy: "")
        }
        return bytes
    }

    func writeFile(_ bytes: [UInt8], to path: String) throws(Explanation) {
        files[path] = bytes
    }

    func soundStore() throws(Explanation) -> (any Store)? { isDamaged ? nil : records }
    func newStore() throws(Explanation) -> (any Store, aside: String) {
        (records, "memory.damaged-1")
    }
    func eraseStore() throws(Explanation) { isErased = true }
    var machine: MachineFacts {
        var facts = MachineFacts()
        facts.privateBytes = 2_600_000
        facts.freeBytes = freeBytes
        return facts
    }
    var unixSeconds: Int64 { 1_777_000_000 }
    var random: SharedRandom { SharedRandom(SeededRandom(seed: 9)) }
}

import Base
import Crypto
import Matter
import MatterNode
import Simulation
import VirtualDevice

/// A virtual device and any number of administrators on one simulated network.
final class House: @unchecked Sendable {
    let sim = SimulatedLoop()
    let network: SimulatedNetwork
    let device: VirtualDevice
    let state = MemoryDeviceState()
    /// What the device told.
    var notes: [DeviceNote] = []
    private var administrators = 0

    static let passcode: UInt32 = 20_202_021
    static let certificateTime = MatterTime(secondsSince2000: 830_000_000)
    static var settings: DeviceSettings {
        DeviceSettings(passcode: .passcode(passcode), discriminator: 3840)
    }

    init(_ settings: DeviceSettings = House.settings, seed: UInt64 = 1) {
        network = SimulatedNetwork(loop: sim.loop, seed: seed)
        let address = IPAddress.simulated(0x101)
        device = VirtualDevice(
            settings, loop: sim.loop,
            link: network.link(at: SocketAddress(address, port: settings.port)),
            multicast: network.multicast(at: address, interface: 2), interfaces: [2],
            state: state, random: SharedRandom(SeededRandom(seed: seed &+ 100)))
        device.set(addresses: [address], on: 2)
        device.onNote = { [weak self] note in self?.notes.append(note) }
        device.start()
    }

    func administrator() -> Administrator {
        administrators += 1
        return Administrator(number: administrators, house: self)
    }
}

/// A gateway with a fabric of its own.
final class Administrator: @unchecked Sendable {
    let house: House
    let node: Node
    let resolver: Resolver
    let store = MemoryStore()
    let fabric: Fabric
    private let random: SharedRandom

    fileprivate init(number: Int, house: House) {
        self.house = house
        let address = SocketAddress(.simulated(UInt16(number)), port: 41_000)
        random = SharedRandom(SeededRandom(seed: UInt64(number) &* 77))
        node = Node(loop: house.sim.loop, link: house.network.link(at: address), random: random)
        resolver = Resolver(
            loop: house.sim.loop,
            link: house.network.multicast(at: address.address, interface: 2), interfaces: [2])
        var source = random
        let record = Fabric.create(adminVendorID: VendorID(0xFFF1), using: &source)
        do throws(FabricError) { fabric = try Fabric(record) } catch {
            preconditionFailure("a new fabric is in order")
        }
        _ = house.sim.run { [node, resolver] () async throws(Never) -> Void in
            await node.start()
            await resolver.start()
        }
    }

    /// Believes the device's own authority; the public declaration is one of a test.
    private var verifier: AttestationVerifier {
        var anchors = TrustAnchors()
        if let paa = house.device.paaCertificateDER,
            let certificate = try? AttestationCertificate(paa.span, as: .authority)
        {
            try? anchors.add(authority: TrustAnchor(certificate, isTest: false))
        }
        return AttestationVerifier(anchors: anchors, allowTestDevices: true)
    }

    struct Joined: Sendable {
        let record: NodeRecord
        let peer: Peer
    }

    func commission(
        passcode: UInt32 = House.passcode, discriminator: UInt16 = 3840
    ) -> Result<Joined, CommissioningError>? {
        let commissioner = Commissioner(
            node: node, resolver: resolver, store: store, fabric: fabric, verifier: verifier,
            clock: CommissioningClock(
                unixSeconds: { 1_777_000_000 }, certificateTime: { House.certificateTime }),
            random: random, progress: { _ in })
        let payload = SetupPayload(
            vendorID: nil, productID: nil, flow: .standard, discoveryCapabilities: .onNetwork,
            discriminator: .long(discriminator), passcode: .passcode(passcode))
        return house.sim.run { () async throws(CommissioningError) -> Joined in
            let (record, peer) = try await commissioner.commission(
                CommissioningRequest(payload: payload))
            return Joined(record: record, peer: peer)
        }
    }

    func connect(_ nodeID: NodeID) -> Result<Peer, ConnectionError>? {
        let connector = OperationalConnector(
            node: node, resolver: resolver, fabric: fabric,
            resumptions: StoredResumptions(store), certificateTime: { House.certificateTime })
        return house.sim.run { () async throws(ConnectionError) -> Peer in
            try await connector.connect(to: nodeID, hint: nil, within: .seconds(30))
        }
    }

    func pase(_ passcode: UInt32 = House.passcode) -> Result<Peer, HandshakeFailure>? {
        let address = SocketAddress(.simulated(0x101), port: house.device.settings.port)
        return house.sim.run { [node] () async throws(HandshakeFailure) -> Peer in
            let session = try await node.establishPASE(
                at: .udp(address), passcode: .passcode(passcode), parameters: SessionParameters())
            return Peer(node: node, session: session.handle)
        }
    }

    func invoke<Invoked: Command>(
        _ command: Invoked, at peer: Peer, on endpoint: EndpointID = .root
    ) -> Result<Invoked.Response, PeerError>? {
        house.sim.run { () async throws(PeerError) -> Invoked.Response in
            try await peer.invoke(command, on: endpoint)
        }
    }

    func read(_ paths: [AttributePath], at peer: Peer) -> Result<AttributeReports, PeerError>? {
        house.sim.run { () async throws(PeerError) -> AttributeReports in
            try await peer.report(paths, isFabricFiltered: false)
        }
    }
}

import Base
import Crypto
import Matter
import MatterNode
import Simulation
import Testing
import VirtualDevice

/// A virtual device that is seen over Bluetooth, and on the network once it has joined one.
private final class Air: @unchecked Sendable {
    let world = World()
    let device: VirtualDevice
    let radio: ScriptedRadio
    let bluetooth: Bluetooth
    var peer: EchoingPeer?
    var failures: [NetworkFailure] = []
    /// What is given where a network failed, one after the other.
    var others: [DeviceNetworks] = []
    var notes: [DeviceNote] = []
    /// Called for each message from the commissioner, with its number.
    var onMessage: (Int) -> Void = { _ in }
    private var messages = 0
    private let proxy: SimulatedLink
    private let multicast: SimulatedMulticast
    private static let address = SocketAddress(.simulated(0x101), port: 5540)

    init(
        _ network: DeviceSettings.NetworkKind = .wiFi, _ surroundings: Surroundings = .init(),
        isConcurrent: Bool = true
    ) {
        var settings = DeviceSettings(passcode: .passcode(20_202_021), discriminator: 3840)
        settings.network = network
        settings.surroundings = surroundings
        settings.isConcurrent = isConcurrent
        let loop = world.sim.loop
        multicast = world.network.multicast(at: Self.address.address, interface: 2)
        multicast.isOff = true
        device = VirtualDevice(
            settings, loop: loop, link: world.network.link(at: Self.address),
            multicast: multicast, interfaces: [2], state: MemoryDeviceState(),
            random: SharedRandom(SeededRandom(seed: 100)))
        device.set(addresses: [Self.address.address], on: 2)
        proxy = world.network.link(at: SocketAddress(.simulated(200), port: 9))
        radio = ScriptedRadio { preconditionFailure("it is set below") }
        bluetooth = Bluetooth(radio, on: loop)
        _ = world.sim.run { [bluetooth] () async throws(Never) in await bluetooth.start() }
        device.onNote = { [weak self] note in
            self?.notes.append(note)
            // The virtual device has its network all along; it is told of only now.
            if note == .network(.success) { self?.multicast.isOff = false }
        }
        radio.makeBearer = { [unowned self] in connect() }
        device.start()
        advertise()
    }

    private func advertise() {
        _ = world.sim.loop.schedule(at: world.sim.now + .milliseconds(300)) { [weak self] in
            guard let self, multicast.isOff else { return }
            if radio.isDiscovering { radio.hear(1) }
            if world.sim.now < Instant(nanoseconds: 120_000_000_000) { advertise() }
        }
    }

    private func connect() -> EchoingPeer {
        let peer = EchoingPeer(on: world.sim.loop)
        peer.onMessage = { [unowned self] message in
            messages += 1
            onMessage(messages)
            proxy.send(message.span, to: Self.address)
        }
        proxy.onReadable = { [unowned self] in
            var buffer = [UInt8](repeating: 0, count: 1280)
            while true {
                var span = buffer.mutableSpan
                guard let source = proxy.receive(into: &span) else { return }
                self.peer?.say([UInt8](buffer[0..<source.count]))
            }
        }
        self.peer = peer
        return peer
    }

    func commission(_ networks: DeviceNetworks) -> CommissioningFlow {
        var anchors = TrustAnchors()
        if let paa = device.paaCertificateDER,
            let certificate = try? AttestationCertificate(paa.span, as: .authority)
        {
            try? anchors.add(authority: TrustAnchor(certificate, isTest: false))
        }
        let commissioner = Commissioner(
            node: world.node, resolver: world.resolver, bluetooth: bluetooth, store: world.store,
            fabric: world.fabric,
            verifier: AttestationVerifier(anchors: anchors, allowTestDevices: true),
            clock: CommissioningClock(
                unixSeconds: { World.unixSeconds },
                certificateTime: { ScriptedDevice.certificateTime }),
            random: world.random, progress: { [world] in world.steps.append($0) },
            warning: { [world] in world.warnings.append($0) },
            networkFailed: { [self] failure in
                failures.append(failure)
                return others.isEmpty ? nil : others.removeFirst()
            })
        var request = CommissioningRequest(
            payload: SetupPayload(
                vendorID: nil, productID: nil, flow: .standard, discoveryCapabilities: .ble,
                discriminator: .long(3840), passcode: .passcode(20_202_021)))
        request.networks = networks
        return world.commission(request, with: commissioner)
    }

    /// It turns to Wi-Fi once it was told to, before it has answered.
    func cutsAtConnectNetwork() {
        var messages = 0
        onMessage = { [unowned self] _ in
            guard world.steps.last == .connectNetwork else { return }
            messages += 1
            // The first arms the fail-safe.
            if messages == 2 { peer?.cut() }
        }
    }

    func finish(_ flow: CommissioningFlow) -> Result<Commissioned, CommissioningError>? {
        let result = world.sim.finish(flow)
        world.sim.run(for: .seconds(150))
        return result
    }

    static func wiFi(_ ssid: String, _ passphrase: String = "correct horse") -> DeviceNetworks {
        let (name, key) = (Array(ssid.utf8), Array(passphrase.utf8))
        return DeviceNetworks(
            wiFi: try? WiFiNetworkCredentials(ssid: name.span, credentials: Secret(key.span)))
    }
}

@Suite("Commissioner over Bluetooth")
struct CommissionerBluetoothTests {
    @Test(
        "§5.5 a device out of the box is given Wi-Fi and kept",
        arguments: [
            ("virtual-home", "correct horse"), ("hidden", "correct horse"), ("slow", "12345678"),
            ("virtual-guests", ""),
        ])
    func wiFi(ssid: String, passphrase: String) throws {
        let air = Air()
        let flow = air.commission(Air.wiFi(ssid, passphrase))
        let made = try #require(air.finish(flow)).get()
        #expect(air.world.store.storedNodes.map(\.nodeID) == [made.node.nodeID])
        #expect(air.world.store.storedRuns.isEmpty)
        #expect(made.node.lastAddress?.port == 5540)
        #expect(air.peer?.wasClosed == true)
        let steps: [CommissioningStep] = [.scanNetworks, .addNetwork, .connectNetwork]
        #expect(air.world.steps.filter { steps.contains($0) } == steps)
        #expect(air.world.warnings.isEmpty)
        #expect(air.failures.isEmpty)
    }

    @Test("A Thread network is handed over as its dataset")
    func thread() throws {
        let tlvs: [UInt8] =
            [0, 3, 0, 0, 15, 1, 2, 0x12, 0x34, 2, 8, 1, 2, 3, 4, 5, 6, 7, 8, 3, 4]
            + Array("home".utf8) + [5, 16] + [UInt8](repeating: 7, count: 16)
            + [14, 8, 0, 0, 0, 0, 0, 1, 0, 0]
        let air = Air(.thread)
        let flow = air.commission(
            DeviceNetworks(thread: try OperationalDataset(Secret(tlvs.span))))
        _ = try #require(air.finish(flow)).get()
        #expect(air.world.store.storedNodes.count == 1)
    }

    @Test("Missing credentials are told before the device is touched")
    func noCredentials() {
        let air = Air()
        let flow = air.commission(DeviceNetworks())
        _ = air.finish(flow)
        #expect(
            flow.error
                == CommissioningError(
                    .readCommissioningInfo, .noNetworkCredentials(wiFi: true, thread: false)))
        #expect(!air.world.steps.contains(.armFailSafe))
        #expect(air.failures == [.noCredentials(wiFi: true, thread: false)])
        // The virtual device has timers of its own.
        #expect(air.world.leftovers() == .init(isQuiet: false))
    }

    @Test("A wrong password is told, and the right one is tried in the same session")
    func wrongPassword() throws {
        let air = Air()
        air.others = [Air.wiFi("virtual-home")]
        let flow = air.commission(Air.wiFi("wrong-password"))
        _ = try #require(air.finish(flow)).get()
        guard case .refused(.wiFi, OpenEnum(.authFailure), _, _)? = air.failures.first else {
            Issue.record("\(air.failures)")
            return
        }
        #expect(air.failures.count == 1)
        #expect(air.world.steps.count { $0 == .establishPASE } == 1)
        #expect(air.world.store.storedNodes.count == 1)
    }

    @Test("A network that fails and no other: nothing is left, here or at the device")
    func givenUp() {
        let air = Air()
        let flow = air.commission(Air.wiFi("not-found"))
        _ = air.finish(flow)
        guard case .network(.refused(.wiFi, OpenEnum(.networkNotFound), _, _))? = flow.error?.cause
        else {
            Issue.record("\(String(describing: flow.error))")
            return
        }
        #expect(flow.error?.step == .connectNetwork)
        #expect(air.world.warnings == [.networkWeak(signalStrength: -89)])
        #expect(air.world.store.storedRuns.isEmpty)
        #expect(!air.notes.contains { if case .commissioned = $0 { true } else { false } })
        // The virtual device has timers of its own.
        #expect(air.world.leftovers() == .init(isQuiet: false))
    }

    @Test("§11.9.7.8 a link that is lost while the device joins is no failure")
    func lostAtConnect() throws {
        let air = Air()
        // The device's note of joining comes before the answer that it makes.
        let told = air.device.onNote
        air.device.onNote = { note in
            told(note)
            if note == .network(.success) { air.peer?.cut() }
        }
        let flow = air.commission(Air.wiFi("virtual-home"))
        _ = try #require(air.finish(flow)).get()
        #expect(air.world.store.storedNodes.count == 1)
    }

    @Test("§5.5 a device that leaves Bluetooth to join is met again on the network")
    func nonConcurrent() throws {
        let air = Air(isConcurrent: false)
        air.cutsAtConnectNetwork()
        let flow = air.commission(Air.wiFi("slow"))
        _ = try #require(air.finish(flow)).get()
        #expect(air.world.store.storedNodes.count == 1)
        #expect(air.world.store.storedRuns.isEmpty)
        #expect(air.world.steps.contains(.commissioningComplete))
        #expect(air.world.steps.count { $0 == .establishPASE } == 1)
    }

    @Test("A device that leaves Bluetooth and never comes: told as such, and nothing is kept")
    func nonConcurrentLost() {
        let air = Air(isConcurrent: false)
        air.cutsAtConnectNetwork()
        let flow = air.commission(Air.wiFi("wrong-password"))
        _ = air.finish(flow)
        #expect(flow.error?.step == .findOperational)
        #expect(flow.error?.cause == .notFound)
        #expect(air.world.store.storedNodes.isEmpty)
    }

    @Test(
        "A link that is lost before ends the run, and nothing of it is left",
        arguments: [
            4, 8, 12, 16, 20,
        ])
    func lostBefore(message: Int) {
        let air = Air()
        air.onMessage = { if $0 == message { air.peer?.cut() } }
        let flow = air.commission(Air.wiFi("virtual-home"))
        _ = air.finish(flow)
        if flow.value == nil {
            #expect(air.world.store.storedNodes.isEmpty)
            #expect(air.world.store.storedRuns.isEmpty)
        } else {
            #expect(air.world.store.storedNodes.count == 1)
        }
    }

    @Test("A radio that does not work is named for a device that has no other way")
    func noRadio() {
        let air = Air()
        air.radio.preparing = .blocked
        let flow = air.commission(Air.wiFi("virtual-home"))
        _ = air.finish(flow)
        #expect(flow.error == CommissioningError(.discover, .bluetooth(.radio(.blocked))))
    }
}

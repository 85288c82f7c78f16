import Base
import Crypto
import Matter
import MatterNode
import Simulation
import Testing
import VirtualDevice

/// A virtual device out of the box, and a commissioner with a radio.
private final class Bench: @unchecked Sendable {
    let world = World()
    let air: SimulatedAir
    let radio: SimulatedRadio
    let bluetooth: Bluetooth
    let device: VirtualDevice
    var failures: [NetworkFailure] = []
    /// What is given where a network failed, one after the other.
    var others: [DeviceNetworks] = []
    var notes: [DeviceNote] = []
    private static let address = SocketAddress(.simulated(0x101), port: 5540)

    init(
        _ network: DeviceSettings.NetworkKind = .wiFi, isConcurrent: Bool = true,
        attMTU: Int = 247
    ) {
        var settings = DeviceSettings(passcode: .passcode(20_202_021), discriminator: 3840)
        settings.network = network
        settings.isConcurrent = isConcurrent
        settings.attMTU = attMTU
        let loop = world.sim.loop
        air = SimulatedAir(loop: loop, seed: 1)
        radio = air.radio()
        bluetooth = Bluetooth(radio, on: loop)
        _ = world.sim.run { [bluetooth] () async throws(Never) in await bluetooth.start() }
        device = VirtualDevice(
            settings, loop: loop, link: world.network.link(at: Self.address),
            multicast: world.network.multicast(at: Self.address.address, interface: 2),
            interfaces: [2], state: MemoryDeviceState(),
            random: SharedRandom(SeededRandom(seed: 100)), radio: air.peripheral(1))
        device.set(addresses: [Self.address.address], on: 2)
        device.onNote = { [weak self] note in self?.notes.append(note) }
        device.start()
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
        let bench = Bench()
        let flow = bench.commission(Bench.wiFi(ssid, passphrase))
        let made = try #require(bench.finish(flow)).get()
        #expect(bench.world.store.storedNodes.map(\.nodeID) == [made.node.nodeID])
        #expect(bench.world.store.storedRuns.isEmpty)
        #expect(made.node.lastAddress?.port == 5540)
        #expect(bench.air.counts.connections == 1)
        let steps: [CommissioningStep] = [.scanNetworks, .addNetwork, .connectNetwork]
        #expect(bench.world.steps.filter { steps.contains($0) } == steps)
        #expect(bench.world.warnings.isEmpty)
        #expect(bench.failures.isEmpty)
    }

    @Test("A Thread network is handed over as its dataset")
    func thread() throws {
        let tlvs: [UInt8] =
            [0, 3, 0, 0, 15, 1, 2, 0x12, 0x34, 2, 8, 1, 2, 3, 4, 5, 6, 7, 8, 3, 4]
            + Array("home".utf8) + [5, 16] + [UInt8](repeating: 7, count: 16)
            + [14, 8, 0, 0, 0, 0, 0, 1, 0, 0]
        let bench = Bench(.thread)
        let flow = bench.commission(
            DeviceNetworks(thread: try OperationalDataset(Secret(tlvs.span))))
        _ = try #require(bench.finish(flow)).get()
        #expect(bench.world.store.storedNodes.count == 1)
    }

    @Test("Missing credentials are told before the device is touched")
    func noCredentials() {
        let bench = Bench()
        let flow = bench.commission(DeviceNetworks())
        _ = bench.finish(flow)
        #expect(
            flow.error
                == CommissioningError(
                    .readCommissioningInfo, .noNetworkCredentials(wiFi: true, thread: false)))
        #expect(!bench.world.steps.contains(.armFailSafe))
        #expect(bench.failures == [.noCredentials(wiFi: true, thread: false)])
        // The virtual device has timers of its own.
        #expect(bench.world.leftovers() == .init(isQuiet: false))
    }

    @Test("A wrong password is told, and the right one is tried in the same session")
    func wrongPassword() throws {
        let bench = Bench()
        bench.others = [Bench.wiFi("virtual-home")]
        let flow = bench.commission(Bench.wiFi("wrong-password"))
        _ = try #require(bench.finish(flow)).get()
        guard case .refused(.wiFi, OpenEnum(.authFailure), _, _)? = bench.failures.first else {
            Issue.record("\(bench.failures)")
            return
        }
        #expect(bench.failures.count == 1)
        #expect(bench.world.steps.count { $0 == .establishPASE } == 1)
        #expect(bench.world.store.storedNodes.count == 1)
    }

    @Test("A network that fails and no other: nothing is left, here or at the device")
    func givenUp() {
        let bench = Bench()
        let flow = bench.commission(Bench.wiFi("not-found"))
        _ = bench.finish(flow)
        guard case .network(.refused(.wiFi, OpenEnum(.networkNotFound), _, _))? = flow.error?.cause
        else {
            Issue.record("\(String(describing: flow.error))")
            return
        }
        #expect(flow.error?.step == .connectNetwork)
        #expect(bench.world.warnings == [.networkWeak(signalStrength: -89)])
        #expect(bench.world.store.storedRuns.isEmpty)
        #expect(!bench.notes.contains { if case .commissioned = $0 { true } else { false } })
        // The virtual device has timers of its own.
        #expect(bench.world.leftovers() == .init(isQuiet: false))
    }

    @Test("§11.9.7.8 a link that is lost while the device joins is no failure")
    func lostAtConnect() throws {
        let bench = Bench()
        // The device's note of joining comes before the answer that it makes.
        let told = bench.device.onNote
        bench.device.onNote = { note in
            told(note)
            if note == .network(.success) { bench.air.faults.loss = 1 }
        }
        let flow = bench.commission(Bench.wiFi("virtual-home"))
        _ = try #require(bench.finish(flow)).get()
        #expect(bench.world.store.storedNodes.count == 1)
    }

    @Test("§5.5 a device that leaves Bluetooth to join is met again on the network")
    func nonConcurrent() throws {
        let bench = Bench(isConcurrent: false)
        let flow = bench.commission(Bench.wiFi("slow"))
        _ = try #require(bench.finish(flow)).get()
        #expect(bench.world.store.storedNodes.count == 1)
        #expect(bench.world.store.storedRuns.isEmpty)
        #expect(bench.world.steps.contains(.commissioningComplete))
        #expect(bench.world.steps.count { $0 == .establishPASE } == 1)
    }

    @Test("A device that leaves Bluetooth and never comes: told as such, and nothing is kept")
    func nonConcurrentLost() {
        let bench = Bench(isConcurrent: false)
        let flow = bench.commission(Bench.wiFi("wrong-password"))
        _ = bench.finish(flow)
        #expect(flow.error?.step == .findOperational)
        #expect(flow.error?.cause == .notFound)
        #expect(bench.world.store.storedNodes.isEmpty)
    }

    @Test(
        "A link that is lost before: added all the same or nothing left, and the code works later",
        arguments: 1...118)
    func lostBefore(packet: Int) throws {
        let bench = Bench()
        bench.air.faults.lossAt = packet
        let flow = bench.commission(Bench.wiFi("virtual-home"))
        _ = bench.finish(flow)
        #expect(bench.air.counts.losses == 1)
        #expect(bench.world.store.storedRuns.isEmpty)
        #expect(bench.world.store.storedNodes.count == (flow.value == nil ? 0 : 1))
        guard flow.value == nil else { return }
        let again = bench.commission(Bench.wiFi("virtual-home"))
        _ = try #require(bench.finish(again)).get()
        #expect(bench.world.store.storedNodes.count == 1)
    }

    @Test(
        "Slow, full and small: a link of any quality carries it",
        arguments: [23, 50, 185, 247])
    func anyLink(attMTU: Int) throws {
        let bench = Bench(attMTU: attMTU)
        bench.air.faults.delay = .milliseconds(1)...(.milliseconds(60))
        bench.air.faults.lateness = 0.2
        bench.air.faults.fullness = 0.2
        bench.air.faults.deafness = 0.5
        let flow = bench.commission(Bench.wiFi("virtual-home"))
        _ = try #require(bench.finish(flow)).get()
        #expect(bench.world.store.storedNodes.count == 1)
        #expect(bench.air.counts.full > 0)
        #expect(bench.air.counts.late > 0)
    }

    @Test("A radio that does not work is named for a device that has no other way")
    func noRadio() {
        let bench = Bench()
        bench.radio.problem = .blocked
        let flow = bench.commission(Bench.wiFi("virtual-home"))
        _ = bench.finish(flow)
        #expect(flow.error == CommissioningError(.discover, .bluetooth(.radio(.blocked))))
    }
}

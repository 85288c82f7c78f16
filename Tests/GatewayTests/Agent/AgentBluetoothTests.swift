import Base
import Crypto
import Gateway
import Matter
import MatterNode
import Simulation
import Testing
import VirtualDevice

/// The keys of a device that was made before, and who believes them.
private struct Known {
    let state: [UInt8]
    let verifier: AttestationVerifier

    static let made = Result { try Known() }

    private init() throws {
        let sim = SimulatedLoop()
        let network = SimulatedNetwork(loop: sim.loop, seed: 1)
        let address = SocketAddress(.simulated(1), port: 5540)
        let state = MemoryDeviceState()
        let device = VirtualDevice(
            DeviceSettings(passcode: .passcode(20_202_021), discriminator: 1), loop: sim.loop,
            link: network.link(at: address),
            multicast: network.multicast(at: address.address, interface: 2), interfaces: [2],
            state: state, random: SharedRandom(SeededRandom(seed: 8)))
        device.start()
        self.state = try #require(state.bytes)
        let paa = try #require(device.paaCertificateDER)
        var anchors = TrustAnchors()
        try anchors.add(authority: TrustAnchor(authority: paa.span))
        verifier = AttestationVerifier(anchors: anchors, allowTestDevices: true)
    }
}

/// Devices out of the box at a board that has Bluetooth.
@Suite("Agent: Bluetooth")
struct AgentBluetoothTests {
    let site: Site
    let device: VirtualDevice

    init() throws {
        let known = try Known.made.get()
        let building = try Building(hasRadio: true, verifier: known.verifier)
        site = try Site(in: building)
        var settings = DeviceSettings(passcode: .passcode(20_202_021), discriminator: 3840)
        settings.network = .wiFi
        settings.discoveryCapabilities = .ble
        settings.surroundings.acceptsUnknown = false
        let address = SocketAddress(.simulated(0x101), port: 5540)
        device = VirtualDevice(
            settings, loop: building.sim.loop, link: building.network.link(at: address),
            multicast: building.network.multicast(at: address.address, interface: 2),
            interfaces: [2], state: MemoryDeviceState(known.state),
            random: SharedRandom(SeededRandom(seed: 9)), radio: building.air.peripheral(1))
        device.set(addresses: [address.address], on: 2)
        device.start()
    }

    /// How often the lamp flashes between two pauses.
    private var lampCode: Int {
        let building = site.building
        let start = building.sim.now
        building.sim.run(for: .seconds(12))
        var groups = [0]
        var last = start
        for change in site.board.shown where change.isOn && change.at > start {
            if change.at - last > .milliseconds(700) { groups.append(0) }
            groups[groups.count - 1] += 1
            last = change.at
        }
        // The first and the last may be cut.
        return groups.count > 2 ? groups[groups.count - 2] : 0
    }

    private static let wrong = "WIFI:T:WPA;S:wrong-password;P:not this one;;"
    private static let right = "WIFI:T:WPA;S:virtual-home;P:correct horse;;"

    private var code: String {
        let digits = [UInt8](device.payload.manualCode().span)
        return String(decoding: digits, as: UTF8.self)
    }

    @Test("the radio looks while the window is open, and rests when it is closed")
    func looking() throws {
        let radio = try #require(site.building.radio)
        #expect(!radio.isLooking)
        site.press()
        site.building.sim.run(for: .seconds(5))
        #expect(radio.isLooking)
        site.press()
        site.building.sim.run(for: .seconds(5))
        #expect(!radio.isLooking)
        site.press()
        let agent = site.agent
        _ = site.building.sim.run { () async throws(Never) in await agent.stop() }
        site.building.sim.run(for: .seconds(5))
        #expect(!radio.isLooking)
    }

    @Test("a label, a code: the device is given its network over Bluetooth")
    func added() {
        site.press()
        site.scan(Self.right, code, within: .seconds(15))
        #expect(site.building.records.storedNodes.count == 1)
        #expect(!site.told().contains { $0.contains("correct horse") })
    }

    @Test("discover lists what waits for its first network, and no longer what has one")
    func discover() throws {
        var found = try site.building.run("discover")
        #expect(found.lines.count == 2)
        #expect(
            found.lines[1].hasPrefix("to be added  01:01:01:01:01:01")
                && found.lines[1].contains("discriminator 3840, 0xFFF1 0x8001, -60 dBm")
                && found.lines[1].contains("Bluetooth"), "\(found.lines)")
        site.press()
        site.scan(Self.right, code, within: .seconds(60))
        found = try site.building.run("discover")
        #expect(!found.lines.contains { $0.contains("Bluetooth") })
        #expect(found.lines.contains { $0.hasPrefix("in use") })
    }

    @Test("the wrong network: the lamp tells, and the right label goes on where it was")
    func otherLabel() throws {
        site.press()
        site.scan(Self.wrong, code, within: .seconds(20))
        let told = site.told()
        #expect(
            told.contains {
                $0.contains("refuses its password") && $0.contains("waits 120 s for another")
            }, "\(told)")
        #expect(site.building.records.storedNodes.isEmpty)
        #expect(lampCode == 5)
        site.scan(Self.right, within: .seconds(15))
        #expect(site.building.records.storedNodes.count == 1)
        #expect(site.building.air.counts.connections == 1)
    }

    @Test("the same with the right network typed by a maintainer")
    func otherTyped() throws {
        site.press()
        site.scan(Self.wrong, code, within: .seconds(20))
        site.building.passphrases = ["correct horse"]
        _ = try site.building.run("wifi set virtual-home")
        site.building.sim.run(for: .seconds(15))
        #expect(site.building.records.storedNodes.count == 1)
        #expect(site.building.air.counts.connections == 1)
    }

    @Test("nobody gives another: it is told after two minutes, and the next device's turn comes")
    func nobody() {
        site.press()
        site.scan(Self.wrong, code, within: .seconds(20))
        _ = site.told()
        site.building.sim.run(for: .seconds(130))
        #expect(site.told().contains { $0.hasPrefix("not added") && $0.contains("password") })
        #expect(site.building.records.storedRuns.isEmpty)
        #expect(lampCode == 5)
    }
}

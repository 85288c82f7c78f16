internal import Base
internal import Crypto
internal import Gateway
internal import Matter
internal import MatterNode
internal import Simulation
internal import VirtualDevice

/// The house of a scenario: its network, its devices and the medium of the gateway's store.
final class World: @unchecked Sendable {
    let sim: SimulatedLoop
    let network: SimulatedNetwork
    /// Where devices out of the box are found; nil for devices that are on the network.
    let air: SimulatedAir?
    private let airPlan: AirPlan?
    let medium = MemoryMedium()
    private(set) var devices: [House] = []
    /// Seconds since 1970 at the start, with what jumped since.
    var clockOffset: Int64
    var tally = FaultTally()
    var trace = Trace()
    private(set) var timeline: [String] = []
    var wire = WireCheck()
    /// What the devices are vouched for by.
    private(set) var anchors = TrustAnchors()
    let seed: UInt64
    /// Who administers makes no difference to any scenario.
    let fabric: Fabric

    /// A device, where it is, and what it keeps without power.
    struct House {
        let device: VirtualDevice
        let link: SimulatedLink
        let multicast: SimulatedMulticast
        let state: MemoryDeviceState
    }

    static let interface: UInt32 = 2
    static let gatewayAddress = IPAddress.simulated(1)

    convenience init(_ plan: Plan) {
        self.init(
            seed: plan.seed, clock: plan.clock, devices: plan.devices, airPlan: plan.air)
        network.onSend = { [unowned self] datagram in
            trace.note(.datagram, at: sim.now, datagram.bytes)
            wire.look(at: datagram)
        }
        air?.onSend = { [unowned self] packet in trace.note(.packet, at: sim.now, packet) }
    }

    /// - Parameters:
    ///   - clock: seconds since 1970 at the start.
    ///   - devices: what each is.
    ///   - airPlan: for devices out of the box, which speak Bluetooth.
    ///   - turns: what the whole run may take of the loop.
    init(
        seed: UInt64, clock: Int64, devices types: [[DeviceType]], airPlan: AirPlan? = nil,
        turns: Int = 1_000_000
    ) {
        self.seed = seed
        clockOffset = clock
        sim = SimulatedLoop(turnsBound: turns)
        fabric = Self.fabric(seed: seed)
        network = SimulatedNetwork(loop: sim.loop, seed: seed)
        self.airPlan = airPlan
        air = airPlan == nil ? nil : SimulatedAir(loop: sim.loop, seed: seed)
        for (index, types) in types.enumerated() {
            let house = device(UInt16(index), types)
            devices.append(house)
            trust(house)
        }
    }

    var unixSeconds: Int64 { clockOffset + sim.now.nanoseconds / 1_000_000_000 }

    /// Nil while nobody can believe the clock.
    var plausibleSeconds: Int64? { unixSeconds >= Self.built ? unixSeconds : nil }

    private static func fabric(seed: UInt64) -> Fabric {
        var random = SeededRandom(seed: seed ^ 0xFAB)
        let record = Fabric.create(adminVendorID: VendorID(0xFFF1), using: &random)
        do throws(FabricError) { return try Fabric(record) } catch {
            preconditionFailure("a new fabric is in order")
        }
    }

    /// Plausible from the day on which the gateway was built.
    var clock: CommissioningClock {
        CommissioningClock(
            unixSeconds: { [unowned self] in plausibleSeconds },
            certificateTime: { [unowned self] in
                MatterTime(unixSeconds: max(unixSeconds, Self.built))
            })
    }

    private static let built: Int64 = 1_770_000_000

    private func device(_ index: UInt16, _ types: [DeviceType]) -> House {
        var settings = DeviceSettings(
            passcode: .passcode(20_202_021 + UInt32(index)), discriminator: 0x100 * (index + 1))
        settings.types = types
        settings.serialNumber = "SIM-\(index + 1)"
        settings.network = .ethernet
        if let airPlan {
            settings.network = .wiFi
            settings.discoveryCapabilities = .ble
            settings.attMTU = airPlan.attMTU
            settings.isConcurrent = airPlan.isConcurrent
        }
        let address = IPAddress.simulated(0x100 + index)
        let link = network.link(at: SocketAddress(address, port: settings.port))
        let multicast = network.multicast(at: address, interface: Self.interface)
        let state = MemoryDeviceState()
        let device = VirtualDevice(
            settings, loop: sim.loop, link: link, multicast: multicast,
            interfaces: [Self.interface], state: state,
            random: SharedRandom(SeededRandom(seed: seed &* 31 &+ UInt64(index) + 7)),
            radio: air?.peripheral(UInt8(index + 1)))
        device.set(addresses: [address], on: Self.interface)
        device.start()
        return House(device: device, link: link, multicast: multicast, state: state)
    }

    /// The device gets another address, as when its router gives it one.
    func move(_ index: Int, to address: IPAddress) {
        let house = devices[index]
        network.move(house.link, to: SocketAddress(address, port: house.device.settings.port))
        network.move(house.multicast, to: address)
        house.device.set(addresses: [address], on: Self.interface)
    }

    func note(_ text: String) {
        let milliseconds = sim.now.nanoseconds / 1_000_000
        timeline.append("\(milliseconds / 1000).\(milliseconds % 1000) s: \(text)")
    }

    private func trust(_ house: House) {
        let paa = house.device.paaCertificateDER ?? []
        do throws(AttestationError) {
            try anchors.add(authority: TrustAnchor(authority: paa.span))
        } catch { preconditionFailure("a device's own authority is in order") }
    }
}

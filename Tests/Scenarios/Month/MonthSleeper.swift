internal import Base
internal import Matter
internal import MatterNode
internal import Simulation

/// A thermometer on a battery: it says something every ten minutes, and hears late.
final class MonthSleeper {
    let device: ScriptedDevice
    let record: NodeRecord
    private let loop: Loop
    private var hundredths: Int16 = 400
    private var random: SeededRandom

    static let intervalSeconds: UInt16 = 600
    private static let nodeID = NodeID(0x5EED)
    private static let one = EndpointID(1)
    private static let pause = Duration.seconds(900)

    init(_ world: World) {
        loop = world.sim.loop
        random = SeededRandom(seed: world.seed ^ 0x51EE)
        var settings = ScriptedDevice.Settings()
        settings.announcesWindow = false
        settings.maxInterval = Self.intervalSeconds
        device = ScriptedDevice(
            on: world.network, number: 0x80, settings: settings, seed: world.seed)
        device.keepsHeard = false
        device.put(ICDManagement.idleModeDuration, UInt32(Self.intervalSeconds))
        device.put(PowerSource.batPercentRemaining, .value(180))
        device.put(TemperatureMeasurement.measuredValue, .value(hundredths), on: Self.one)
        device.join(world.fabric, as: Self.nodeID)
        var record = NodeRecord(
            nodeID: Self.nodeID, fabricIndex: FabricIndex(1), vendorID: VendorID(0xFFF1),
            productID: ProductID(0x8001))
        record.name = "Freezer"
        record.serialNumber = "SLEEPER"
        record.endpoints = [
            EndpointRecord(
                endpoint: .root, deviceTypes: [], clusters: [ICDManagement.id, PowerSource.id]),
            EndpointRecord(
                endpoint: Self.one, deviceTypes: [], clusters: [TemperatureMeasurement.id]),
        ]
        self.record = record
        let gateway = SocketAddress(World.gatewayAddress, port: MonthLife.port)
        world.network.faultsByDirection[.init(from: gateway, to: device.address)] =
            FaultProfile(delay: .milliseconds(100)...(.milliseconds(1500)))
        measure()
    }

    private func measure() {
        _ = loop.schedule(at: loop.now + Self.pause) { [weak self] in
            guard let self else { return }
            hundredths += Int16(random.number(in: -20...20))
            device.put(TemperatureMeasurement.measuredValue, .value(hundredths), on: Self.one)
            device.reportAll()
            measure()
        }
    }
}

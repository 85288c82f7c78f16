internal import Base
package import Matter
package import MatterNode
internal import VirtualDevice

/// What the air does to Bluetooth. Chances are 0 ... 1.
package struct AirFaults: Sendable, Equatable {
    /// Of a connection that does not come about.
    package var failedConnection = 0.0
    /// Of an advertisement that is not heard.
    package var deafness = 0.0
    /// Of a packet with which the link is lost.
    package var loss = 0.0
    /// The packet with which a link is lost, counted over the whole air from 1.
    package var lossAt: Int?
    /// Of a packet that takes the longest time instead of the shortest.
    package var lateness = 0.0
    package var delay: ClosedRange<Duration> = .milliseconds(1)...(.milliseconds(1))
    /// Of a packet for which there is no room at first.
    package var fullness = 0.0

    package init() {}
}

/// How often each has happened.
package struct AirCounts: Sendable, Equatable {
    package internal(set) var connections = 0
    package internal(set) var failedConnections = 0
    package internal(set) var unheard = 0
    package internal(set) var losses = 0
    package internal(set) var late = 0
    package internal(set) var full = 0

    package init() {}
}

/// Bluetooth in memory: devices that advertise, radios that look and connect, and links that
/// are lost. What happens depends on the seed and on how much happened before, never on what
/// is said.
package final class SimulatedAir: @unchecked Sendable {
    package let loop: Loop
    package var faults = AirFaults()
    package internal(set) var counts = AirCounts()
    /// Packets sent so far.
    package private(set) var packets = 0
    /// Called with each packet before anything happens to it.
    package var onSend: (([UInt8]) -> Void)?

    private var random: SeededRandom
    private var radios: [SimulatedRadio] = []
    private var peripherals: [SimulatedPeripheral] = []

    package init(loop: Loop, seed: UInt64) {
        self.loop = loop
        random = SeededRandom(seed: seed ^ 0xB1E)
    }

    package func radio() -> SimulatedRadio {
        let radio = SimulatedRadio(self)
        radios.append(radio)
        return radio
    }

    /// - Parameter number: nobody else's; the address is made of it.
    package func peripheral(_ number: UInt8) -> SimulatedPeripheral {
        let octets = [UInt8](repeating: number, count: 6)
        let address = BluetoothAddress(FixedBytes(copying: octets.span), .randomAddress)
        let peripheral = SimulatedPeripheral(self, address)
        peripherals.append(peripheral)
        return peripheral
    }

    /// Takes a radio away, as the end of its process does.
    package func remove(_ radio: SimulatedRadio) {
        radios.removeAll { $0 === radio }
        radio.isLooking = false
        radio.isOff = true
        for end in radio.links { end.lose() }
        radio.links = []
    }

    // MARK: For those in it

    func happens(_ chance: Double) -> Bool { random.unitInterval() < chance }

    func peripheral(at address: BluetoothAddress) -> SimulatedPeripheral? {
        peripherals.first { $0.address == address }
    }

    /// Somebody advertises.
    func spread(_ device: HeardDevice) {
        for radio in radios where radio.isLooking {
            if happens(faults.deafness) {
                counts.unheard += 1
            } else {
                radio.onHeard?(device)
            }
        }
    }

    /// What becomes of the next packet: when it arrives; nil when the link is lost with it.
    func carry(_ packet: [UInt8]) -> Duration? {
        onSend?(packet)
        packets += 1
        // As many draws whatever is on.
        let (isLost, isLate) = (happens(faults.loss), happens(faults.lateness))
        let time = faults.delay.point(at: isLate ? 1 : 0)
        if isLate { counts.late += 1 }
        guard !isLost, packets != faults.lossAt else {
            counts.losses += 1
            return nil
        }
        return time
    }
}

/// A commissioner's radio.
package final class SimulatedRadio: BluetoothRadio, @unchecked Sendable {
    package var onHeard: ((HeardDevice) -> Void)?
    package var onChange: (() -> Void)?
    /// Why it is of no use, if so.
    package var problem: BluetoothError?
    package fileprivate(set) var isLooking = false
    fileprivate var isOff = false
    fileprivate var links: [SimulatedBearer] = []
    private let air: SimulatedAir

    init(_ air: SimulatedAir) { self.air = air }

    package func prepare() async throws(BluetoothError) { if let problem { throw problem } }
    package func startDiscovery() async throws(BluetoothError) { isLooking = !isOff }
    package func stopDiscovery() async { isLooking = false }
    package func powerCycle() async throws(BluetoothError) {}

    package func connect(
        to address: BluetoothAddress, within time: Duration
    ) async throws(BluetoothError) -> any ATTBearer {
        precondition(!isLooking, "a radio that looks does not connect")
        do throws(CancellationError) { try await air.loop.sleep(for: .milliseconds(50)) } catch {
            throw .cancelled
        }
        guard !isOff, let peripheral = air.peripheral(at: address), peripheral.isAdvertising
        else { throw .timedOut }
        guard !air.happens(air.faults.failedConnection) else {
            air.counts.failedConnections += 1
            throw .connectionFailed(reason: 0x3E)
        }
        air.counts.connections += 1
        let (ours, theirs) = SimulatedBearer.pair(in: air)
        links.removeAll { $0.isLost }
        links.append(ours)
        peripheral.onConnection?(theirs)
        return ours
    }
}

/// A device's radio.
package final class SimulatedPeripheral: PeripheralRadio, @unchecked Sendable {
    package var onConnection: ((any ATTBearer) -> Void)?
    let address: BluetoothAddress
    private let air: SimulatedAir
    private var advertisement: CommissionableAdvertisement?
    private var timer: TimerID?

    /// Slower than real ones, so that months are simulated in minutes.
    private static let interval = Duration.milliseconds(250)

    init(_ air: SimulatedAir, _ address: BluetoothAddress) {
        self.air = air
        self.address = address
    }

    package var isAdvertising: Bool { advertisement != nil }

    package func advertise(_ advertisement: CommissionableAdvertisement?) {
        self.advertisement = advertisement
        if let timer { air.loop.cancel(timer) }
        timer = nil
        if advertisement != nil { schedule() }
    }

    private func schedule() {
        timer = air.loop.schedule(at: air.loop.now + Self.interval) { [weak self] in
            guard let self, let advertisement else { return }
            schedule()
            air.spread(
                HeardDevice(
                    address: address, advertisement: advertisement, signalStrength: -60))
        }
    }
}

/// One end of a connection.
final class SimulatedBearer: ATTBearer, @unchecked Sendable {
    var onReadable: (() -> Void)?
    var onWritable: (() -> Void)?
    private(set) var isLost = false
    private let air: SimulatedAir
    private weak var other: SimulatedBearer?
    private var inbox: [[UInt8]] = []
    /// Nothing overtakes.
    private var lastArrival: Instant

    private init(_ air: SimulatedAir) {
        self.air = air
        lastArrival = air.loop.now
    }

    static func pair(in air: SimulatedAir) -> (SimulatedBearer, SimulatedBearer) {
        let (one, another) = (SimulatedBearer(air), SimulatedBearer(air))
        one.other = another
        another.other = one
        return (one, another)
    }

    @_lifetime(buffer: copy buffer)
    func receive(into buffer: inout MutableSpan<UInt8>) -> ATTInput {
        guard !inbox.isEmpty else { return isLost ? .closed : .nothing }
        let packet = inbox.removeFirst()
        for index in packet.indices where index < buffer.count { buffer[index] = packet[index] }
        return .packet(packet.count)
    }

    func send(_ bytes: Span<UInt8>) -> Bool {
        guard !isLost, !isGone else { return true }
        if air.happens(air.faults.fullness) {
            air.counts.full += 1
            _ = air.loop.schedule(at: air.loop.now + .milliseconds(5)) { [weak self] in
                self?.onWritable?()
            }
            return false
        }
        let packet = [UInt8](bytes)
        guard let time = air.carry(packet) else {
            lose()
            return true
        }
        lastArrival = max(lastArrival, air.loop.now + time)
        _ = air.loop.schedule(at: lastArrival) { [weak other] in other?.take(packet) }
        return true
    }

    func close() {
        guard !isLost else { return }
        isLost = true
        // What was sent before arrives before.
        _ = air.loop.schedule(at: max(lastArrival, air.loop.now)) { [weak other] in
            other?.hearOfEnd()
        }
    }

    /// Both ends find out after the supervision time-out.
    func lose() {
        let (air, other) = (air, other)
        _ = air.loop.schedule(at: air.loop.now + Self.supervision) { [weak self] in
            self?.hearOfEnd()
            other?.hearOfEnd()
        }
        isGone = true
        other?.isGone = true
    }

    /// Nothing arrives any more, though nobody knows yet.
    private var isGone = false
    private static let supervision = Duration.seconds(4)

    private func take(_ packet: [UInt8]) {
        guard !isLost, !isGone else { return }
        inbox.append(packet)
        onReadable?()
    }

    private func hearOfEnd() {
        guard !isLost else { return }
        isLost = true
        onReadable?()
    }
}

internal import Base
internal import Simulation
internal import VirtualDevice

/// What a seed makes of a scenario: who is there, what goes wrong, and when.
struct Plan {
    let seed: UInt64
    let kinds: Set<FaultKind>
    /// What each device is; the devices are numbered from 1.
    let devices: [[DeviceType]]
    /// How long things go wrong.
    let storm: Duration
    let network: FaultProfile
    /// By the number of the write, counted over all lives of the gateway.
    let writes: [Int: WriteFault]
    let incidents: [Incident]
    /// Seconds since 1970 at the start.
    let clock: Int64
    /// Nil where the devices are on the network from the start.
    let air: AirPlan?

    /// Something that happens at a moment of the storm.
    struct Incident {
        let time: Duration
        let event: Event

        enum Event {
            /// The gateway is cut off, or one of the devices.
            case partition(device: Int?, Duration)
            case addressChange(device: Int)
            case reboot(device: Int, off: Duration)
            case kill
            case cancel
            /// Seconds, forward or back.
            case clockJump(Int64)
        }
    }

    /// - Parameter isBluetooth: whether the devices are out of the box. The rest of the plan is
    ///   the same for either.
    init(seed: UInt64, isBluetooth: Bool = false) {
        self.seed = seed
        var random = SeededRandom(seed: seed ^ 0x5CE7_A210_0000_0000)
        var kinds: Set<FaultKind> = []
        for kind in FaultKind.ofAll where random.unitInterval() < 0.4 { kinds.insert(kind) }
        air = isBluetooth ? AirPlan(seed: seed) : nil
        self.kinds = kinds.union(air?.kinds ?? [])
        let count = random.unitInterval() < 0.7 ? 1 : random.number(in: 2...3)
        var devices: [[DeviceType]] = []
        for _ in 0..<count { devices.append([random.element(DeviceType.allCases)]) }
        self.devices = devices
        storm = .seconds(random.number(in: 5...90))
        network = Self.network(kinds, &random)
        writes = Self.writes(kinds, &random)
        incidents = Self.incidents(kinds, count, storm, &random)
        clock = kinds.contains(.clock1970) ? 100 : 1_780_000_000
    }

    private static func network(
        _ kinds: Set<FaultKind>, _ random: inout SeededRandom
    ) -> FaultProfile {
        var faults = FaultProfile()
        // As many draws whatever is on.
        let shares = (0..<8).map { _ in random.unitInterval() }
        if kinds.contains(.drop) { faults.drop = 0.02 + 0.25 * shares[0] }
        if kinds.contains(.burst) { faults.burst = 0.02 * shares[1] + 0.002 }
        if kinds.contains(.duplicate) { faults.duplicate = 0.3 * shares[2] }
        if kinds.contains(.reorder) { faults.reorder = 0.2 * shares[3] }
        if kinds.contains(.flip) { faults.flip = 0.1 * shares[4] }
        if kinds.contains(.delay) {
            let longest = Duration.milliseconds(10 + Int64(400 * shares[5]))
            faults.delay = .milliseconds(1)...longest
        }
        if kinds.contains(.mtu) { faults.mtu = 300 + Int(900 * shares[6]) }
        return faults
    }

    private static func writes(
        _ kinds: Set<FaultKind>, _ random: inout SeededRandom
    ) -> [Int: WriteFault] {
        var writes: [Int: WriteFault] = [:]
        // A commissioning makes some ten; later faults meet the lives after a kill.
        let latest = 30
        if kinds.contains(.killBeforeWrite) {
            writes[random.number(in: 1...latest)] = .killBefore
        }
        if kinds.contains(.killAfterWrite) {
            writes[random.number(in: 1...latest)] = .killAfter
        }
        if kinds.contains(.stall) {
            for _ in 0..<3 {
                writes[random.number(in: 1...latest)] =
                    .stall(.milliseconds(Int64(random.number(in: 100...5000))))
            }
        }
        if kinds.contains(.diskFull) {
            let first = random.number(in: 1...latest)
            for number in first..<(first + random.number(in: 1...8)) { writes[number] = .full }
        }
        if kinds.contains(.ioError) { writes[random.number(in: 1...latest)] = .error }
        return writes
    }

    private static func incidents(
        _ kinds: Set<FaultKind>, _ devices: Int, _ storm: Duration,
        _ random: inout SeededRandom
    ) -> [Incident] {
        var incidents: [Incident] = []
        func add(_ kind: FaultKind, _ event: (inout SeededRandom) -> Incident.Event) {
            guard kinds.contains(kind) else { return }
            for _ in 0..<random.number(in: 1...2) {
                // Most of what matters happens in the first seconds.
                let share = random.unitInterval() * random.unitInterval()
                let time = (Duration.zero...storm).point(at: share)
                incidents.append(Incident(time: time, event: event(&random)))
            }
        }
        add(.partition) { random in
            let device = random.number(in: 0...devices)
            return .partition(
                device: device == 0 ? nil : device - 1,
                .milliseconds(Int64(random.number(in: 200...30_000))))
        }
        add(.addressChange) { .addressChange(device: $0.number(in: 0...(devices - 1))) }
        add(.deviceReboot) { random in
            .reboot(
                device: random.number(in: 0...(devices - 1)),
                off: .milliseconds(Int64(random.number(in: 10...20_000))))
        }
        add(.kill) { _ in .kill }
        add(.cancel) { _ in .cancel }
        add(.clockJump) { .clockJump(Int64($0.number(in: -4000...4000))) }
        return incidents
    }
}

/// What goes wrong at a write.
package enum WriteFault: Sendable, Equatable {
    case killBefore, killAfter
    /// It comes back so much later, and all else waits.
    case stall(Duration)
    case full, error
}

extension SeededRandom {
    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    mutating func element<Element>(_ elements: [Element]) -> Element {
        elements[number(in: 0...(elements.count - 1))]
    }
}

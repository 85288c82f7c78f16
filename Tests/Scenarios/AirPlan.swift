internal import Base
internal import Simulation

/// What a seed makes of Bluetooth: what goes wrong in the air, and what the devices are like.
struct AirPlan {
    let kinds: Set<FaultKind>
    let faults: AirFaults
    /// The largest packet that the devices take.
    let attMTU: Int
    /// Whether they keep Bluetooth while they join their network.
    let isConcurrent: Bool

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed ^ 0xA1B_0000_0000)
        var kinds: Set<FaultKind> = []
        for kind in FaultKind.ofBluetooth where random.unitInterval() < 0.4 { kinds.insert(kind) }
        self.kinds = kinds
        var faults = AirFaults()
        // As many draws whatever is on.
        let shares = (0..<6).map { _ in random.unitInterval() }
        let lossAt = random.number(in: 1...400)
        if kinds.contains(.linkLoss) {
            faults.lossAt = lossAt
            faults.loss = 0.01 * shares[0] * shares[0]
        }
        if kinds.contains(.failedConnection) { faults.failedConnection = 0.7 * shares[1] }
        if kinds.contains(.latePacket) {
            faults.lateness = 0.3 * shares[2]
            faults.delay = .milliseconds(1)...(.milliseconds(20 + Int64(1500 * shares[3])))
        }
        if kinds.contains(.fullBuffer) { faults.fullness = 0.5 * shares[4] }
        if kinds.contains(.deafness) { faults.deafness = 0.3 + 0.6 * shares[5] }
        self.faults = faults
        let small = random.number(in: 23...185)
        attMTU = kinds.contains(.smallPackets) ? small : 247
        isConcurrent = !kinds.contains(.leavesBluetooth)
    }
}

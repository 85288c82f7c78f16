/// What goes wrong in a scenario. A seed has some of the kinds and not others, so that each is
/// met alone as well as with all others.
package enum FaultKind: String, CaseIterable, Sendable {
    case drop, burst, duplicate, reorder, delay
    case flip = "bit flip"
    case mtu = "small MTU"
    case partition
    case addressChange = "address change"
    case deviceReboot = "device reboot"
    case killBeforeWrite = "kill before a write"
    case killAfterWrite = "kill after a write"
    case kill = "kill at some moment"
    case stall = "stalled write"
    case diskFull = "disk full"
    case ioError = "I/O error"
    case clockJump = "clock jump"
    case clock1970 = "clock of 1970"
    case cancel = "cancelled run"
    case linkLoss = "lost link"
    case failedConnection = "failed connection"
    case latePacket = "late packet"
    case fullBuffer = "full buffer"
    case deafness = "unheard advertisement"
    case smallPackets = "small packets"
    case leavesBluetooth = "one radio for both"

    /// What goes wrong with devices out of the box that speak Bluetooth.
    package static let ofBluetooth: [FaultKind] = [
        .linkLoss, .failedConnection, .latePacket, .fullBuffer, .deafness, .smallPackets,
        .leavesBluetooth,
    ]
    /// What goes wrong with all.
    package static let ofAll = allCases.filter { !ofBluetooth.contains($0) }
}

/// How often each kind has happened.
package struct FaultTally: Sendable, Equatable {
    package private(set) var counts: [FaultKind: Int] = [:]

    package init() {}

    package subscript(kind: FaultKind) -> Int { counts[kind] ?? 0 }

    package mutating func add(_ kind: FaultKind, _ count: Int = 1) {
        counts[kind, default: 0] += count
    }

    package mutating func add(_ other: FaultTally) {
        for kind in FaultKind.allCases { add(kind, other[kind]) }
    }
}

internal import Base

/// What a network does to the datagrams of one direction. Chances are 0 ... 1.
package struct FaultProfile: Sendable, Equatable {
    package var drop: Double
    package var duplicate: Double
    /// Each datagram takes a time of its own in here, so that some overtake others.
    package var delay: ClosedRange<Duration>
    /// Of a datagram that is held back until later ones have passed it.
    package var reorder = 0.0
    /// Of a datagram of which one bit arrives turned.
    package var flip = 0.0
    /// Of a datagram with which everything is lost for a while.
    package var burst = 0.0
    package var burstTime = Duration.milliseconds(50)...Duration.milliseconds(800)
    /// Octets beyond which a datagram does not pass; nil when all do.
    package var mtu: Int?

    package init(
        drop: Double = 0, duplicate: Double = 0,
        delay: ClosedRange<Duration> = .milliseconds(1)...(.milliseconds(1))
    ) {
        self.drop = drop
        self.duplicate = duplicate
        self.delay = delay
    }
}

/// How often each fault has happened on a network.
package struct FaultCounts: Sendable, Equatable {
    package var dropped = 0
    package var droppedInBurst = 0
    package var duplicated = 0
    package var reordered = 0
    /// Took longer than the shortest time of its profile.
    package var delayed = 0
    package var flipped = 0
    package var tooLong = 0
    package var partitioned = 0

    package init() {}
}

/// What happens to one datagram, drawn before anything is looked at: as many draws for each, so
/// that one fault does not shift the next.
struct DatagramFate {
    let isDropped: Bool
    let isDuplicated: Bool
    let isReordered: Bool
    /// Which bit is turned, as a share of all.
    let flippedBit: Double?
    /// How long everything is lost from here on.
    let burst: Duration?
    /// Of the datagram and of its copy.
    let delays: [Duration]

    init(_ faults: FaultProfile, _ stream: inout SeededRandom) {
        isDropped = stream.unitInterval() < faults.drop
        isDuplicated = stream.unitInterval() < faults.duplicate
        let shares = [stream.unitInterval(), stream.unitInterval()]
        isReordered = stream.unitInterval() < faults.reorder
        let isFlipped = stream.unitInterval() < faults.flip
        let bit = stream.unitInterval()
        flippedBit = isFlipped ? bit : nil
        let isBurst = stream.unitInterval() < faults.burst
        let length = faults.burstTime.point(at: stream.unitInterval())
        burst = isBurst ? length : nil
        let held = isReordered ? Self.timeHeldBack : .zero
        delays = shares.map { faults.delay.point(at: $0) + held }
    }

    /// Longer than an answer takes on the networks that are simulated.
    private static let timeHeldBack = Duration.milliseconds(120)
}

extension ClosedRange<Duration> {
    /// - Parameter share: 0 at the lower bound, 1 at the upper.
    package func point(at share: Double) -> Duration {
        lowerBound + .nanoseconds(Int64(Double((upperBound - lowerBound).nanoseconds) * share))
    }
}

extension [UInt8] {
    /// - Parameter share: which of all bits, 0 ..< 1.
    mutating func turnBit(at share: Double) {
        guard !isEmpty else { return }
        let bit = Swift.min(Int(share * Double(count * 8)), count * 8 - 1)
        self[bit / 8] ^= 1 << UInt8(bit % 8)
    }
}

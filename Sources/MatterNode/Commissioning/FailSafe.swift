internal import Base
internal import Matter

/// Our account of the device's fail-safe timer. Core §11.10.7.2.
struct FailSafe {
    private let length: Duration
    private let end: Instant
    private var armedAt: Instant
    private var armedUntil: Instant

    /// - Parameter now: when it is armed for the first time; the sum of all armings is bounded
    ///   from here on.
    init(_ info: GeneralCommissioning.BasicCommissioningInfo?, at now: Instant) {
        let recommended = Int(info?.failSafeExpiryLengthSeconds ?? 0)
        length = .seconds(recommended == 0 ? Self.standardSeconds : recommended)
        let cumulative = Int(info?.maxCumulativeFailsafeSeconds ?? 0)
        let standard = Int(RunRecord.standardFailSafeSeconds)
        end = now + .seconds(cumulative == 0 ? standard : cumulative)
        armedAt = now
        armedUntil = now
    }

    /// Whether less than half of the time is left.
    func isHalfSpent(at now: Instant) -> Bool {
        now - armedAt > .nanoseconds(length.nanoseconds / 2)
    }

    /// Starts the timer anew.
    /// - Parameter least: for what takes longer than usual.
    /// - Returns: the seconds to arm it for, as many as the device allows in all; nil when it
    ///   allows none any more.
    mutating func extend(at now: Instant, least: Duration = .zero) -> UInt16? {
        let left = min(max(length, least), end - now)
        guard left >= .seconds(1) else { return nil }
        let seconds = UInt16(clamping: left.nanoseconds / 1_000_000_000)
        armedAt = now
        armedUntil = now + .seconds(Int(seconds))
        return seconds
    }

    /// Whether it will not have expired by then.
    func lasts(_ duration: Duration, at now: Instant) -> Bool { armedUntil - now >= duration }

    /// Core §5.5: what a commissioner uses when the device recommends nothing.
    private static let standardSeconds = 60
}

/// A point on a monotonic clock that starts at some unknown moment. It never names a date.
///
/// Machines get instants as arguments; only the loop reads a clock.
package struct Instant: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static let distantFuture = Instant(nanoseconds: .max)

    package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Stops at `distantFuture` instead of overflowing.
    package static func + (instant: Instant, duration: Duration) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.nanoseconds)
        return overflow ? .distantFuture : Instant(nanoseconds: sum)
    }

    package static func - (left: Instant, right: Instant) -> Duration {
        .nanoseconds(left.nanoseconds - right.nanoseconds)
    }
}

extension Duration {
    /// Whole nanoseconds, held within what 64 bits can count (292 years).
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return scaled + attoseconds / 1_000_000_000
    }

    package var milliseconds: Int64 { nanoseconds / 1_000_000 }
}

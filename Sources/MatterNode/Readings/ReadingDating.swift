package import Base

/// Gives instants their dates: how far the date is ahead of the monotonic clock.
///
/// The order of readings is that of their instants, whatever becomes of the clock; its latest
/// plausible state dates all of a boot, so that a correction moves a series and tears none.
package struct ReadingDating: Equatable, Sendable {
    /// Milliseconds since 1970 at the monotonic clock's zero; nil while no plausible date was
    /// seen in this boot.
    package private(set) var offset: Int64?

    package enum Change: Equatable, Sendable {
        case none
        /// The date is known now, and with it that of everything before in this boot.
        case known
        /// The clock was set by so many milliseconds.
        case jumped(by: Int64)
    }

    /// A clock that is read some moments after the other, or in seconds alone, has not jumped.
    static let tolerance: Int64 = 2000

    /// - Parameter offset: as it was known before, in this boot.
    package init(offset: Int64? = nil) { self.offset = offset }

    /// - Parameter unixMilliseconds: the date at this instant; nil while it is not plausible.
    package mutating func observe(unixMilliseconds: Int64?, at instant: Instant) -> Change {
        guard let unixMilliseconds else { return .none }
        let seen = unixMilliseconds - Self.milliseconds(instant)
        guard let known = offset else {
            offset = seen
            return .known
        }
        guard (seen - known).magnitude >= Self.tolerance.magnitude else { return .none }
        offset = seen
        return .jumped(by: seen - known)
    }

    package func date(_ instant: Instant) -> Int64? {
        offset.map { $0 + Self.milliseconds(instant) }
    }

    /// Of the monotonic clock, rounded down.
    package static func milliseconds(_ instant: Instant) -> Int64 {
        instant.nanoseconds >= 0
            ? instant.nanoseconds / 1_000_000 : -((-instant.nanoseconds + 999_999) / 1_000_000)
    }
}

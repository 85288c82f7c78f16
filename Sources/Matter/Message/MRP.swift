internal import Base

/// The times of the message reliability protocol. Core §4.12.
package enum MRP {
    /// Transmissions of one message, the first included. §4.12.8.
    package static let transmissions = 5
    /// A message that wants an acknowledgement gets one alone after this long. §4.12.8.
    package static let standaloneAcknowledgementDelay = Duration.milliseconds(200)

    private static let margin = 1.1
    private static let base = 1.6
    private static let jitter = 0.25
    private static let threshold = 1

    /// How long to wait for an acknowledgement before the next transmission. §4.12.2.1.
    /// - Parameters:
    ///   - interval: the peer's active or idle interval.
    ///   - retransmissions: those already made; 0 after the first transmission.
    ///   - random: 0 ..< 1, drawn anew for each wait.
    package static func wait(
        interval: Duration, retransmissions: Int, random: Double
    ) -> Duration {
        var factor = margin
        var exponent = max(0, retransmissions - threshold)
        while exponent > 0 {
            factor *= base
            exponent -= 1
        }
        factor *= 1 + random * jitter
        return .nanoseconds(Int64(Double(interval.nanoseconds) * factor))
    }

    /// The longest that all transmissions of one message can take until it counts as lost.
    package static func longest(interval: Duration) -> Duration {
        var total = Duration.zero
        for retransmissions in 0..<transmissions {
            total += wait(interval: interval, retransmissions: retransmissions, random: 1)
        }
        return total
    }
}

internal import Glibc

/// The date, as this machine believes it to be.
package enum WallClock {
    /// Seconds since 1970-01-01T00:00:00Z.
    package static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    package static var milliseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// `2026-02-03 04:05 UTC`
    package static func text(_ secondsSince1970: Int64) -> String {
        var seconds = time_t(secondsSince1970)
        var parts = unsafe tm()
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return "\(secondsSince1970) s" }
        var text = [CChar](repeating: 0, count: 64)
        let count = unsafe strftime(&text, text.count, "%Y-%m-%d %H:%M UTC", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

internal import Base
internal import MatterNode

/// How long a series may have no reading.
///
/// The rule: a node that is there and reached has a reading of each of its values within two of
/// its longest intervals, for a repetition is kept when the one before is as old as that. An
/// outage explains what is missing from half a minute before it, which a power cut may take, to
/// when the gateway must have found its node again.
struct GapCheck {
    struct Place {
        let name: String
        /// The longest time between two of its reports.
        let interval: Duration
        fileprivate var open = 0
        fileprivate var since = Instant(nanoseconds: 0)
        fileprivate var outages: [Range<Instant>] = []

        init(name: String, interval: Duration) {
            self.name = name
            self.interval = interval
        }

        /// Within which it has a reading where nothing is wrong.
        fileprivate var bound: Duration { interval * 2 + GapCheck.grace }
        /// After an outage: the report that does not come, the attempt that goes on, the longest
        /// pause, the next attempt.
        var recovery: Duration {
            interval * 11 / 10 + .seconds(60) + .seconds(375) + .seconds(60) + GapCheck.grace
        }
    }

    private(set) var places: [Place]
    private(set) var faults: [String] = []
    /// Without an outage in it.
    private(set) var longest = Duration.zero
    private var last: [ReadingSource: Instant] = [:]

    private static let grace = Duration.seconds(10)
    /// Of readings in memory, when the power goes.
    private static let before = Duration.seconds(35)
    /// Outages that are over for so long are in no gap any more.
    private static let memory = Duration.seconds(2 * 86_400)

    init(_ places: [Place]) { self.places = places }

    // MARK: Outages

    mutating func begin(_ place: Int, at now: Instant) {
        if places[place].open == 0 { places[place].since = now }
        places[place].open += 1
    }

    mutating func end(_ place: Int, at now: Instant) {
        places[place].open -= 1
        guard places[place].open == 0 else { return }
        places[place].outages.removeAll { now - $0.upperBound > Self.memory }
        places[place].outages.append(places[place].since..<(now + .nanoseconds(1)))
    }

    /// Whether an outage is going on, or its node need not be found again yet.
    func isExplained(_ place: Int, at now: Instant) -> Bool {
        unexplained(places[place], now + .nanoseconds(-1), now) == .zero
    }

    // MARK: Readings

    mutating func receive(_ source: ReadingSource, of place: Int, at now: Instant) {
        if let last = last[source] { judge(place, source, last, now) }
        last[source] = now
    }

    /// At the end of a quiet time.
    mutating func checkAll(_ place: (ReadingSource) -> Int?, at now: Instant) {
        for (source, last) in last {
            if let place = place(source) { judge(place, source, last, now) }
        }
    }

    /// How many series there are.
    var count: Int { last.count }

    private mutating func judge(
        _ place: Int, _ source: ReadingSource, _ last: Instant, _ now: Instant
    ) {
        let time = unexplained(places[place], last, now)
        if now - last == time { longest = max(longest, time) }
        guard time > places[place].bound else { return }
        faults.append(
            "\(places[place].name): \(source.cluster)/\(source.attribute) has no reading from"
                + " \(last.text) to \(now.text), \(time.wholeSeconds) s of it without a reason")
    }

    private func unexplained(_ place: Place, _ from: Instant, _ to: Instant) -> Duration {
        var left = Duration.zero
        var mark = from
        var windows = place.outages
        if place.open > 0 { windows.append(place.since..<to) }
        for outage in windows {
            let start = outage.lowerBound + .nanoseconds(-Self.before.nanoseconds)
            let end = outage.upperBound + place.recovery
            guard end > mark else { continue }
            if start >= to { break }
            if start > mark { left = left + (start - mark) }
            mark = end
        }
        if to > mark { left = left + (to - mark) }
        return left
    }
}

extension Instant {
    /// Of a month: day, hour, minute, second.
    var text: String {
        let seconds = nanoseconds / 1_000_000_000
        let parts = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map {
            $0 < 10 ? "0\($0)" : "\($0)"
        }
        return "day \(seconds / 86_400 + 1), \(parts[0]):\(parts[1]):\(parts[2])"
    }
}

extension Duration {
    var wholeSeconds: Int64 { components.seconds }
}

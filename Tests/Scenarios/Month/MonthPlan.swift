internal import Base
internal import Simulation

/// What goes wrong on the days of a month, by its seed. A day has all its troubles before the
/// evening, which is quiet, and at its end everything must be as it should.
struct MonthPlan {
    struct Incident {
        /// From the start of the month.
        let time: Duration
        let event: Event
    }

    enum Event {
        /// Gone without a word, it lets connections hang; otherwise it refuses them.
        case brokerGone(Duration, isSilent: Bool)
        /// The gateway's own cable.
        case networkGone(Duration)
        /// Of the gateway. Its clock begins in 1970 and is right so much later; nil is at once.
        case powerCut(off: Duration, clockAfter: Duration?)
        /// The process alone is killed.
        case crash
        /// The process ends as it should and begins again, for an update.
        case restart
        case deviceOff(Int, Duration)
        case deviceMoves(Int)
        /// Seconds, and when the clock is set right again.
        case clockJump(Int64, Duration)
        /// Datagrams are lost, doubled and late.
        case noise(Duration)
        /// A person presses the button of a device.
        case press(Int)
    }

    let seed: UInt64
    let days: Int
    private var incidents: [Incident] = []

    /// A whole one, or less for those who have no time.
    let day: Duration
    /// From here on a day is quiet.
    let evening: Duration
    private let last: Int
    private let longest: Int

    /// For a node that sleeps to be found again, and for the limit of the cellar.
    private static let quiet = Duration.seconds(4500)
    private static let first = 600

    /// - Parameter devices: how many there are; the last one sleeps and stays where it is.
    init(seed: UInt64, days: Int, hours: Int, devices: Int, lamps: [Int]) {
        self.seed = seed
        self.days = days
        day = .seconds(Int64(hours * 3600))
        evening = day + .nanoseconds(-Self.quiet.nanoseconds)
        let active = Int(evening.wholeSeconds)
        last = active * 9 / 11
        longest = active * 2 / 11
        var random = SeededRandom(seed: seed ^ 0x30DA_7500_0000_0000)
        for number in 0..<days {
            let start = day * number
            add(&random, from: start, devices)
            for hour in 0..<active / 3600 {
                let time = start + .seconds(Int64(hour * 3600 + random.number(in: 0...3599)))
                incidents.append(Incident(time: time, event: .press(random.element(lamps))))
            }
        }
    }

    /// - Parameter day: from 0 on.
    func incidents(of day: Int) -> [Incident] {
        incidents.filter { $0.time >= self.day * day && $0.time < self.day * (day + 1) }
    }

    private mutating func add(
        _ random: inout SeededRandom, from start: Duration, _ devices: Int
    ) {
        func add(_ chance: Double, _ event: (inout SeededRandom) -> Event) {
            let isChosen = random.unitInterval() < chance
            let time = start + .seconds(Int64(random.number(in: Self.first...last)))
            let event = event(&random)
            if isChosen { incidents.append(Incident(time: time, event: event)) }
        }
        add(1) { .brokerGone(hours(&$0), isSilent: $0.unitInterval() < 0.3) }
        add(0.5) { .brokerGone(time(&$0), isSilent: $0.unitInterval() < 0.3) }
        add(0.8) { .networkGone(time(&$0)) }
        for _ in 0..<2 {
            add(0.6) { random in
                let off = Duration.seconds(Int64(random.number(in: 5...600)))
                let isFarOff = random.unitInterval() < 0.5
                let later = Duration.seconds(Int64(random.number(in: 1...longest / 2)))
                return .powerCut(off: off, clockAfter: isFarOff ? later : nil)
            }
        }
        add(0.4) { _ in .crash }
        add(0.4) { _ in .restart }
        for _ in 0..<3 {
            add(0.6) { .deviceOff($0.number(in: 0...(devices - 1)), time(&$0)) }
        }
        add(0.5) { .deviceMoves($0.number(in: 0...(devices - 2))) }
        add(0.4) { .clockJump(Int64($0.number(in: -4000...4000)), time(&$0)) }
        add(0.5) { .noise(.seconds(Int64($0.number(in: 60...longest / 4)))) }
    }

    private func hours(_ random: inout SeededRandom) -> Duration {
        .seconds(Int64(random.number(in: longest / 4...longest)))
    }

    /// Mostly short.
    private func time(_ random: inout SeededRandom) -> Duration {
        let share = random.unitInterval()
        return .seconds(1 + Int64(Double(longest - 1) * share * share * share))
    }
}

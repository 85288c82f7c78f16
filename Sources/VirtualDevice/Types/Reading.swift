internal import Base

/// What a sensor measures, in hundredths: moving by itself, held at a value, or nothing.
struct Reading: Sendable {
    private enum Course {
        case moving, held, broken
    }

    private var course = Course.moving
    private var measured: Double
    private var pace: Pace
    private var noise: Noise
    /// What of the distance to its aim it goes in a step, and how far it strays.
    private let share: Double
    private let stray: Double

    init(
        _ hundredths: Double, share: Double, stray: Double, noise: Noise, at now: Instant
    ) {
        measured = hundredths
        self.share = share
        self.stray = stray
        self.noise = noise
        pace = Pace(every: Self.interval, from: now)
    }

    /// Nil when the sensor is broken.
    var value: Int? { course == .broken ? nil : Int(measured.rounded()) }

    /// - Parameter aim: where the value is drawn to at an instant.
    mutating func advance(to now: Instant, aim: (Instant) -> Double) {
        while let instant = pace.takeStep(at: now) {
            guard course == .moving else { continue }
            measured += (aim(instant) - measured) * share + noise.signed() * stray
        }
    }

    /// One that does not move by itself needs no step.
    var nextDeadline: Instant? { course == .moving ? pace.next : nil }

    mutating func set(
        _ word: SettableWord, _ value: SettableValue, in range: ClosedRange<Int>
    ) throws(SettingError) {
        switch value {
        case .null: course = .broken
        case .auto: course = .moving
        case .number, .flag:
            measured = Double(try value.number(word, in: range))
            course = .held
        }
    }

    private static let interval = Duration.seconds(30)
}

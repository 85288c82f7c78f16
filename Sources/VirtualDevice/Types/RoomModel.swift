internal import Base

/// A heated and cooled room: heat leaks to the outdoors in proportion to the difference, and
/// heating or cooling moves it evenly. First order, in steps of ten seconds.
struct RoomModel: Sendable {
    enum Work {
        case idle, heating, cooling
    }

    /// °C.
    private(set) var temperature: Double
    private(set) var outdoor: Double
    /// The weather when somebody has decided it.
    private var heldOutdoor: Double?
    private var pace: Pace
    private var noise: Noise
    private let day: DayClock

    init(temperature: Double, noise: Noise, day: DayClock, at now: Instant) {
        self.temperature = temperature
        self.noise = noise
        self.day = day
        outdoor = Self.weather(day, now)
        pace = Pace(every: .seconds(Self.stepSeconds), from: now)
    }

    /// Goes through the steps that are due; `work` decides before each what the plant does.
    mutating func advance(to now: Instant, work: (Double) -> Work) {
        while let instant = pace.takeStep(at: now) {
            outdoor = heldOutdoor ?? Self.weather(day, instant)
            let seconds = Double(Self.stepSeconds)
            var change = (outdoor - temperature) * seconds / Self.leakSeconds
            switch work(temperature) {
            case .idle: break
            case .heating: change += Self.heatingPerHour * seconds / 3600
            case .cooling: change -= Self.coolingPerHour * seconds / 3600
            }
            temperature += change + noise.signed() * Self.stray
        }
    }

    var nextDeadline: Instant { pace.next }

    /// Somebody opened a window, or lit the stove: it goes on from there.
    mutating func set(temperature: Double) { self.temperature = temperature }

    /// - Parameter degrees: nil for the weather.
    mutating func hold(outdoor degrees: Double?, at now: Instant) {
        heldOutdoor = degrees
        outdoor = degrees ?? Self.weather(day, now)
    }

    /// 2 °C at night, 12 °C in the afternoon.
    private static func weather(_ day: DayClock, _ now: Instant) -> Double {
        7 + 5 * day.warmth(at: now)
    }

    private static let stepSeconds = 10
    /// Six hours until the difference to the outdoors is down to a third.
    private static let leakSeconds = 6.0 * 3600
    /// Enough to hold 24 °C on the coldest night.
    private static let heatingPerHour = 8.0
    private static let coolingPerHour = 6.0
    private static let stray = 0.004
}

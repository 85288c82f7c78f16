internal import Base

/// SplitMix64, for what moves by itself: the same course for the same seed on every machine.
struct Noise: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// 0 ..< 1.
    mutating func unit() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((value ^ (value >> 31)) >> 11) * 0x1p-53
    }

    /// -1 ..< 1.
    mutating func signed() -> Double { 2 * unit() - 1 }
}

/// The time of day, counted from one that was told.
struct DayClock: Sendable {
    private let start: Instant
    private let secondOfDay: Int

    init(secondOfDay: Int, at now: Instant) {
        start = now
        self.secondOfDay = secondOfDay
    }

    /// -1 at three in the night, 1 at three in the afternoon, near a sine between (parabolas).
    func warmth(at now: Instant) -> Double {
        let seconds = secondOfDay + Int((now - start).milliseconds / 1000)
        let sinceNine = (seconds - 9 * 3600 + Self.day) % Self.day
        let part = Double(sinceNine) / Double(Self.day)
        let half = part < 0.5 ? part : part - 0.5
        let arch = 16 * half * (0.5 - half)
        return part < 0.5 ? arch : -arch
    }

    private static let day = 24 * 3600
}

/// Steps at even distances.
struct Pace: Sendable {
    let interval: Duration
    private(set) var next: Instant

    init(every interval: Duration, from now: Instant) {
        self.interval = interval
        next = now + interval
    }

    /// The instant of the next step that is due, or nil. Steps that nobody can make up for (the
    /// machine slept) are left out.
    mutating func takeStep(at now: Instant) -> Instant? {
        guard next <= now else { return nil }
        let missed = (now - next).nanoseconds / interval.nanoseconds
        if missed > Limits.stepsMadeUp {
            next = next + .nanoseconds((missed - Limits.stepsMadeUp) * interval.nanoseconds)
        }
        defer { next = next + interval }
        return next
    }
}

/// A value that goes evenly from one number to another.
struct Transition: Equatable, Sendable {
    let from: Int
    let target: Int
    private let start: Instant
    private let duration: Duration
    /// When the value was last looked at.
    private var seen: Instant

    init(from: Int, to target: Int, over duration: Duration, at now: Instant) {
        self.from = from
        self.target = target
        self.duration = duration
        start = now
        seen = now
    }

    mutating func advance(to now: Instant) -> Int {
        seen = now
        guard !isOver else { return target }
        let elapsed = Int((now - start).milliseconds)
        return from + (target - from) * elapsed / max(Int(duration.milliseconds), 1)
    }

    var isOver: Bool { seen >= end }

    /// What is left, rounded up.
    var remainingTenths: UInt16 {
        isOver ? 0 : UInt16(clamping: ((end - seen).milliseconds + 99) / 100)
    }

    /// Once a second on the way, which is as often as a value may be reported, and at the end.
    var nextDeadline: Instant { min(end, seen + .seconds(1)) }

    private var end: Instant { start + duration }
}

internal import Base
internal import Matter

/// Ten speeds, and one that the fan chooses. Application Clusters §4.4, features SPD, AUT and
/// STEP.
struct FanServer: Sendable {
    private(set) var mode = FanControl.FanMode.off
    /// Of 100; nil while the fan chooses.
    private(set) var percent: Int? = 0
    /// What the blades do, of 100; they take a moment.
    private(set) var current = 0
    private var transition: Transition?

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        table.add(
            FanControl.self, on: endpoint, revision: 4, features: Self.speedAutoAndStep,
            commands: [FanControl.Step.id])
        table.set(FanControl.fanModeSequence, OpenEnum(.offLowMedHighAuto), on: endpoint)
        table.set(FanControl.speedMax, UInt8(Self.speeds), on: endpoint)
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        table.set(FanControl.fanMode, OpenEnum(mode), on: endpoint)
        table.set(
            FanControl.percentSetting, percent.map { .value(UInt8($0)) } ?? .null, on: endpoint)
        table.set(FanControl.percentCurrent, UInt8(current), on: endpoint)
        table.set(
            FanControl.speedSetting,
            percent.map { .value(UInt8(Self.speed($0))) } ?? .null, on: endpoint)
        table.set(FanControl.speedCurrent, UInt8(Self.speed(current)), on: endpoint)
    }

    mutating func write(_ write: ModelWrite, at now: Instant) throws(Refused) {
        switch write.attribute {
        case FanControl.fanMode.id: try set(try write.decoded(FanControl.fanMode), at: now)
        case FanControl.percentSetting.id:
            // §4.4.6.3: null is accepted and changes nothing.
            guard let value = try write.decoded(FanControl.percentSetting).value else { return }
            guard value <= 100 else { throw Refused(.constraintError) }
            set(percent: Int(value), at: now)
        case FanControl.speedSetting.id:
            guard let value = try write.decoded(FanControl.speedSetting).value else { return }
            guard value <= Self.speeds else { throw Refused(.constraintError) }
            set(percent: Int(value) * 100 / Self.speeds, at: now)
        default: throw Refused(.unsupportedWrite)
        }
    }

    /// §4.4.6.1: each mode stands for the top of its range; On is High, Smart is Auto.
    private mutating func set(
        _ mode: OpenEnum<FanControl.FanMode>, at now: Instant
    ) throws(Refused) {
        switch mode.known {
        case .off: set(percent: 0, at: now)
        case .low: set(percent: Self.lowMaximum, at: now)
        case .medium: set(percent: Self.mediumMaximum, at: now)
        case .high, .on: set(percent: 100, at: now)
        case .auto, .smart:
            self.mode = .auto
            percent = nil
            turn(to: Self.automatic, at: now)
        case nil: throw Refused(.constraintError)
        }
    }

    mutating func set(percent: Int, at now: Instant) {
        self.percent = percent
        mode =
            switch percent {
            case 0: .off
            case ...Self.lowMaximum: .low
            case ...Self.mediumMaximum: .medium
            default: .high
            }
        turn(to: percent, at: now)
    }

    /// §4.4.7.1: one speed up or down; around the ends where the command says so.
    mutating func step(_ command: FanControl.Step, at now: Instant) throws(Refused) {
        guard let direction = command.direction.known else { throw Refused(.constraintError) }
        let lowest = command.lowestOff ?? true ? 0 : 1
        let speed = Self.speed(percent ?? current)
        var next = direction == .increase ? speed + 1 : speed - 1
        if next > Self.speeds { next = command.wrap ?? false ? lowest : Self.speeds }
        if next < lowest { next = command.wrap ?? false ? Self.speeds : lowest }
        set(percent: next * 100 / Self.speeds, at: now)
    }

    private mutating func turn(to percent: Int, at now: Instant) {
        let time = Self.fullSpin * abs(percent - current) / 100
        transition =
            percent == current
            ? nil : Transition(from: current, to: percent, over: .milliseconds(time), at: now)
    }

    mutating func restart(at now: Instant) {
        current = 0
        turn(to: percent ?? Self.automatic, at: now)
    }

    mutating func advance(to now: Instant) {
        guard var transition else { return }
        current = transition.advance(to: now)
        self.transition = transition.isOver ? nil : transition
    }

    var nextDeadline: Instant? { transition?.nextDeadline }

    /// Any turning counts as a speed.
    private static func speed(_ percent: Int) -> Int { (percent * speeds + 99) / 100 }

    private static let speeds = 10
    private static let lowMaximum = 30
    private static let mediumMaximum = 70
    private static let automatic = 40
    /// Milliseconds from rest to full.
    private static let fullSpin = 4000
    /// §4.4.4
    private static let speedAutoAndStep: UInt32 = 0x13
}

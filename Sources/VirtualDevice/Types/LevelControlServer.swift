internal import Base
internal import Matter

/// Brightness from 1 to 254. Application Clusters §1.6.
struct LevelControlServer: Sendable {
    /// What a move means for On/Off.
    enum Switching: Equatable {
        case none, on, off
    }

    private(set) var level = 254
    /// Where the level goes, or is.
    var target: Int { transition?.target ?? level }
    private var transition: Transition?
    /// The move ends with Off when it arrives at the lowest level.
    private var endsOff = false

    private var options: UInt8 = 0
    private var onLevel: Nullable<UInt8> = .null
    private var defaultMoveRate: Nullable<UInt8> = .null
    private var startUp: Nullable<UInt8> = .null

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        table.add(
            LevelControl.self, on: endpoint, revision: 6, features: Self.onOffAndLighting,
            commands: [
                LevelControl.MoveToLevel.id, LevelControl.Move.id, LevelControl.Step.id,
                LevelControl.Stop.id, LevelControl.MoveToLevelWithOnOff.id,
                LevelControl.MoveWithOnOff.id, LevelControl.StepWithOnOff.id,
                LevelControl.StopWithOnOff.id,
            ])
        table.set(LevelControl.minLevel, UInt8(Self.lowest), on: endpoint)
        table.set(LevelControl.maxLevel, UInt8(Self.highest), on: endpoint)
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        table.set(LevelControl.currentLevel, .value(UInt8(level)), on: endpoint)
        table.set(
            LevelControl.remainingTime, transition?.remainingTenths ?? 0, on: endpoint)
        table.set(LevelControl.options, options, on: endpoint)
        table.set(LevelControl.onLevel, onLevel, on: endpoint)
        table.set(LevelControl.defaultMoveRate, defaultMoveRate, on: endpoint)
        table.set(LevelControl.startUpCurrentLevel, startUp, on: endpoint)
    }

    // MARK: Commands

    mutating func invoke(
        _ command: ModelCommand, isOn: Bool, at now: Instant
    ) throws(Refused) -> Switching {
        switch command.command {
        case LevelControl.MoveToLevel.id:
            let fields = try command.decoded(LevelControl.MoveToLevel.self)
            let isIdle = !isOn && !executes(fields.optionsMask, fields.optionsOverride)
            return try move(
                to: fields.level, over: fields.transitionTime, switches: false, isIdle, now)
        case LevelControl.MoveToLevelWithOnOff.id:
            let fields = try command.decoded(LevelControl.MoveToLevelWithOnOff.self)
            return try move(
                to: fields.level, over: fields.transitionTime, switches: true, false, now)
        case LevelControl.Move.id:
            let fields = try command.decoded(LevelControl.Move.self)
            let isIdle = !isOn && !executes(fields.optionsMask, fields.optionsOverride)
            return try move(fields.moveMode, fields.rate, switches: false, isIdle, now)
        case LevelControl.MoveWithOnOff.id:
            let fields = try command.decoded(LevelControl.MoveWithOnOff.self)
            return try move(fields.moveMode, fields.rate, switches: true, false, now)
        case LevelControl.Step.id:
            let fields = try command.decoded(LevelControl.Step.self)
            let isIdle = !isOn && !executes(fields.optionsMask, fields.optionsOverride)
            return try step(
                fields.stepMode, fields.stepSize, fields.transitionTime, switches: false, isIdle,
                now)
        case LevelControl.StepWithOnOff.id:
            let fields = try command.decoded(LevelControl.StepWithOnOff.self)
            return try step(
                fields.stepMode, fields.stepSize, fields.transitionTime, switches: true, false,
                now)
        case LevelControl.Stop.id:
            let fields = try command.decoded(LevelControl.Stop.self)
            if isOn || executes(fields.optionsMask, fields.optionsOverride) { stop() }
            return .none
        case LevelControl.StopWithOnOff.id:
            stop()
            return .none
        default: throw Refused(.unsupportedCommand)
        }
    }

    /// §1.6.6.9: ExecuteIfOff, of the attribute or of the command where its mask says so.
    private func executes(_ mask: UInt8, _ override: UInt8) -> Bool {
        (options & ~mask | override & mask) & 1 != 0
    }

    private mutating func move(
        to level: UInt8, over time: Nullable<UInt16>, switches: Bool, _ isIdle: Bool,
        _ now: Instant
    ) throws(Refused) -> Switching {
        guard level <= Self.highest else { throw Refused(.constraintError) }
        if isIdle { return .none }
        return go(to: Int(level), over: Self.duration(time), switches: switches, at: now)
    }

    private mutating func move(
        _ mode: OpenEnum<LevelControl.MoveMode>, _ rate: Nullable<UInt8>, switches: Bool,
        _ isIdle: Bool, _ now: Instant
    ) throws(Refused) -> Switching {
        guard let mode = mode.known else { throw Refused(.constraintError) }
        let rate = rate.value ?? defaultMoveRate.value
        guard rate != 0 else { throw Refused(.invalidCommand) }
        if isIdle { return .none }
        let target = mode == .up ? Self.highest : Self.lowest
        // Without a rate as fast as it can, which is at once.
        let time = rate.map { 1000 * abs(target - level) / Int($0) } ?? 0
        return go(to: target, over: .milliseconds(time), switches: switches, at: now)
    }

    private mutating func step(
        _ mode: OpenEnum<LevelControl.StepMode>, _ size: UInt8, _ time: Nullable<UInt16>,
        switches: Bool, _ isIdle: Bool, _ now: Instant
    ) throws(Refused) -> Switching {
        guard let mode = mode.known else { throw Refused(.constraintError) }
        guard size > 0 else { throw Refused(.invalidCommand) }
        if isIdle { return .none }
        let wanted = mode == .up ? level + Int(size) : level - Int(size)
        let target = min(max(wanted, Self.lowest), Self.highest)
        // §1.6.7.3.4: a step that is cut short takes its share of the time.
        let whole = Int(Self.duration(time).milliseconds)
        let share = whole * abs(target - level) / Int(size)
        return go(to: target, over: .milliseconds(share), switches: switches, at: now)
    }

    private mutating func go(
        to level: Int, over duration: Duration, switches: Bool, at now: Instant
    ) -> Switching {
        let target = max(level, Self.lowest)
        let turnsOff = switches && target == Self.lowest
        if duration == .zero || target == self.level {
            self.level = target
            stop()
            if turnsOff { return .off }
        } else {
            transition = Transition(from: self.level, to: target, over: duration, at: now)
            endsOff = turnsOff
        }
        return switches && !turnsOff ? .on : .none
    }

    mutating func stop() {
        transition = nil
        endsOff = false
    }

    private static func duration(_ tenths: Nullable<UInt16>) -> Duration {
        .milliseconds(100 * Int(tenths.value ?? 0))
    }

    // MARK: Other ways to change it

    mutating func write(_ write: ModelWrite) throws(Refused) {
        switch write.attribute {
        case LevelControl.options.id:
            let value = try write.decoded(LevelControl.options)
            guard value <= 3 else { throw Refused(.constraintError) }
            options = value
        case LevelControl.onLevel.id:
            let value = try write.decoded(LevelControl.onLevel)
            if let level = value.value, !(Self.lowest...Self.highest).contains(Int(level)) {
                throw Refused(.constraintError)
            }
            onLevel = value
        case LevelControl.defaultMoveRate.id:
            let value = try write.decoded(LevelControl.defaultMoveRate)
            guard value.value != 0 else { throw Refused(.constraintError) }
            defaultMoveRate = value
        case LevelControl.startUpCurrentLevel.id:
            startUp = try write.decoded(LevelControl.startUpCurrentLevel)
        default: throw Refused(.unsupportedWrite)
        }
    }

    /// On/Off turned the light on: OnLevel decides. §1.6.4.1.1.
    mutating func turnedOn() {
        stop()
        if let onLevel = onLevel.value { level = Int(onLevel) }
    }

    /// At the device itself.
    mutating func set(_ level: Int) {
        stop()
        self.level = min(max(level, Self.lowest), Self.highest)
    }

    /// §1.6.6.14: what StartUpCurrentLevel says; 0 is the lowest, null leaves it as it was.
    mutating func restart() {
        if let transition { level = transition.target }
        stop()
        if let startUp = startUp.value { set(Int(startUp)) }
    }

    // MARK: Time

    mutating func advance(to now: Instant) -> Switching {
        guard var transition else { return .none }
        level = transition.advance(to: now)
        self.transition = transition
        guard transition.isOver else { return .none }
        defer { stop() }
        return endsOff ? .off : .none
    }

    var nextDeadline: Instant? { transition?.nextDeadline }

    /// Of 100, of where the level goes.
    var percent: Int { (target * 100 + Self.highest / 2) / Self.highest }

    // Device Library §4.2.5.2: a light has these, and nothing else.
    static let lowest = 1
    static let highest = 254
    /// §1.6.4: OO and LT.
    private static let onOffAndLighting: UInt32 = 0x3
}

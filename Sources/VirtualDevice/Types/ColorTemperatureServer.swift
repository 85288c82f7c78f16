internal import Base
internal import Matter

/// The color temperature of a white light. Application Clusters §3.2, feature CT alone.
struct ColorTemperatureServer: Sendable {
    private(set) var mireds = 250
    /// Where the color goes, or is.
    var target: Int { transition?.target ?? mireds }
    private var transition: Transition?
    private var options: UInt8 = 0
    private var startUp: Nullable<UInt16> = .null

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        table.add(
            ColorControl.self, on: endpoint, revision: 7, features: Self.colorTemperature,
            commands: [
                ColorControl.MoveToColorTemperature.id, ColorControl.StopMoveStep.id,
                ColorControl.MoveColorTemperature.id, ColorControl.StepColorTemperature.id,
            ])
        table.set(ColorControl.colorMode, OpenEnum(.colorTemperatureMireds), on: endpoint)
        table.set(
            ColorControl.enhancedColorMode, OpenEnum(.colorTemperatureMireds), on: endpoint)
        table.set(ColorControl.numberOfPrimaries, .value(0), on: endpoint)
        table.set(
            ColorControl.colorCapabilities, UInt16(Self.colorTemperature), on: endpoint)
        table.set(
            ColorControl.colorTempPhysicalMinMireds, UInt16(Self.coldest), on: endpoint)
        table.set(
            ColorControl.colorTempPhysicalMaxMireds, UInt16(Self.warmest), on: endpoint)
        table.set(
            ColorControl.coupleColorTempToLevelMinMireds, UInt16(Self.coldest), on: endpoint)
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        table.set(ColorControl.colorTemperatureMireds, UInt16(mireds), on: endpoint)
        table.set(
            ColorControl.remainingTime, transition?.remainingTenths ?? 0, on: endpoint)
        table.set(ColorControl.options, options, on: endpoint)
        table.set(ColorControl.startUpColorTemperatureMireds, startUp, on: endpoint)
    }

    mutating func invoke(
        _ command: ModelCommand, isOn: Bool, at now: Instant
    ) throws(Refused) {
        switch command.command {
        case ColorControl.MoveToColorTemperature.id:
            let fields = try command.decoded(ColorControl.MoveToColorTemperature.self)
            guard fields.colorTemperatureMireds <= Self.highestMireds else {
                throw Refused(.constraintError)
            }
            guard acts(isOn, fields.optionsMask, fields.optionsOverride) else { return }
            go(
                to: Int(fields.colorTemperatureMireds),
                over: .milliseconds(100 * Int(fields.transitionTime)), at: now)
        case ColorControl.MoveColorTemperature.id:
            try move(
                try command.decoded(ColorControl.MoveColorTemperature.self), isOn: isOn, at: now)
        case ColorControl.StepColorTemperature.id:
            try step(
                try command.decoded(ColorControl.StepColorTemperature.self), isOn: isOn, at: now)
        case ColorControl.StopMoveStep.id:
            let fields = try command.decoded(ColorControl.StopMoveStep.self)
            if acts(isOn, fields.optionsMask, fields.optionsOverride) { transition = nil }
        default: throw Refused(.unsupportedCommand)
        }
    }

    private mutating func move(
        _ fields: ColorControl.MoveColorTemperature, isOn: Bool, at now: Instant
    ) throws(Refused) {
        guard let mode = fields.moveMode.known else { throw Refused(.constraintError) }
        guard mode == .stop || fields.rate > 0 else { throw Refused(.invalidCommand) }
        guard acts(isOn, fields.optionsMask, fields.optionsOverride) else { return }
        let range = Self.range(
            fields.colorTemperatureMinimumMireds, fields.colorTemperatureMaximumMireds)
        let target: Int
        switch mode {
        case .stop:
            transition = nil
            return
        case .up: target = range.upperBound
        case .down: target = range.lowerBound
        }
        go(
            to: target, over: .milliseconds(1000 * abs(target - mireds) / Int(fields.rate)),
            at: now)
    }

    private mutating func step(
        _ fields: ColorControl.StepColorTemperature, isOn: Bool, at now: Instant
    ) throws(Refused) {
        guard let mode = fields.stepMode.known else { throw Refused(.constraintError) }
        guard fields.stepSize > 0 else { throw Refused(.invalidCommand) }
        guard acts(isOn, fields.optionsMask, fields.optionsOverride) else { return }
        let range = Self.range(
            fields.colorTemperatureMinimumMireds, fields.colorTemperatureMaximumMireds)
        let wanted = mireds + (mode == .up ? 1 : -1) * Int(fields.stepSize)
        go(
            to: min(max(wanted, range.lowerBound), range.upperBound),
            over: .milliseconds(100 * Int(fields.transitionTime)), at: now)
    }

    /// §3.2.7.10: the options' first bit, as in Level Control.
    private func acts(_ isOn: Bool, _ mask: UInt8, _ override: UInt8) -> Bool {
        isOn || (options & ~mask | override & mask) & 1 != 0
    }

    /// What the lamp can do of the range asked for; 0 asks for all of that side.
    private static func range(_ minimum: UInt16, _ maximum: UInt16) -> ClosedRange<Int> {
        let lower = min(max(Int(minimum), coldest), warmest)
        let upper = maximum == 0 ? warmest : min(max(Int(maximum), lower), warmest)
        return lower...upper
    }

    private mutating func go(to mireds: Int, over duration: Duration, at now: Instant) {
        let target = min(max(mireds, Self.coldest), Self.warmest)
        if duration == .zero || target == self.mireds {
            set(mireds: target)
        } else {
            transition = Transition(from: self.mireds, to: target, over: duration, at: now)
        }
    }

    mutating func set(mireds: Int) {
        transition = nil
        self.mireds = min(max(mireds, Self.coldest), Self.warmest)
    }

    mutating func write(_ write: ModelWrite) throws(Refused) {
        switch write.attribute {
        case ColorControl.options.id:
            let value = try write.decoded(ColorControl.options)
            guard value <= 1 else { throw Refused(.constraintError) }
            options = value
        case ColorControl.startUpColorTemperatureMireds.id:
            let value = try write.decoded(ColorControl.startUpColorTemperatureMireds)
            if let mireds = value.value, !(1...Self.highestMireds).contains(mireds) {
                throw Refused(.constraintError)
            }
            startUp = value
        default: throw Refused(.unsupportedWrite)
        }
    }

    mutating func restart() {
        set(mireds: startUp.value.map(Int.init) ?? target)
    }

    mutating func advance(to now: Instant) {
        guard var transition else { return }
        mireds = transition.advance(to: now)
        self.transition = transition.isOver ? nil : transition
    }

    var nextDeadline: Instant? { transition?.nextDeadline }

    var kelvins: Int { 1_000_000 / target }

    /// What a common lamp does: 6535 K to 2000 K.
    static let coldest = 153
    static let warmest = 500
    /// §3.2.7.8
    private static let highestMireds: UInt16 = 0xFEFF
    /// §3.2.4: CT, the same bit in ColorCapabilities.
    private static let colorTemperature: UInt32 = 0x10
}

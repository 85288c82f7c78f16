internal import Base
internal import Matter

/// Setpoints with their limits and dead band, modes, and when to heat and cool. Application
/// Clusters §4.3, features HEAT, COOL and AUTO.
struct ThermostatServer: Sendable {
    private(set) var mode = Thermostat.SystemMode.auto
    /// 0.01 °C, as all that follows.
    private(set) var heating = 20_00
    private(set) var cooling = 26_00
    private(set) var heatLimits = Self.heatRange
    private(set) var coolLimits = Self.coolRange
    private(set) var work = RoomModel.Work.idle

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        table.add(
            Thermostat.self, on: endpoint, revision: 7, features: Self.heatCoolAndAuto,
            commands: [Thermostat.SetpointRaiseLower.id])
        let fixed = [
            (Thermostat.absMinHeatSetpointLimit, Self.heatRange.lowerBound),
            (Thermostat.absMaxHeatSetpointLimit, Self.heatRange.upperBound),
            (Thermostat.absMinCoolSetpointLimit, Self.coolRange.lowerBound),
            (Thermostat.absMaxCoolSetpointLimit, Self.coolRange.upperBound),
        ]
        for (attribute, value) in fixed { table.set(attribute, Int16(value), on: endpoint) }
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        let values = [
            (Thermostat.occupiedHeatingSetpoint, heating),
            (Thermostat.occupiedCoolingSetpoint, cooling),
            (Thermostat.minHeatSetpointLimit, heatLimits.lowerBound),
            (Thermostat.maxHeatSetpointLimit, heatLimits.upperBound),
            (Thermostat.minCoolSetpointLimit, coolLimits.lowerBound),
            (Thermostat.maxCoolSetpointLimit, coolLimits.upperBound),
        ]
        for (attribute, value) in values { table.set(attribute, Int16(value), on: endpoint) }
        // Writes to these two succeed and change nothing.
        table.set(Thermostat.minSetpointDeadBand, Int8(Self.deadBand / 10), on: endpoint)
        table.set(
            Thermostat.controlSequenceOfOperation, OpenEnum(.coolingAndHeating), on: endpoint)
        table.set(Thermostat.systemMode, OpenEnum(mode), on: endpoint)
        table.set(Thermostat.thermostatRunningState, runningState, on: endpoint)
        table.set(Thermostat.thermostatRunningMode, OpenEnum(runningMode), on: endpoint)
    }

    // MARK: Setpoints

    /// §4.3.10.1: moves by what the limits leave of it.
    mutating func raiseOrLower(_ command: Thermostat.SetpointRaiseLower) throws(Refused) {
        let amount = Int(command.amount) * 10
        guard let mode = command.mode.known else { throw Refused(.constraintError) }
        let heat = Self.clamp(heating + amount, heatLimits)
        let cool = Self.clamp(cooling + amount, coolLimits)
        switch mode {
        case .heat: try setHeating(heat)
        case .cool: try setCooling(cool)
        case .both:
            if amount > 0 {
                try setCooling(cool)
                try setHeating(heat)
            } else {
                try setHeating(heat)
                try setCooling(cool)
            }
        }
    }

    /// Pushes the cooling setpoint up where the dead band would be too small. §4.3.7.2.
    mutating func setHeating(_ value: Int) throws(Refused) {
        let pushed = max(cooling, value + Self.deadBand)
        guard heatLimits.contains(value), pushed <= coolLimits.upperBound else {
            throw Refused(.constraintError)
        }
        heating = value
        cooling = pushed
    }

    mutating func setCooling(_ value: Int) throws(Refused) {
        let pushed = min(heating, value - Self.deadBand)
        guard coolLimits.contains(value), pushed >= heatLimits.lowerBound else {
            throw Refused(.constraintError)
        }
        cooling = value
        heating = pushed
    }

    /// New limits lie within the absolute ones, in order, and leave the dead band between them;
    /// the setpoints follow. §4.3.9.21.
    private mutating func setLimits(heat: Range, cool: Range) throws(Refused) {
        guard heat.low <= heat.high, cool.low <= cool.high,
            Self.heatRange.contains(heat.low), Self.heatRange.contains(heat.high),
            Self.coolRange.contains(cool.low), Self.coolRange.contains(cool.high),
            heat.low <= cool.low - Self.deadBand, heat.high <= cool.high - Self.deadBand
        else { throw Refused(.constraintError) }
        heatLimits = heat.low...heat.high
        coolLimits = cool.low...cool.high
        heating = Self.clamp(heating, heatLimits)
        cooling = Self.clamp(max(cooling, heating + Self.deadBand), coolLimits)
        heating = min(heating, cooling - Self.deadBand)
    }

    private typealias Range = (low: Int, high: Int)

    private static func clamp(_ value: Int, _ range: ClosedRange<Int>) -> Int {
        min(max(value, range.lowerBound), range.upperBound)
    }

    mutating func write(_ write: ModelWrite) throws(Refused) {
        var heat: Range = (heatLimits.lowerBound, heatLimits.upperBound)
        var cool: Range = (coolLimits.lowerBound, coolLimits.upperBound)
        switch write.attribute {
        case Thermostat.occupiedHeatingSetpoint.id:
            return try setHeating(Int(try write.decoded(Thermostat.occupiedHeatingSetpoint)))
        case Thermostat.occupiedCoolingSetpoint.id:
            return try setCooling(Int(try write.decoded(Thermostat.occupiedCoolingSetpoint)))
        case Thermostat.minHeatSetpointLimit.id:
            heat.low = Int(try write.decoded(Thermostat.minHeatSetpointLimit))
        case Thermostat.maxHeatSetpointLimit.id:
            heat.high = Int(try write.decoded(Thermostat.maxHeatSetpointLimit))
        case Thermostat.minCoolSetpointLimit.id:
            cool.low = Int(try write.decoded(Thermostat.minCoolSetpointLimit))
        case Thermostat.maxCoolSetpointLimit.id:
            cool.high = Int(try write.decoded(Thermostat.maxCoolSetpointLimit))
        case Thermostat.systemMode.id:
            return try setMode(try write.decoded(Thermostat.systemMode))
        case Thermostat.minSetpointDeadBand.id:
            _ = try write.decoded(Thermostat.minSetpointDeadBand)
            return
        case Thermostat.controlSequenceOfOperation.id:
            _ = try write.decoded(Thermostat.controlSequenceOfOperation)
            return
        default: throw Refused(.unsupportedWrite)
        }
        try setLimits(heat: heat, cool: cool)
    }

    private mutating func setMode(_ mode: OpenEnum<Thermostat.SystemMode>) throws(Refused) {
        switch mode.known {
        case .off, .auto, .cool, .heat: self.mode = mode.known ?? .off
        default: throw Refused(.constraintError)
        }
    }

    // MARK: Working

    /// Starts when the room is a fifth of a degree off, and stops when it is as far beyond.
    mutating func decide(_ temperature: Int?) -> RoomModel.Work {
        work = next(temperature)
        return work
    }

    private func next(_ temperature: Int?) -> RoomModel.Work {
        guard let temperature else { return .idle }
        let mayHeat = mode == .heat || mode == .auto
        let mayCool = mode == .cool || mode == .auto
        let heatBelow = work == .heating ? heating + Self.swing : heating - Self.swing
        let coolAbove = work == .cooling ? cooling - Self.swing : cooling + Self.swing
        if mayHeat, temperature < heatBelow { return .heating }
        if mayCool, temperature > coolAbove { return .cooling }
        return .idle
    }

    /// §4.3.8.6: bit 0 heats, bit 1 cools.
    private var runningState: UInt16 {
        switch work {
        case .idle: 0
        case .heating: 0x1
        case .cooling: 0x2
        }
    }

    private var runningMode: Thermostat.ThermostatRunningMode {
        switch work {
        case .idle: .off
        case .heating: .heat
        case .cooling: .cool
        }
    }

    private static let heatRange = 7_00...29_00
    private static let coolRange = 16_00...32_00
    private static let deadBand = 2_50
    private static let swing = 20
    /// §4.3.4
    private static let heatCoolAndAuto: UInt32 = 0x23
}

internal import Base
package import Matter

/// What a thermostat says of itself, and what can be asked of it. Application Clusters §4.3.
/// Temperatures are hundredths of a degree Celsius.
package struct ThermostatState: Equatable, Sendable {
    /// What it does at this moment.
    package enum Activity: String, Sendable {
        case heating, cooling, fan, idle
    }

    /// One of the two setpoints that people set.
    package enum Side: String, Sendable {
        case heat, cool
    }

    package var mode: OpenEnum<Thermostat.SystemMode>?
    package let activity: Activity?
    package let localTemperature: Int16?
    package var heatingSetpoint: Int16?
    package var coolingSetpoint: Int16?
    /// Of what it could do, in percent.
    package let heatingDemand: UInt8?
    package let coolingDemand: UInt8?
    /// The modes of the specification that it can have as far as its control sequence and its
    /// features say.
    package let modes: [Thermostat.SystemMode]
    private let heatingRange: ClosedRange<Int16>?
    private let coolingRange: ClosedRange<Int16>?

    init(_ reports: [AttributeReport], on endpoint: EndpointID) {
        mode = reports.value(Thermostat.systemMode, endpoint)
        localTemperature = reports.value(Thermostat.localTemperature, endpoint)?.value
        heatingSetpoint = reports.value(Thermostat.occupiedHeatingSetpoint, endpoint)
        coolingSetpoint = reports.value(Thermostat.occupiedCoolingSetpoint, endpoint)
        heatingDemand = reports.value(Thermostat.piHeatingDemand, endpoint)
        coolingDemand = reports.value(Thermostat.piCoolingDemand, endpoint)
        activity = Self.activity(reports, endpoint)
        let (heats, cools) = Self.abilities(reports, endpoint)
        let features = reports.value(Thermostat.featureMap, endpoint) ?? 0
        let isAutomatic = Thermostat.Feature(rawValue: features).contains(.autoMode)
        modes = Thermostat.SystemMode.allCases.filter { mode in
            switch mode {
            case .heat, .emergencyHeat: heats
            case .cool, .precooling: cools
            case .auto: isAutomatic
            case .off, .fanOnly, .dry, .sleep: true
            }
        }
        // The limits that hold without any attribute: Application Clusters §4.3.9.
        heatingRange =
            heats
            ? Self.range(
                reports, endpoint, (Thermostat.absMinHeatSetpointLimit, 700),
                (Thermostat.absMaxHeatSetpointLimit, 3000), Thermostat.minHeatSetpointLimit,
                Thermostat.maxHeatSetpointLimit) : nil
        coolingRange =
            cools
            ? Self.range(
                reports, endpoint, (Thermostat.absMinCoolSetpointLimit, 1600),
                (Thermostat.absMaxCoolSetpointLimit, 3200), Thermostat.minCoolSetpointLimit,
                Thermostat.maxCoolSetpointLimit) : nil
    }

    /// - Throws: `modeNotOffered`.
    package func check(_ mode: Thermostat.SystemMode) throws(ControlError) {
        guard modes.contains(mode) else { throw .modeNotOffered(mode, offered: modes) }
    }

    /// - Parameter temperature: in hundredths of a degree.
    /// - Throws: `cannot` and `setpointOutOfRange`.
    package func check(_ temperature: Int, _ side: Side) throws(ControlError) {
        guard let range = side == .heat ? heatingRange : coolingRange else { throw .cannot(side) }
        guard let setpoint = Int16(exactly: temperature), range.contains(setpoint) else {
            throw .setpointOutOfRange(side, range)
        }
    }

    /// Whether a setpoint of this side takes effect in the mode that it is in; true where the
    /// mode is not known.
    package func follows(_ side: Side) -> Bool {
        guard let mode = mode?.known else { return true }
        return switch mode {
        case .auto, .sleep: true
        case .heat, .emergencyHeat: side == .heat
        case .cool, .precooling: side == .cool
        case .off, .fanOnly, .dry: false
        }
    }
}

extension ThermostatState {
    /// By the relays where they are told, else by the running mode, else by the demands.
    private static func activity(
        _ reports: [AttributeReport], _ endpoint: EndpointID
    ) -> Activity? {
        if let state = reports.value(Thermostat.thermostatRunningState, endpoint) {
            let relays = Thermostat.RelayState(rawValue: state)
            if !relays.isDisjoint(with: [.heat, .heatStage2]) { return .heating }
            if !relays.isDisjoint(with: [.cool, .coolStage2]) { return .cooling }
            return relays.isDisjoint(with: [.fan, .fanStage2, .fanStage3]) ? .idle : .fan
        }
        switch reports.value(Thermostat.thermostatRunningMode, endpoint)?.known {
        case .heat?: return .heating
        case .cool?: return .cooling
        case .off?: return .idle
        case nil: break
        }
        let heating = reports.value(Thermostat.piHeatingDemand, endpoint)
        let cooling = reports.value(Thermostat.piCoolingDemand, endpoint)
        if let heating, heating > 0 { return .heating }
        if let cooling, cooling > 0 { return .cooling }
        return heating == nil && cooling == nil ? nil : .idle
    }

    /// Whether it heats and whether it cools: Application Clusters §4.3.9, and by its features
    /// where it does not say.
    private static func abilities(
        _ reports: [AttributeReport], _ endpoint: EndpointID
    ) -> (heats: Bool, cools: Bool) {
        switch reports.value(Thermostat.controlSequenceOfOperation, endpoint)?.known {
        case .coolingOnly?, .coolingWithReheat?: return (false, true)
        case .heatingOnly?, .heatingWithReheat?: return (true, false)
        case .coolingAndHeating?, .coolingAndHeatingWithReheat?: return (true, true)
        case nil: break
        }
        guard let map = reports.value(Thermostat.featureMap, endpoint) else { return (true, true) }
        let features = Thermostat.Feature(rawValue: map)
        return (features.contains(.heating), features.contains(.cooling))
    }

    private static func range(
        _ reports: [AttributeReport], _ endpoint: EndpointID,
        _ absoluteLow: (Attribute<Int16>, Int16), _ absoluteHigh: (Attribute<Int16>, Int16),
        _ low: Attribute<Int16>, _ high: Attribute<Int16>
    ) -> ClosedRange<Int16> {
        let least = reports.value(absoluteLow.0, endpoint) ?? absoluteLow.1
        let most = reports.value(absoluteHigh.0, endpoint) ?? absoluteHigh.1
        let lower = max(least, reports.value(low, endpoint) ?? least)
        let upper = min(most, reports.value(high, endpoint) ?? most)
        // A device that contradicts itself is left to say what it takes.
        return lower <= upper ? lower...upper : Int16.min...Int16.max
    }
}

/// Why a device is not even asked for something.
package enum ControlError: Error, Equatable {
    case modeNotOffered(Thermostat.SystemMode, offered: [Thermostat.SystemMode])
    /// A thermostat that only heats was to cool, or the reverse.
    case cannot(ThermostatState.Side)
    /// The range is in hundredths of a degree.
    case setpointOutOfRange(ThermostatState.Side, ClosedRange<Int16>)
    case fanModeNotOffered(FanControl.FanMode, offered: [FanControl.FanMode])
}

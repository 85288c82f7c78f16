package import Matter

/// What a device was told to do, for the people who watch it.
package enum ModelNote: Equatable, Sendable {
    package enum Appliance: String, Sendable {
        case light, plug
    }

    case power(Appliance, Bool)
    /// Of 100.
    case level(Int)
    case colorTemperature(kelvins: Int)
    /// 0.01 °C.
    case heatingSetpoint(Int16)
    case coolingSetpoint(Int16)
    case systemMode(OpenEnum<Thermostat.SystemMode>)
    case fanMode(OpenEnum<FanControl.FanMode>)
    /// Of 100.
    case fanSpeed(Int)
    case identify(seconds: UInt16)
    case effect(OpenEnum<Identify.EffectIdentifier>)

    /// "light on", "thermostat heat 21.0".
    package var text: String {
        switch self {
        case .power(let appliance, let isOn): "\(appliance.rawValue) \(isOn ? "on" : "off")"
        case .level(let percent): "light level \(percent)%"
        case .colorTemperature(let kelvins): "light color \(kelvins) K"
        case .heatingSetpoint(let value): "thermostat heat \(Self.degrees(value))"
        case .coolingSetpoint(let value): "thermostat cool \(Self.degrees(value))"
        case .systemMode(let mode): "thermostat mode \(mode.name)"
        case .fanMode(let mode): "fan \(mode.name)"
        case .fanSpeed(let percent): "fan speed \(percent)%"
        case .identify(let seconds): "identify \(seconds == 0 ? "off" : "\(seconds) s")"
        case .effect(let effect): "effect \(effect.name)"
        }
    }

    private static func degrees(_ hundredths: Int16) -> String {
        let text = Quantity.temperature.number(Int64(hundredths))
        return text.hasSuffix("0") ? String(text.dropLast()) : text
    }
}

/// What a model has to record for those who read or subscribe to events.
package enum ModelEvent: Equatable, Sendable {
    /// Application Clusters §1.7.5.1
    case stateChange(BooleanStateChange)
    /// Application Clusters §2.7.7.1
    case occupancyChanged(OccupancyChange)
    /// Application Clusters §2.12.7.1
    case energyMeasured(CumulativeEnergyMeasured)

    /// Events of all three clusters have this number.
    package static let id = EventID(0)

    package var cluster: ClusterID {
        switch self {
        case .stateChange: BooleanState.id
        case .occupancyChanged: OccupancySensing.id
        case .energyMeasured: ElectricalEnergyMeasurement.id
        }
    }
}

package struct BooleanStateChange: TLVStructure, Equatable, Sendable {
    package var stateValue = false

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "stateValue", &stateValue)
    }
}

package struct OccupancyChange: TLVStructure, Equatable, Sendable {
    /// Bit 0: occupied.
    package var occupancy: UInt8 = 0

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "occupancy", &occupancy)
    }
}

package struct CumulativeEnergyMeasured: TLVStructure, Equatable, Sendable {
    package var energyImported: ElectricalEnergyMeasurement.EnergyMeasurementStruct?

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "energyImported", &energyImported)
    }
}

/// What waits to be taken; when nobody takes it, the oldest goes.
struct BoundedQueue<Element: Sendable>: Sendable {
    private var waiting: [Element] = []

    mutating func append(_ element: Element) {
        if waiting.count == Limits.modelQueue { waiting.removeFirst() }
        waiting.append(element)
    }

    mutating func next() -> Element? { waiting.isEmpty ? nil : waiting.removeFirst() }
}

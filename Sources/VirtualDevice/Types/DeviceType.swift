internal import Base

/// What a virtual device can be, as its command line spells it.
package enum DeviceType: String, CaseIterable, Sendable {
    case light
    case dimmableLight = "dimmable-light"
    case colorLight = "color-light"
    case plug
    case temperature
    case humidity
    case contact
    case occupancy
    case thermostat
    case fan

    /// - Parameters:
    ///   - seed: of everything that moves by itself.
    ///   - secondOfDay: the time of day at `now`, for the weather.
    func model(seed: UInt64, secondOfDay: Int, at now: Instant) -> any DeviceModel {
        let noise = Noise(seed: seed)
        let day = DayClock(secondOfDay: secondOfDay, at: now)
        return switch self {
        case .light: Light(.onOff)
        case .dimmableLight: Light(.dimmable)
        case .colorLight: Light(.colorTemperature)
        case .plug: SmartPlug(noise: noise, at: now)
        case .temperature: TemperatureSensor(noise: noise, day: day, at: now)
        case .humidity: HumiditySensor(noise: noise, day: day, at: now)
        case .contact: ContactSensor()
        case .occupancy: OccupancySensor(noise: noise, at: now)
        case .thermostat: ThermostatDevice(noise: noise, day: day, at: now)
        case .fan: Fan()
        }
    }
}

internal import Base

extension Thermostat {
    /// Application Clusters §4.3.4
    package struct Feature: Bitmap {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let heating = Self(rawValue: 0x01)
        package static let cooling = Self(rawValue: 0x02)
        package static let occupancy = Self(rawValue: 0x04)
        package static let autoMode = Self(rawValue: 0x20)
        package static let localTemperatureNotExposed = Self(rawValue: 0x40)
    }

    /// What ThermostatRunningState tells of the relays. Application Clusters §4.3.8
    package struct RelayState: Bitmap {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let heat = Self(rawValue: 0x01)
        package static let cool = Self(rawValue: 0x02)
        package static let fan = Self(rawValue: 0x04)
        package static let heatStage2 = Self(rawValue: 0x08)
        package static let coolStage2 = Self(rawValue: 0x10)
        package static let fanStage2 = Self(rawValue: 0x20)
        package static let fanStage3 = Self(rawValue: 0x40)
    }
}

internal import Base
package import Matter

/// What a fan says of itself, and what can be asked of it. Application Clusters §4.4.
package struct FanState: Equatable, Sendable {
    package var mode: OpenEnum<FanControl.FanMode>?
    /// How fast it turns, in percent of the fastest.
    package let percentCurrent: UInt8?
    /// How fast it is to turn; nil while it decides by itself.
    package var percentSetting: UInt8?
    /// Those that it has; all that one may set where it does not say.
    package let modes: [FanControl.FanMode]

    init(_ reports: [AttributeReport], on endpoint: EndpointID) {
        mode = reports.value(FanControl.fanMode, endpoint)
        percentCurrent = reports.value(FanControl.percentCurrent, endpoint)
        percentSetting = reports.value(FanControl.percentSetting, endpoint)?.value
        modes =
            switch reports.value(FanControl.fanModeSequence, endpoint)?.known {
            case .offLowMedHigh?: [.off, .low, .medium, .high]
            case .offLowHigh?: [.off, .low, .high]
            case .offLowMedHighAuto?, nil: [.off, .low, .medium, .high, .auto]
            case .offLowHighAuto?: [.off, .low, .high, .auto]
            case .offHighAuto?: [.off, .high, .auto]
            case .offHigh?: [.off, .high]
            }
    }

    /// - Throws: `fanModeNotOffered`.
    package func check(_ mode: FanControl.FanMode) throws(ControlError) {
        guard modes.contains(mode) else { throw .fanModeNotOffered(mode, offered: modes) }
    }
}

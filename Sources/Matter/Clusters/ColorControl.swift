internal import Base

/// The colour of a light. Hue and saturation are 0 to 254, x and y 65536 times theirs. Application
/// Clusters §3.2  Color Control
package enum ColorControl: Cluster {
    package static let id = ClusterID(0x0300)
    package static let name: StaticString = "color-control"

    package static let currentHue = Attribute<UInt8>(id, 0x0000, "current-hue")
    package static let currentSaturation = Attribute<UInt8>(id, 0x0001, "current-saturation")
    package static let remainingTime = Attribute<UInt16>(
        id, 0x0002, "remaining-time", quantity: .tenthsOfSecond)
    package static let currentX = Attribute<UInt16>(id, 0x0003, "current-x")
    package static let currentY = Attribute<UInt16>(id, 0x0004, "current-y")
    package static let driftCompensation = Attribute<OpenEnum<DriftCompensation>>(
        id, 0x0005, "drift-compensation")
    package static let compensationText = Attribute<String>(id, 0x0006, "compensation-text")
    package static let colorTemperatureMireds = Attribute<UInt16>(
        id, 0x0007, "color-temperature-mireds", quantity: .mireds)
    package static let colorMode = Attribute<OpenEnum<ColorMode>>(id, 0x0008, "color-mode")
    package static let options = Attribute<UInt8>(id, 0x000F, "options", access: .readWrite)
    package static let numberOfPrimaries = Attribute<Nullable<UInt8>>(
        id, 0x0010, "number-of-primaries")
    package static let primary1X = Attribute<UInt16>(id, 0x0011, "primary1-x")
    package static let primary1Y = Attribute<UInt16>(id, 0x0012, "primary1-y")
    package static let primary1Intensity = Attribute<Nullable<UInt8>>(
        id, 0x0013, "primary1-intensity")
    package static let primary2X = Attribute<UInt16>(id, 0x0015, "primary2-x")
    package static let primary2Y = Attribute<UInt16>(id, 0x0016, "primary2-y")
    package static let primary2Intensity = Attribute<Nullable<UInt8>>(
        id, 0x0017, "primary2-intensity")
    package static let primary3X = Attribute<UInt16>(id, 0x0019, "primary3-x")
    package static let primary3Y = Attribute<UInt16>(id, 0x001A, "primary3-y")
    package static let primary3Intensity = Attribute<Nullable<UInt8>>(
        id, 0x001B, "primary3-intensity")
    package static let primary4X = Attribute<UInt16>(id, 0x0020, "primary4-x")
    package static let primary4Y = Attribute<UInt16>(id, 0x0021, "primary4-y")
    package static let primary4Intensity = Attribute<Nullable<UInt8>>(
        id, 0x0022, "primary4-intensity")
    package static let primary5X = Attribute<UInt16>(id, 0x0024, "primary5-x")
    package static let primary5Y = Attribute<UInt16>(id, 0x0025, "primary5-y")
    package static let primary5Intensity = Attribute<Nullable<UInt8>>(
        id, 0x0026, "primary5-intensity")
    package static let primary6X = Attribute<UInt16>(id, 0x0028, "primary6-x")
    package static let primary6Y = Attribute<UInt16>(id, 0x0029, "primary6-y")
    package static let primary6Intensity = Attribute<Nullable<UInt8>>(
        id, 0x002A, "primary6-intensity")
    package static let whitePointX = Attribute<UInt16>(
        id, 0x0030, "white-point-x", access: .readWrite)
    package static let whitePointY = Attribute<UInt16>(
        id, 0x0031, "white-point-y", access: .readWrite)
    package static let colorPointRX = Attribute<UInt16>(
        id, 0x0032, "color-point-rx", access: .readWrite)
    package static let colorPointRY = Attribute<UInt16>(
        id, 0x0033, "color-point-ry", access: .readWrite)
    package static let colorPointRIntensity = Attribute<Nullable<UInt8>>(
        id, 0x0034, "color-point-r-intensity", access: .readWrite)
    package static let colorPointGX = Attribute<UInt16>(
        id, 0x0036, "color-point-gx", access: .readWrite)
    package static let colorPointGY = Attribute<UInt16>(
        id, 0x0037, "color-point-gy", access: .readWrite)
    package static let colorPointGIntensity = Attribute<Nullable<UInt8>>(
        id, 0x0038, "color-point-g-intensity", access: .readWrite)
    package static let colorPointBX = Attribute<UInt16>(
        id, 0x003A, "color-point-bx", access: .readWrite)
    package static let colorPointBY = Attribute<UInt16>(
        id, 0x003B, "color-point-by", access: .readWrite)
    package static let colorPointBIntensity = Attribute<Nullable<UInt8>>(
        id, 0x003C, "color-point-b-intensity", access: .readWrite)
    package static let enhancedCurrentHue = Attribute<UInt16>(id, 0x4000, "enhanced-current-hue")
    package static let enhancedColorMode = Attribute<OpenEnum<EnhancedColorMode>>(
        id, 0x4001, "enhanced-color-mode")
    package static let colorLoopActive = Attribute<UInt16>(id, 0x4002, "color-loop-active")
    package static let colorLoopDirection = Attribute<UInt8>(id, 0x4003, "color-loop-direction")
    package static let colorLoopTime = Attribute<UInt16>(
        id, 0x4004, "color-loop-time", quantity: .seconds)
    package static let colorLoopStartEnhancedHue = Attribute<UInt16>(
        id, 0x4005, "color-loop-start-enhanced-hue")
    package static let colorLoopStoredEnhancedHue = Attribute<UInt16>(
        id, 0x4006, "color-loop-stored-enhanced-hue")
    package static let colorCapabilities = Attribute<UInt16>(id, 0x400A, "color-capabilities")
    package static let colorTempPhysicalMinMireds = Attribute<UInt16>(
        id, 0x400B, "color-temp-physical-min-mireds", quantity: .mireds)
    package static let colorTempPhysicalMaxMireds = Attribute<UInt16>(
        id, 0x400C, "color-temp-physical-max-mireds", quantity: .mireds)
    package static let coupleColorTempToLevelMinMireds = Attribute<UInt16>(
        id, 0x400D, "couple-color-temp-to-level-min-mireds", quantity: .mireds)
    package static let startUpColorTemperatureMireds = Attribute<Nullable<UInt16>>(
        id, 0x4010, "start-up-color-temperature-mireds", access: .readWrite, quantity: .mireds)

    package static let attributes = table(
        currentHue, currentSaturation, remainingTime, currentX, currentY, driftCompensation,
        compensationText, colorTemperatureMireds, colorMode, options, numberOfPrimaries, primary1X,
        primary1Y, primary1Intensity, primary2X, primary2Y, primary2Intensity, primary3X, primary3Y,
        primary3Intensity, primary4X, primary4Y, primary4Intensity, primary5X, primary5Y,
        primary5Intensity, primary6X, primary6Y, primary6Intensity, whitePointX, whitePointY,
        colorPointRX, colorPointRY, colorPointRIntensity, colorPointGX, colorPointGY,
        colorPointGIntensity, colorPointBX, colorPointBY, colorPointBIntensity, enhancedCurrentHue,
        enhancedColorMode, colorLoopActive, colorLoopDirection, colorLoopTime,
        colorLoopStartEnhancedHue, colorLoopStoredEnhancedHue, colorCapabilities,
        colorTempPhysicalMinMireds, colorTempPhysicalMaxMireds, coupleColorTempToLevelMinMireds,
        startUpColorTemperatureMireds)
    package static let commands = table(
        MoveToHue.self, MoveHue.self, StepHue.self, MoveToSaturation.self, MoveSaturation.self,
        StepSaturation.self, MoveToHueAndSaturation.self, MoveToColor.self, MoveColor.self,
        StepColor.self, MoveToColorTemperature.self, EnhancedMoveToHue.self, EnhancedMoveHue.self,
        EnhancedStepHue.self, EnhancedMoveToHueAndSaturation.self, ColorLoopSet.self,
        StopMoveStep.self, MoveColorTemperature.self, StepColorTemperature.self)
}

extension ColorControl {
    /// Application Clusters §3.2.6.4
    package enum DriftCompensation: UInt8, NamedNumber {
        case none = 0
        case otherOrUnknown = 1
        case temperatureMonitoring = 2
        case opticalLuminanceMonitoringAndFeedback = 3
        case opticalColorMonitoringAndFeedback = 4
    }

    /// Application Clusters §3.2.6.5
    package enum ColorMode: UInt8, NamedNumber {
        case currentHueAndCurrentSaturation = 0
        case currentXAndCurrentY = 1
        case colorTemperatureMireds = 2
    }

    /// Application Clusters §3.2.6.6
    package enum EnhancedColorMode: UInt8, NamedNumber {
        case currentHueAndCurrentSaturation = 0
        case currentXAndCurrentY = 1
        case colorTemperatureMireds = 2
        case enhancedCurrentHueAndCurrentSaturation = 3
    }

    /// Application Clusters §3.2.6.7
    package enum Direction: UInt8, NamedNumber {
        case shortest = 0
        case longest = 1
        case up = 2
        case down = 3
    }

    /// Application Clusters §3.2.6.8
    package enum MoveMode: UInt8, NamedNumber {
        case stop = 0
        case up = 1
        case down = 3
    }

    /// Application Clusters §3.2.6.9
    package enum StepMode: UInt8, NamedNumber {
        case up = 1
        case down = 3
    }

    /// Application Clusters §3.2.6.10
    package enum ColorLoopAction: UInt8, NamedNumber {
        case deactivate = 0
        case activateFromColorLoopStartEnhancedHue = 1
        case activateFromEnhancedCurrentHue = 2
    }

    /// Application Clusters §3.2.6.11
    package enum ColorLoopDirection: UInt8, NamedNumber {
        case decrement = 0
        case increment = 1
    }
}

internal import Base

/// What a node draws its power from. BatPercentRemaining counts halves of a percent.
/// Core §11.7  Power Source
package enum PowerSource: Cluster {
    package static let id = ClusterID(0x002F)
    package static let name: StaticString = "power-source"

    package static let status = Attribute<OpenEnum<PowerSourceStatus>>(id, 0x0000, "status")
    package static let order = Attribute<UInt8>(id, 0x0001, "order")
    package static let description = Attribute<String>(id, 0x0002, "description")
    package static let wiredAssessedInputVoltage = Attribute<Nullable<UInt32>>(
        id, 0x0003, "wired-assessed-input-voltage", quantity: .millivolts)
    package static let wiredAssessedInputFrequency = Attribute<Nullable<UInt16>>(
        id, 0x0004, "wired-assessed-input-frequency", quantity: .hertz)
    package static let wiredCurrentType = Attribute<OpenEnum<WiredCurrentType>>(
        id, 0x0005, "wired-current-type")
    package static let wiredAssessedCurrent = Attribute<Nullable<UInt32>>(
        id, 0x0006, "wired-assessed-current", quantity: .milliamperes)
    package static let wiredNominalVoltage = Attribute<UInt32>(
        id, 0x0007, "wired-nominal-voltage", quantity: .millivolts)
    package static let wiredMaximumCurrent = Attribute<UInt32>(
        id, 0x0008, "wired-maximum-current", quantity: .milliamperes)
    package static let wiredPresent = Attribute<Bool>(id, 0x0009, "wired-present")
    package static let activeWiredFaults = Attribute<[OpenEnum<WiredFault>]>(
        id, 0x000A, "active-wired-faults")
    package static let batVoltage = Attribute<Nullable<UInt32>>(
        id, 0x000B, "bat-voltage", quantity: .millivolts)
    package static let batPercentRemaining = Attribute<Nullable<UInt8>>(
        id, 0x000C, "bat-percent-remaining")
    package static let batTimeRemaining = Attribute<Nullable<UInt32>>(
        id, 0x000D, "bat-time-remaining", quantity: .seconds)
    package static let batChargeLevel = Attribute<OpenEnum<BatChargeLevel>>(
        id, 0x000E, "bat-charge-level")
    package static let batReplacementNeeded = Attribute<Bool>(id, 0x000F, "bat-replacement-needed")
    package static let batReplaceability = Attribute<OpenEnum<BatReplaceability>>(
        id, 0x0010, "bat-replaceability")
    package static let batPresent = Attribute<Bool>(id, 0x0011, "bat-present")
    package static let activeBatFaults = Attribute<[OpenEnum<BatFault>]>(
        id, 0x0012, "active-bat-faults")
    package static let batReplacementDescription = Attribute<String>(
        id, 0x0013, "bat-replacement-description")
    package static let batCommonDesignation = Attribute<UInt16>(
        id, 0x0014, "bat-common-designation")
    package static let batANSIDesignation = Attribute<String>(id, 0x0015, "bat-ansi-designation")
    package static let batIECDesignation = Attribute<String>(id, 0x0016, "bat-iec-designation")
    package static let batApprovedChemistry = Attribute<UInt16>(
        id, 0x0017, "bat-approved-chemistry")
    package static let batCapacity = Attribute<UInt32>(
        id, 0x0018, "bat-capacity", quantity: Quantity("mAh"))
    package static let batQuantity = Attribute<UInt8>(id, 0x0019, "bat-quantity")
    package static let batChargeState = Attribute<OpenEnum<BatChargeState>>(
        id, 0x001A, "bat-charge-state")
    package static let batTimeToFullCharge = Attribute<Nullable<UInt32>>(
        id, 0x001B, "bat-time-to-full-charge", quantity: .seconds)
    package static let batFunctionalWhileCharging = Attribute<Bool>(
        id, 0x001C, "bat-functional-while-charging")
    package static let batChargingCurrent = Attribute<Nullable<UInt32>>(
        id, 0x001D, "bat-charging-current", quantity: .milliamperes)
    package static let activeBatChargeFaults = Attribute<[OpenEnum<BatChargeFault>]>(
        id, 0x001E, "active-bat-charge-faults")
    package static let endpointList = Attribute<[EndpointID]>(id, 0x001F, "endpoint-list")

    package static let attributes = table(
        status, order, description, wiredAssessedInputVoltage, wiredAssessedInputFrequency,
        wiredCurrentType, wiredAssessedCurrent, wiredNominalVoltage, wiredMaximumCurrent,
        wiredPresent, activeWiredFaults, batVoltage, batPercentRemaining, batTimeRemaining,
        batChargeLevel, batReplacementNeeded, batReplaceability, batPresent, activeBatFaults,
        batReplacementDescription, batCommonDesignation, batANSIDesignation, batIECDesignation,
        batApprovedChemistry, batCapacity, batQuantity, batChargeState, batTimeToFullCharge,
        batFunctionalWhileCharging, batChargingCurrent, activeBatChargeFaults, endpointList)
    package static let commands: [CommandInfo] = []
}

extension PowerSource {
    /// Core §11.7.6.1
    package enum WiredFault: UInt8, NamedNumber {
        case unspecified = 0
        case overVoltage = 1
        case underVoltage = 2
    }

    /// Core §11.7.6.2
    package enum BatFault: UInt8, NamedNumber {
        case unspecified = 0
        case overTemp = 1
        case underTemp = 2
    }

    /// Core §11.7.6.3
    package enum BatChargeFault: UInt8, NamedNumber {
        case unspecified = 0
        case ambientTooHot = 1
        case ambientTooCold = 2
        case batteryTooHot = 3
        case batteryTooCold = 4
        case batteryAbsent = 5
        case batteryOverVoltage = 6
        case batteryUnderVoltage = 7
        case chargerOverVoltage = 8
        case chargerUnderVoltage = 9
        case safetyTimeout = 10
    }

    /// Core §11.7.6.4
    package enum PowerSourceStatus: UInt8, NamedNumber {
        case unspecified = 0
        case active = 1
        case standby = 2
        case unavailable = 3
    }

    /// Core §11.7.6.5
    package enum WiredCurrentType: UInt8, NamedNumber {
        case ac = 0
        case dc = 1
    }

    /// Core §11.7.6.6
    package enum BatChargeLevel: UInt8, NamedNumber {
        case ok = 0
        case warning = 1
        case critical = 2
    }

    /// Core §11.7.6.7
    package enum BatReplaceability: UInt8, NamedNumber {
        case unspecified = 0
        case notReplaceable = 1
        case userReplaceable = 2
        case factoryReplaceable = 3
    }

    /// Core §11.7.6.10
    package enum BatChargeState: UInt8, NamedNumber {
        case unknown = 0
        case isCharging = 1
        case isAtFullCharge = 2
        case isNotCharging = 3
    }
}

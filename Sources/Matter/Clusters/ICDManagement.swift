internal import Base

/// How a node that sleeps can be reached; only what reads is here. Core §9.17  ICD Management
package enum ICDManagement: Cluster {
    package static let id = ClusterID(0x0046)
    package static let name: StaticString = "icd-management"

    package static let idleModeDuration = Attribute<UInt32>(
        id, 0x0000, "idle-mode-duration", quantity: .seconds)
    package static let activeModeDuration = Attribute<UInt32>(
        id, 0x0001, "active-mode-duration", quantity: .milliseconds)
    package static let activeModeThreshold = Attribute<UInt16>(
        id, 0x0002, "active-mode-threshold", quantity: .milliseconds)
    package static let registeredClients = Attribute<[MonitoringRegistrationStruct]>(
        id, 0x0003, "registered-clients")
    package static let icdCounter = Attribute<UInt32>(id, 0x0004, "icd-counter")
    package static let clientsSupportedPerFabric = Attribute<UInt16>(
        id, 0x0005, "clients-supported-per-fabric")
    package static let userActiveModeTriggerHint = Attribute<UInt32>(
        id, 0x0006, "user-active-mode-trigger-hint")
    package static let userActiveModeTriggerInstruction = Attribute<String>(
        id, 0x0007, "user-active-mode-trigger-instruction")
    package static let operatingMode = Attribute<OpenEnum<OperatingMode>>(
        id, 0x0008, "operating-mode")
    package static let maximumCheckInBackOff = Attribute<UInt32>(
        id, 0x0009, "maximum-check-in-back-off", quantity: .seconds)

    package static let attributes = table(
        idleModeDuration, activeModeDuration, activeModeThreshold, registeredClients, icdCounter,
        clientsSupportedPerFabric, userActiveModeTriggerHint, userActiveModeTriggerInstruction,
        operatingMode, maximumCheckInBackOff)
    package static let commands: [CommandInfo] = []
}

extension ICDManagement {
    /// Core §9.17.5.3
    package struct MonitoringRegistrationStruct: TLVStructure, Hashable, Sendable {
        package var checkInNodeID = NodeID(0)
        package var monitoredSubject: UInt64 = 0
        package var clientType = OpenEnum(ClientType.permanent)
        package var fabricIndex: FabricIndex?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(1, "checkInNodeID", &checkInNodeID)
            try field(2, "monitoredSubject", &monitoredSubject)
            try field(4, "clientType", &clientType)
            try field(254, "fabricIndex", &fabricIndex)
        }
    }
}

extension ICDManagement {
    /// Core §9.17.5.1.1
    package enum ClientType: UInt8, NamedNumber {
        case permanent = 0
        case ephemeral = 1
    }

    /// Core §9.17.5.2
    package enum OperatingMode: UInt8, NamedNumber {
        case sit = 0
        case lit = 1
    }
}

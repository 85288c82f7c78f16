internal import Base

/// How a node fares. Core §11.12  General Diagnostics
package enum GeneralDiagnostics: Cluster {
    package static let id = ClusterID(0x0033)
    package static let name: StaticString = "general-diagnostics"

    package static let networkInterfaces = Attribute<[NetworkInterface]>(
        id, 0x0000, "network-interfaces")
    package static let rebootCount = Attribute<UInt16>(id, 0x0001, "reboot-count")
    package static let upTime = Attribute<UInt64>(id, 0x0002, "up-time", quantity: .seconds)
    package static let totalOperationalHours = Attribute<UInt32>(
        id, 0x0003, "total-operational-hours", quantity: Quantity("h"))
    package static let bootReason = Attribute<OpenEnum<BootReason>>(id, 0x0004, "boot-reason")
    package static let activeHardwareFaults = Attribute<[OpenEnum<HardwareFault>]>(
        id, 0x0005, "active-hardware-faults")
    package static let activeRadioFaults = Attribute<[OpenEnum<RadioFault>]>(
        id, 0x0006, "active-radio-faults")
    package static let activeNetworkFaults = Attribute<[OpenEnum<NetworkFault>]>(
        id, 0x0007, "active-network-faults")
    package static let testEventTriggersEnabled = Attribute<Bool>(
        id, 0x0008, "test-event-triggers-enabled")

    package static let attributes = table(
        networkInterfaces, rebootCount, upTime, totalOperationalHours, bootReason,
        activeHardwareFaults, activeRadioFaults, activeNetworkFaults, testEventTriggersEnabled)
    package static let commands = table(TimeSnapshot.self)
}

extension GeneralDiagnostics {
    /// Core §11.12.7.2
    package struct TimeSnapshot: FieldlessCommand, Equatable {
        package static let cluster = GeneralDiagnostics.id
        package static let id = CommandID(0x01)
        package static let name: StaticString = "time-snapshot"
        package typealias Response = TimeSnapshotResponse

        package init() {}
    }

    /// Core §11.12.7.3. Milliseconds since the start, and since 1970 where the node has a clock.
    package struct TimeSnapshotResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x02)

        package var systemTimeMs: UInt64 = 0
        package var posixTimeMs: Nullable<UInt64> = .null

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "systemTimeMs", &systemTimeMs)
            try field(1, "posixTimeMs", &posixTimeMs)
        }
    }
}

extension GeneralDiagnostics {
    /// Core §11.12.5.6. Addresses as their octets.
    package struct NetworkInterface: TLVStructure, Hashable, Sendable {
        package var name = ""
        package var isOperational = false
        package var offPremiseServicesReachableIPv4: Nullable<Bool> = .null
        package var offPremiseServicesReachableIPv6: Nullable<Bool> = .null
        package var hardwareAddress = Octets()
        package var ipv4Addresses: [Octets] = []
        package var ipv6Addresses: [Octets] = []
        package var type = OpenEnum(InterfaceType.unspecified)

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "name", &name)
            try field(1, "isOperational", &isOperational)
            try field(2, "offPremiseServicesReachableIPv4", &offPremiseServicesReachableIPv4)
            try field(3, "offPremiseServicesReachableIPv6", &offPremiseServicesReachableIPv6)
            try field(4, "hardwareAddress", &hardwareAddress)
            try field(5, "IPv4Addresses", &ipv4Addresses)
            try field(6, "IPv6Addresses", &ipv6Addresses)
            try field(7, "type", &type)
        }
    }
}

extension GeneralDiagnostics {
    /// Core §11.12.8.4: why the node has started.
    package struct BootReasonEvent: TLVStructure, Hashable, Sendable {
        package static let id = EventID(0x03)

        package var bootReason = OpenEnum(BootReason.unspecified)

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "bootReason", &bootReason)
        }
    }
}

extension GeneralDiagnostics {
    /// Core §11.12.5.1
    package enum HardwareFault: UInt8, NamedNumber {
        case unspecified = 0
        case radio = 1
        case sensor = 2
        case resettableOverTemp = 3
        case nonResettableOverTemp = 4
        case powerSource = 5
        case visualDisplayFault = 6
        case audioOutputFault = 7
        case userInterfaceFault = 8
        case nonVolatileMemoryError = 9
        case tamperDetected = 10
    }

    /// Core §11.12.5.2
    package enum RadioFault: UInt8, NamedNumber {
        case unspecified = 0
        case wiFiFault = 1
        case cellularFault = 2
        case threadFault = 3
        case nfcFault = 4
        case bleFault = 5
        case ethernetFault = 6
    }

    /// Core §11.12.5.3
    package enum NetworkFault: UInt8, NamedNumber {
        case unspecified = 0
        case hardwareFailure = 1
        case networkJammed = 2
        case connectionFailed = 3
    }

    /// Core §11.12.5.4
    package enum InterfaceType: UInt8, NamedNumber {
        case unspecified = 0
        case wiFi = 1
        case ethernet = 2
        case cellular = 3
        case thread = 4
    }

    /// Core §11.12.5.5
    package enum BootReason: UInt8, NamedNumber {
        case unspecified = 0
        case powerOnReboot = 1
        case brownOutReset = 2
        case softwareWatchdogReset = 3
        case hardwareWatchdogReset = 4
        case softwareUpdateCompleted = 5
        case softwareReset = 6
    }
}

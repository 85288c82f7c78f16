internal import Base

/// The frame of a commissioning: fail-safe, region, completion. Core §11.10  General Commissioning
package enum GeneralCommissioning: Cluster {
    package static let id = ClusterID(0x0030)
    package static let name: StaticString = "general-commissioning"

    package static let breadcrumb = Attribute<UInt64>(id, 0x0000, "breadcrumb", access: .readWrite)
    package static let basicCommissioningInfo = Attribute<BasicCommissioningInfo>(
        id, 0x0001, "basic-commissioning-info")
    package static let regulatoryConfig = Attribute<OpenEnum<RegulatoryLocationType>>(
        id, 0x0002, "regulatory-config")
    package static let locationCapability = Attribute<OpenEnum<RegulatoryLocationType>>(
        id, 0x0003, "location-capability")
    package static let supportsConcurrentConnection = Attribute<Bool>(
        id, 0x0004, "supports-concurrent-connection")
    package static let tcAcceptedVersion = Attribute<UInt16>(id, 0x0005, "tc-accepted-version")
    package static let tcMinRequiredVersion = Attribute<UInt16>(
        id, 0x0006, "tc-min-required-version")
    package static let tcAcknowledgements = Attribute<UInt16>(id, 0x0007, "tc-acknowledgements")
    package static let tcAcknowledgementsRequired = Attribute<Bool>(
        id, 0x0008, "tc-acknowledgements-required")
    package static let tcUpdateDeadline = Attribute<Nullable<UInt32>>(
        id, 0x0009, "tc-update-deadline")
    package static let recoveryIdentifier = Attribute<Octets>(id, 0x000A, "recovery-identifier")
    package static let networkRecoveryReason = Attribute<Nullable<OpenEnum<NetworkRecoveryReason>>>(
        id, 0x000B, "network-recovery-reason")

    package static let attributes = table(
        breadcrumb, basicCommissioningInfo, regulatoryConfig, locationCapability,
        supportsConcurrentConnection, tcAcceptedVersion, tcMinRequiredVersion, tcAcknowledgements,
        tcAcknowledgementsRequired, tcUpdateDeadline, recoveryIdentifier, networkRecoveryReason)
    package static let commands = table(
        ArmFailSafe.self, SetRegulatoryConfig.self, CommissioningComplete.self,
        SetTCAcknowledgements.self)
}

extension GeneralCommissioning {
    /// Core §11.10.7.2. Everything done under it is undone when it expires; 0 does so at once.
    package struct ArmFailSafe: Command, Equatable {
        package static let cluster = GeneralCommissioning.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "arm-fail-safe"
        package typealias Response = ArmFailSafeResponse

        package var expiryLengthSeconds: UInt16 = 0
        package var breadcrumb: UInt64 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "expiryLengthSeconds", &expiryLengthSeconds)
            try field(1, "breadcrumb", &breadcrumb)
        }
    }

    /// Core §11.10.7.3
    package struct ArmFailSafeResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x01)

        package var errorCode = OpenEnum(CommissioningError.ok)
        package var debugText = ""

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "errorCode", &errorCode)
            try field(1, "debugText", &debugText)
        }
    }

    /// Core §11.10.7.4. Country code: two letters of ISO 3166-1, "XX" for unknown.
    package struct SetRegulatoryConfig: Command, Equatable {
        package static let cluster = GeneralCommissioning.id
        package static let id = CommandID(0x02)
        package static let name: StaticString = "set-regulatory-config"
        package typealias Response = SetRegulatoryConfigResponse

        package var newRegulatoryConfig = OpenEnum(RegulatoryLocationType.indoor)
        package var countryCode = ""
        package var breadcrumb: UInt64 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "newRegulatoryConfig", &newRegulatoryConfig)
            try field(1, "countryCode", &countryCode)
            try field(2, "breadcrumb", &breadcrumb)
        }
    }

    /// Core §11.10.7.5
    package struct SetRegulatoryConfigResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x03)

        package var errorCode = OpenEnum(CommissioningError.ok)
        package var debugText = ""

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "errorCode", &errorCode)
            try field(1, "debugText", &debugText)
        }
    }

    /// Core §11.10.7.6
    package struct CommissioningComplete: FieldlessCommand, Equatable {
        package static let cluster = GeneralCommissioning.id
        package static let id = CommandID(0x04)
        package static let name: StaticString = "commissioning-complete"
        package typealias Response = CommissioningCompleteResponse

        package init() {}
    }

    /// Core §11.10.7.7
    package struct CommissioningCompleteResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x05)

        package var errorCode = OpenEnum(CommissioningError.ok)
        package var debugText = ""

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "errorCode", &errorCode)
            try field(1, "debugText", &debugText)
        }
    }

    /// Core §11.10.7.8
    package struct SetTCAcknowledgements: Command, Equatable {
        package static let cluster = GeneralCommissioning.id
        package static let id = CommandID(0x06)
        package static let name: StaticString = "set-tc-acknowledgements"
        package typealias Response = SetTCAcknowledgementsResponse

        package var tcVersion: UInt16 = 0
        package var tcUserResponse: UInt16 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "TCVersion", &tcVersion)
            try field(1, "TCUserResponse", &tcUserResponse)
        }
    }

    /// Core §11.10.7.9
    package struct SetTCAcknowledgementsResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x07)

        package var errorCode = OpenEnum(CommissioningError.ok)

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "errorCode", &errorCode)
        }
    }
}

extension GeneralCommissioning {
    /// Core §11.10.4
    package struct Feature: Bitmap {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let termsAndConditions = Self(rawValue: 0x1)
        package static let networkRecovery = Self(rawValue: 0x2)
    }

    /// Core §11.10.5.3
    package struct BasicCommissioningInfo: TLVStructure, Hashable, Sendable {
        package var failSafeExpiryLengthSeconds: UInt16 = 0
        package var maxCumulativeFailsafeSeconds: UInt16 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "failSafeExpiryLengthSeconds", &failSafeExpiryLengthSeconds)
            try field(1, "maxCumulativeFailsafeSeconds", &maxCumulativeFailsafeSeconds)
        }
    }

    /// Core §11.10.5.1
    package enum CommissioningError: UInt8, NamedNumber {
        case ok = 0
        case valueOutsideRange = 1
        case invalidAuthentication = 2
        case noFailSafe = 3
        case busyWithOtherAdmin = 4
        case requiredTCNotAccepted = 5
        case tcAcknowledgementsNotReceived = 6
        case tcMinVersionNotMet = 7
    }

    /// Core §11.10.5.2
    package enum RegulatoryLocationType: UInt8, NamedNumber {
        case indoor = 0
        case outdoor = 1
        case indoorOutdoor = 2
    }

    /// Provisional after Core 1.4: why the node asks to be recovered.
    package enum NetworkRecoveryReason: UInt8, NamedNumber {
        case unspecified = 0
        case auth = 1
        case visibility = 2
    }
}

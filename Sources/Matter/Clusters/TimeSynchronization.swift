internal import Base

/// A node's clock. Times count from 2000-01-01T00:00:00Z. Core §11.17  Time Synchronization
package enum TimeSynchronization: Cluster {
    package static let id = ClusterID(0x0038)
    package static let name: StaticString = "time-synchronization"

    package static let utcTime = Attribute<Nullable<UInt64>>(
        id, 0x0000, "utc-time", quantity: .microseconds)
    package static let granularity = Attribute<OpenEnum<Granularity>>(id, 0x0001, "granularity")
    package static let timeSource = Attribute<OpenEnum<TimeSource>>(id, 0x0002, "time-source")
    package static let trustedTimeSource = Attribute<Nullable<TrustedTimeSourceStruct>>(
        id, 0x0003, "trusted-time-source")
    package static let defaultNTP = Attribute<Nullable<String>>(id, 0x0004, "default-ntp")
    package static let timeZone = Attribute<[TimeZoneStruct]>(id, 0x0005, "time-zone")
    package static let dstOffset = Attribute<[DSTOffsetStruct]>(id, 0x0006, "dst-offset")
    package static let localTime = Attribute<Nullable<UInt64>>(
        id, 0x0007, "local-time", quantity: .microseconds)
    package static let timeZoneDatabase = Attribute<OpenEnum<TimeZoneDatabase>>(
        id, 0x0008, "time-zone-database")
    package static let ntpServerAvailable = Attribute<Bool>(id, 0x0009, "ntp-server-available")
    package static let timeZoneListMaxSize = Attribute<UInt8>(id, 0x000A, "time-zone-list-max-size")
    package static let dstOffsetListMaxSize = Attribute<UInt8>(
        id, 0x000B, "dst-offset-list-max-size")
    package static let supportsDNSResolve = Attribute<Bool>(id, 0x000C, "supports-dns-resolve")

    package static let attributes = table(
        utcTime, granularity, timeSource, trustedTimeSource, defaultNTP, timeZone, dstOffset,
        localTime, timeZoneDatabase, ntpServerAvailable, timeZoneListMaxSize, dstOffsetListMaxSize,
        supportsDNSResolve)
    package static let commands = table(
        SetUTCTime.self, SetTrustedTimeSource.self, SetTimeZone.self, SetDSTOffset.self,
        SetDefaultNTP.self)
}

extension TimeSynchronization {
    /// Core §11.17.9.1. Microseconds.
    package struct SetUTCTime: Command, Equatable {
        package static let cluster = TimeSynchronization.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "set-utc-time"

        package var utcTime: UInt64 = 0
        package var granularity = OpenEnum(Granularity.noTimeGranularity)
        package var timeSource: OpenEnum<TimeSource>?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "UTCTime", &utcTime)
            try field(1, "granularity", &granularity)
            try field(2, "timeSource", &timeSource)
        }
    }

    /// Core §11.17.9.2
    package struct SetTrustedTimeSource: Command, Equatable {
        package static let cluster = TimeSynchronization.id
        package static let id = CommandID(0x01)
        package static let name: StaticString = "set-trusted-time-source"

        package var trustedTimeSource: Nullable<FabricScopedTrustedTimeSourceStruct> = .null

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "trustedTimeSource", &trustedTimeSource)
        }
    }

    /// Core §11.17.9.3
    package struct SetTimeZone: Command, Equatable {
        package static let cluster = TimeSynchronization.id
        package static let id = CommandID(0x02)
        package static let name: StaticString = "set-time-zone"
        package typealias Response = SetTimeZoneResponse

        package var timeZone: [TimeZoneStruct] = []

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "timeZone", &timeZone)
        }
    }

    /// Core §11.17.9.4
    package struct SetTimeZoneResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x03)

        package var dstOffsetRequired = false

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "DSTOffsetRequired", &dstOffsetRequired)
        }
    }

    /// Core §11.17.9.5
    package struct SetDSTOffset: Command, Equatable {
        package static let cluster = TimeSynchronization.id
        package static let id = CommandID(0x04)
        package static let name: StaticString = "set-dst-offset"

        package var dstOffset: [DSTOffsetStruct] = []

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "DSTOffset", &dstOffset)
        }
    }

    /// Core §11.17.9.6. At most 128 octets; null removes it.
    package struct SetDefaultNTP: Command, Equatable {
        package static let cluster = TimeSynchronization.id
        package static let id = CommandID(0x05)
        package static let name: StaticString = "set-default-ntp"

        package var defaultNTP: Nullable<String> = .null

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "defaultNTP", &defaultNTP)
        }
    }
}

extension TimeSynchronization {
    /// Core §11.17.5
    package struct Feature: Bitmap {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let timeZone = Self(rawValue: 0x1)
        package static let ntpClient = Self(rawValue: 0x2)
        package static let ntpServer = Self(rawValue: 0x4)
        package static let timeSyncClient = Self(rawValue: 0x8)
    }

    /// Core §11.17.6.4
    package struct TrustedTimeSourceStruct: TLVStructure, Hashable, Sendable {
        package var fabricIndex = FabricIndex(0)
        package var nodeID = NodeID(0)
        package var endpoint = EndpointID(0)

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "fabricIndex", &fabricIndex)
            try field(1, "nodeID", &nodeID)
            try field(2, "endpoint", &endpoint)
        }
    }

    /// Core §11.17.6.5
    package struct FabricScopedTrustedTimeSourceStruct: TLVStructure, Hashable, Sendable {
        package var nodeID = NodeID(0)
        package var endpoint = EndpointID(0)

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "nodeID", &nodeID)
            try field(1, "endpoint", &endpoint)
        }
    }

    /// Core §11.17.6.6. Offset in seconds east of UTC; valid from this local microsecond on.
    package struct TimeZoneStruct: TLVStructure, Hashable, Sendable {
        package var offset: Int32 = 0
        package var validAt: UInt64 = 0
        package var name: String?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "offset", &offset)
            try field(1, "validAt", &validAt)
            try field(2, "name", &name)
        }
    }

    /// Core §11.17.6.7. Seconds to add between these microseconds; null: from then on.
    package struct DSTOffsetStruct: TLVStructure, Hashable, Sendable {
        package var offset: Int32 = 0
        package var validStarting: UInt64 = 0
        package var validUntil: Nullable<UInt64> = .null

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "offset", &offset)
            try field(1, "validStarting", &validStarting)
            try field(2, "validUntil", &validUntil)
        }
    }
}

extension TimeSynchronization {
    /// Core §11.17.6.1
    package enum Granularity: UInt8, NamedNumber {
        case noTimeGranularity = 0
        case minutesGranularity = 1
        case secondsGranularity = 2
        case millisecondsGranularity = 3
        case microsecondsGranularity = 4
    }

    /// Core §11.17.6.2
    package enum TimeSource: UInt8, NamedNumber {
        case none = 0
        case unknown = 1
        case admin = 2
        case nodeTimeCluster = 3
        case nonMatterSNTP = 4
        case nonMatterNTP = 5
        case matterSNTP = 6
        case matterNTP = 7
        case mixedNTP = 8
        case nonMatterSNTPNTS = 9
        case nonMatterNTPNTS = 10
        case matterSNTPNTS = 11
        case matterNTPNTS = 12
        case mixedNTPNTS = 13
        case cloudSource = 14
        case ptp = 15
        case gnss = 16
    }

    /// Core §11.17.6.3
    package enum TimeZoneDatabase: UInt8, NamedNumber {
        case full = 0
        case partial = 1
        case none = 2
    }

    /// Core §11.17.7.1, the cluster's own status
    package enum ClusterStatus: UInt8, NamedNumber {
        case timeNotAccepted = 2
    }
}

internal import Base
package import Crypto

/// The keys of a node's groups, for each fabric. Core §11.2  Group Key Management
package enum GroupKeyManagement: Cluster {
    package static let id = ClusterID(0x003F)
    package static let name: StaticString = "group-key-management"

    package static let groupKeyMap = Attribute<[GroupKeyMapStruct]>(
        id, 0x0000, "group-key-map", access: .readWrite)
    package static let groupTable = Attribute<[GroupInfoMapStruct]>(id, 0x0001, "group-table")
    package static let maxGroupsPerFabric = Attribute<UInt16>(
        id, 0x0002, "max-groups-per-fabric")
    package static let maxGroupKeysPerFabric = Attribute<UInt16>(
        id, 0x0003, "max-group-keys-per-fabric")

    package static let attributes = table(
        groupKeyMap, groupTable, maxGroupsPerFabric, maxGroupKeysPerFabric)
    package static let commands = table(
        KeySetWrite.self, KeySetRead.self, KeySetRemove.self, KeySetReadAllIndices.self)
}

extension GroupKeyManagement {
    /// Core §11.2.7.1
    package struct KeySetWrite: Command {
        package static let cluster = GroupKeyManagement.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "key-set-write"

        package var groupKeySet = GroupKeySetStruct()

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "groupKeySet", &groupKeySet)
        }
    }

    /// Core §11.2.7.2
    package struct KeySetRead: Command, Equatable {
        package static let cluster = GroupKeyManagement.id
        package static let id = CommandID(0x01)
        package static let name: StaticString = "key-set-read"
        package typealias Response = KeySetReadResponse

        package var groupKeySetID: UInt16 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "groupKeySetID", &groupKeySetID)
        }
    }

    /// Core §11.2.7.3. Keys are null: they never leave the node.
    package struct KeySetReadResponse: ResponseCommand {
        package static let id = CommandID(0x02)

        package var groupKeySet = GroupKeySetStruct()

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "groupKeySet", &groupKeySet)
        }
    }

    /// Core §11.2.7.4
    package struct KeySetRemove: Command, Equatable {
        package static let cluster = GroupKeyManagement.id
        package static let id = CommandID(0x03)
        package static let name: StaticString = "key-set-remove"

        package var groupKeySetID: UInt16 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "groupKeySetID", &groupKeySetID)
        }
    }

    /// Core §11.2.7.5
    package struct KeySetReadAllIndices: FieldlessCommand, Equatable {
        package static let cluster = GroupKeyManagement.id
        package static let id = CommandID(0x04)
        package static let name: StaticString = "key-set-read-all-indices"
        package typealias Response = KeySetReadAllIndicesResponse

        package init() {}
    }

    /// Core §11.2.7.6
    package struct KeySetReadAllIndicesResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x05)

        package var groupKeySetIDs: [UInt16] = []

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "groupKeySetIDs", &groupKeySetIDs)
        }
    }
}

extension GroupKeyManagement {
    /// Core §11.2.4
    package struct Feature: Bitmap {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let cacheAndSync = Self(rawValue: 0x1)
    }

    /// Core §11.2.5.4. Epoch keys have 16 octets; their times are in microseconds.
    package struct GroupKeySetStruct: TLVStructure, Sendable {
        package var groupKeySetID: UInt16 = 0
        package var groupKeySecurityPolicy = OpenEnum(GroupKeySecurityPolicy.trustFirst)
        package var epochKey0: Nullable<Secret> = .null
        package var epochStartTime0: Nullable<UInt64> = .null
        package var epochKey1: Nullable<Secret> = .null
        package var epochStartTime1: Nullable<UInt64> = .null
        package var epochKey2: Nullable<Secret> = .null
        package var epochStartTime2: Nullable<UInt64> = .null

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "groupKeySetID", &groupKeySetID)
            try field(1, "groupKeySecurityPolicy", &groupKeySecurityPolicy)
            try field(2, "epochKey0", &epochKey0)
            try field(3, "epochStartTime0", &epochStartTime0)
            try field(4, "epochKey1", &epochKey1)
            try field(5, "epochStartTime1", &epochStartTime1)
            try field(6, "epochKey2", &epochKey2)
            try field(7, "epochStartTime2", &epochStartTime2)
        }
    }

    /// Core §11.2.5.3
    package struct GroupKeyMapStruct: TLVStructure, Hashable, Sendable {
        package var groupID: UInt16 = 0
        package var groupKeySetID: UInt16 = 0
        package var fabricIndex: FabricIndex?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(1, "groupId", &groupID)
            try field(2, "groupKeySetID", &groupKeySetID)
            try field(254, "fabricIndex", &fabricIndex)
        }
    }

    /// Core §11.2.5.5
    package struct GroupInfoMapStruct: TLVStructure, Hashable, Sendable {
        package var groupID: UInt16 = 0
        package var endpoints: [EndpointID] = []
        package var groupName: String?
        package var fabricIndex: FabricIndex?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(1, "groupId", &groupID)
            try field(2, "endpoints", &endpoints)
            try field(3, "groupName", &groupName)
            try field(254, "fabricIndex", &fabricIndex)
        }
    }

    /// Core §11.2.5.1
    package enum GroupKeySecurityPolicy: UInt8, NamedNumber {
        case trustFirst = 0
        case cacheAndSync = 1
    }
}

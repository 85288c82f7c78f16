internal import Base

/// Who may do what on a node. Core §9.10  Access Control
package enum AccessControl: Cluster {
    package static let id = ClusterID(0x001F)
    package static let name: StaticString = "access-control"

    package static let acl = Attribute<[AccessControlEntryStruct]>(
        id, 0x0000, "acl", access: .readWrite)
    package static let `extension` = Attribute<[AccessControlExtensionStruct]>(
        id, 0x0001, "extension", access: .readWrite)
    package static let subjectsPerAccessControlEntry = Attribute<UInt16>(
        id, 0x0002, "subjects-per-access-control-entry")
    package static let targetsPerAccessControlEntry = Attribute<UInt16>(
        id, 0x0003, "targets-per-access-control-entry")
    package static let accessControlEntriesPerFabric = Attribute<UInt16>(
        id, 0x0004, "access-control-entries-per-fabric")
    package static let commissioningARL = Attribute<[CommissioningAccessRestrictionEntryStruct]>(
        id, 0x0005, "commissioning-arl")
    package static let arl = Attribute<[AccessRestrictionEntryStruct]>(id, 0x0006, "arl")

    package static let attributes = table(
        acl, `extension`, subjectsPerAccessControlEntry, targetsPerAccessControlEntry,
        accessControlEntriesPerFabric, commissioningARL, arl)
    package static let commands = table(ReviewFabricRestrictions.self)
}

extension AccessControl {
    /// Core §9.10.8.1
    package struct ReviewFabricRestrictions: Command, Equatable {
        package static let cluster = AccessControl.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "review-fabric-restrictions"
        package typealias Response = ReviewFabricRestrictionsResponse

        package var arl: [CommissioningAccessRestrictionEntryStruct] = []

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "arl", &arl)
        }
    }

    /// Core §9.10.8.2
    package struct ReviewFabricRestrictionsResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x01)

        package var token: UInt64 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "token", &token)
        }
    }
}

extension AccessControl {
    /// Core §9.10.5.6. Subjects are node ids, CATs or group ids; null subjects are everyone, null
    /// targets everything.
    package struct AccessControlEntryStruct: TLVStructure, Hashable, Sendable {
        package var privilege = OpenEnum(Privilege.view)
        package var authMode = OpenEnum(AuthMode.case)
        package var subjects: Nullable<[UInt64]> = .null
        package var targets: Nullable<[AccessControlTargetStruct]> = .null
        package var fabricIndex: FabricIndex?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(1, "privilege", &privilege)
            try field(2, "authMode", &authMode)
            try field(3, "subjects", &subjects)
            try field(4, "targets", &targets)
            try field(254, "fabricIndex", &fabricIndex)
        }
    }

    /// Core §9.10.5.5
    package struct AccessControlTargetStruct: TLVStructure, Hashable, Sendable {
        package var cluster: Nullable<ClusterID> = .null
        package var endpoint: Nullable<EndpointID> = .null
        package var deviceType: Nullable<DeviceTypeID> = .null

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "cluster", &cluster)
            try field(1, "endpoint", &endpoint)
            try field(2, "deviceType", &deviceType)
        }
    }

    /// Core §9.10.5.7
    package struct AccessControlExtensionStruct: TLVStructure, Hashable, Sendable {
        package var data = Octets()
        package var fabricIndex: FabricIndex?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(1, "data", &data)
            try field(254, "fabricIndex", &fabricIndex)
        }
    }

    /// Core §9.10.5.8
    package struct AccessRestrictionStruct: TLVStructure, Hashable, Sendable {
        package var type = OpenEnum(AccessRestrictionType.attributeAccessForbidden)
        package var id: Nullable<UInt32> = .null

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "type", &type)
            try field(1, "id", &id)
        }
    }

    /// Core §9.10.5.9
    package struct AccessRestrictionEntryStruct: TLVStructure, Hashable, Sendable {
        package var endpoint = EndpointID(0)
        package var cluster = ClusterID(0)
        package var restrictions: [AccessRestrictionStruct] = []
        package var fabricIndex: FabricIndex?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "endpoint", &endpoint)
            try field(1, "cluster", &cluster)
            try field(2, "restrictions", &restrictions)
            try field(254, "fabricIndex", &fabricIndex)
        }
    }

    /// Core §9.10.5.10
    package struct CommissioningAccessRestrictionEntryStruct: TLVStructure, Hashable, Sendable {
        package var endpoint = EndpointID(0)
        package var cluster = ClusterID(0)
        package var restrictions: [AccessRestrictionStruct] = []

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "endpoint", &endpoint)
            try field(1, "cluster", &cluster)
            try field(2, "restrictions", &restrictions)
        }
    }
}

extension AccessControl {
    /// Core §9.10.5.2
    package enum Privilege: UInt8, NamedNumber {
        case view = 1
        case proxyView = 2
        case operate = 3
        case manage = 4
        case administer = 5
    }

    /// Core §9.10.5.4
    package enum AuthMode: UInt8, NamedNumber {
        case pase = 1
        case `case` = 2
        case group = 3
    }

    /// Core §9.10.5.3
    package enum AccessRestrictionType: UInt8, NamedNumber {
        case attributeAccessForbidden = 0
        case attributeWriteForbidden = 1
        case commandForbidden = 2
        case eventForbidden = 3
    }
}

internal import Base

/// Which groups an endpoint belongs to; only what reads is here. Application Clusters §1.3  Groups
package enum Groups: Cluster {
    package static let id = ClusterID(0x0004)
    package static let name: StaticString = "groups"

    package static let nameSupport = Attribute<UInt8>(id, 0x0000, "name-support")

    package static let attributes = table(nameSupport)
    package static let commands = table(ViewGroup.self, GetGroupMembership.self)
}

extension Groups {
    /// Application Clusters §1.3.7.2
    package struct ViewGroup: Command, Equatable {
        package static let cluster = Groups.id
        package static let id = CommandID(0x01)
        package static let name: StaticString = "view-group"
        package typealias Response = ViewGroupResponse

        package var groupID: UInt16 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "groupID", &groupID)
        }
    }

    /// Application Clusters §1.3.7.8
    package struct ViewGroupResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x01)

        package var status: UInt8 = 0
        package var groupID: UInt16 = 0
        package var groupName: String = ""

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "status", &status)
            try field(1, "groupID", &groupID)
            try field(2, "groupName", &groupName)
        }
    }

    /// Application Clusters §1.3.7.3
    package struct GetGroupMembership: Command, Equatable {
        package static let cluster = Groups.id
        package static let id = CommandID(0x02)
        package static let name: StaticString = "get-group-membership"
        package typealias Response = GetGroupMembershipResponse

        package var groupList: [UInt16] = []

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "groupList", &groupList)
        }
    }

    /// Application Clusters §1.3.7.9
    package struct GetGroupMembershipResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x02)

        package var capacity: Nullable<UInt8> = .null
        package var groupList: [UInt16] = []

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "capacity", &capacity)
            try field(1, "groupList", &groupList)
        }
    }
}

internal import Base
internal import Matter

/// Groups without room for a member: every answer is one that the specification has for a device
/// without the group's key. Application Clusters §1.3.
struct GroupsServer: Sendable {
    static func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        table.add(
            Groups.self, on: endpoint, revision: 4,
            commands: [
                AddGroup.id, Groups.ViewGroup.id, Groups.GetGroupMembership.id, RemoveGroup.id,
                RemoveAllGroups.id, AddGroupIfIdentifying.id,
            ],
            responses: [
                AddGroupResponse.id, Groups.ViewGroupResponse.id,
                Groups.GetGroupMembershipResponse.id, RemoveGroupResponse.id,
            ])
        table.set(Groups.nameSupport, 0, on: endpoint)
    }

    static func invoke(
        _ command: ModelCommand, isIdentifying: Bool
    ) throws(Refused) -> InvocationAnswer {
        switch command.command {
        case AddGroup.id:
            let group = try command.decoded(AddGroup.self).groupID
            return .response(
                AddGroupResponse(status(.unsupportedAccess, group), groupID: group))
        case Groups.ViewGroup.id:
            var answer = Groups.ViewGroupResponse()
            answer.groupID = try command.decoded(Groups.ViewGroup.self).groupID
            answer.status = status(.notFound, answer.groupID)
            return .response(answer)
        case Groups.GetGroupMembership.id:
            _ = try command.decoded(Groups.GetGroupMembership.self)
            var answer = Groups.GetGroupMembershipResponse()
            answer.capacity = .value(0)
            return .response(answer)
        case RemoveGroup.id:
            let group = try command.decoded(RemoveGroup.self).groupID
            return .response(RemoveGroupResponse(status(.notFound, group), groupID: group))
        case RemoveAllGroups.id: return .success
        case AddGroupIfIdentifying.id:
            let group = try command.decoded(AddGroupIfIdentifying.self).groupID
            if group == 0 { throw Refused(.constraintError) }
            if isIdentifying { throw Refused(.unsupportedAccess) }
            return .success
        default: throw Refused(.unsupportedCommand)
        }
    }

    /// Group 0 is none.
    private static func status(_ status: InteractionStatus, _ group: UInt16) -> UInt8 {
        (group == 0 ? InteractionStatus.constraintError : status).rawValue
    }
}

// What changes groups; a gateway has no use for it, so that it stands here alone.

/// Application Clusters §1.3.7.1
struct AddGroup: Command {
    static let cluster = Groups.id
    static let id = CommandID(0x00)
    static let name: StaticString = "add-group"

    var groupID: UInt16 = 0
    var groupName = ""

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "groupID", &groupID)
        try field(1, "groupName", &groupName)
    }
}

/// Application Clusters §1.3.7.7
struct AddGroupResponse: ResponseCommand, Equatable {
    static let id = CommandID(0x00)

    var status: UInt8 = 0
    var groupID: UInt16 = 0

    init() {}

    init(_ status: UInt8, groupID: UInt16) {
        self.status = status
        self.groupID = groupID
    }

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "status", &status)
        try field(1, "groupID", &groupID)
    }
}

/// Application Clusters §1.3.7.4
struct RemoveGroup: Command {
    static let cluster = Groups.id
    static let id = CommandID(0x03)
    static let name: StaticString = "remove-group"

    var groupID: UInt16 = 0

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "groupID", &groupID)
    }
}

/// Application Clusters §1.3.7.10
struct RemoveGroupResponse: ResponseCommand, Equatable {
    static let id = CommandID(0x03)

    var status: UInt8 = 0
    var groupID: UInt16 = 0

    init() {}

    init(_ status: UInt8, groupID: UInt16) {
        self.status = status
        self.groupID = groupID
    }

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "status", &status)
        try field(1, "groupID", &groupID)
    }
}

/// Application Clusters §1.3.7.5
struct RemoveAllGroups: FieldlessCommand {
    static let cluster = Groups.id
    static let id = CommandID(0x04)
    static let name: StaticString = "remove-all-groups"
}

/// Application Clusters §1.3.7.6
struct AddGroupIfIdentifying: Command {
    static let cluster = Groups.id
    static let id = CommandID(0x05)
    static let name: StaticString = "add-group-if-identifying"

    var groupID: UInt16 = 0
    var groupName = ""

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "groupID", &groupID)
        try field(1, "groupName", &groupName)
    }
}

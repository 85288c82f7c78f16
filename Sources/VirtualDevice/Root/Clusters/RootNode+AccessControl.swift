internal import Base
internal import Matter

/// Core §9.10: what an administrator may write into the access control list.
extension RootNode {
    private typealias Entry = AccessControl.AccessControlEntryStruct

    mutating func accessControl(_ write: RootWrite) throws(RootRefusal) {
        guard let fabric = write.accessor.fabricIndex else {
            throw RootRefusal(.unsupportedAccess)
        }
        switch write.path.attribute {
        case AccessControl.acl.id:
            let entries = try write.decoded(AccessControl.acl)
            let own = entries.filter { $0.fabricIndex == fabric }
            guard own.count <= Limits.accessControlEntries else {
                throw RootRefusal(.resourceExhausted)
            }
            for entry in own { try Self.check(entry) }
            let before = stored.acl.filter { $0.fabricIndex == fabric }
            stored.acl = entries
            tell(before, own, write.accessor, fabric)
        case AccessControl.extension.id:
            let extensions = try write.decoded(AccessControl.extension)
            let own = extensions.filter { $0.fabricIndex == fabric }
            guard own.count <= Limits.extensions,
                own.allSatisfy({ $0.data.bytes.count <= Limits.extensionOctets })
            else { throw RootRefusal(.constraintError) }
            stored.extensions = extensions
        default: throw RootRefusal(.unsupportedWrite)
        }
    }

    /// Core §9.10.5.6: what an entry may be.
    private static func check(_ entry: Entry) throws(RootRefusal) {
        guard let privilege = entry.privilege.known, let mode = entry.authMode.known,
            mode != .pase, mode == .case || privilege != .administer
        else { throw RootRefusal(.constraintError) }
        let subjects = entry.subjects.value ?? []
        let targets = entry.targets.value ?? []
        guard subjects.count <= Limits.subjects, targets.count <= Limits.targets else {
            throw RootRefusal(.resourceExhausted)
        }
        for subject in subjects {
            let isValid = mode == .case ? isNodeOrTag(subject) : isGroup(subject)
            guard isValid else { throw RootRefusal(.constraintError) }
        }
        for target in targets {
            let (endpoint, type) = (target.endpoint.value, target.deviceType.value)
            guard endpoint != nil || type != nil || target.cluster.value != nil,
                endpoint == nil || type == nil
            else { throw RootRefusal(.constraintError) }
        }
    }

    private static func isNodeOrTag(_ subject: UInt64) -> Bool {
        if NodeID(subject).isOperational { return true }
        let tag = CASEAuthenticatedTag(UInt32(truncatingIfNeeded: subject))
        return tag.subject.rawValue == subject && tag.isValid
    }

    private static func isGroup(_ subject: UInt64) -> Bool { (1...0xFFFF).contains(subject) }

    /// Core §9.10.9.1: an event for each entry that came, changed or went.
    private mutating func tell(
        _ before: [Entry], _ after: [Entry], _ accessor: Accessor, _ fabric: FabricIndex
    ) {
        for place in 0..<max(before.count, after.count) {
            let old = place < before.count ? before[place] : nil
            let new = place < after.count ? after[place] : nil
            guard old != new, let latest = new ?? old else { continue }
            var event = AccessControlEntryChanged.added(latest, by: accessor, fabric)
            if new == nil { event.changeType = .init(.removed) }
            if old != nil, new != nil { event.changeType = .init(.changed) }
            add(.event(.accessControlEntryChanged(event)))
        }
    }
}

/// Core §9.10.9.1.
struct AccessControlEntryChanged: TLVStructure, Hashable, Sendable {
    static let id = EventID(0x00)

    var adminNodeID: Nullable<NodeID> = .null
    var adminPasscodeID: Nullable<UInt16> = .null
    var changeType = OpenEnum(ChangeType.added)
    var latestValue: Nullable<AccessControl.AccessControlEntryStruct> = .null
    var fabricIndex: FabricIndex?

    /// Core §9.10.5.1.
    enum ChangeType: UInt8, NamedNumber {
        case changed = 0
        case added = 1
        case removed = 2
    }

    init() {}

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(1, "adminNodeID", &adminNodeID)
        try field(2, "adminPasscodeID", &adminPasscodeID)
        try field(3, "changeType", &changeType)
        try field(4, "latestValue", &latestValue)
        try field(254, "fabricIndex", &fabricIndex)
    }

    static func added(
        _ entry: AccessControl.AccessControlEntryStruct, by accessor: Accessor,
        _ fabric: FabricIndex
    ) -> AccessControlEntryChanged {
        AccessControlEntryChanged {
            switch accessor.subject {
            case .pase: $0.adminPasscodeID = .value(0)
            case .node(let node, _): $0.adminNodeID = .value(node)
            }
            $0.latestValue = .value(entry)
            $0.fabricIndex = fabric
        }
    }
}

internal import Base
internal import Matter

extension AccessControl {
    /// Whether a list, as it is to be written, leaves this node in charge of everything.
    /// Core §9.10.5.6: an entry that administers, by CASE, for this subject and all targets.
    static func administers(_ node: NodeID, _ value: EncodedElement) -> Bool {
        guard let entries = try? value.decoded(as: [AccessControlEntryStruct].self) else {
            return false
        }
        return entries.contains { entry in
            guard entry.privilege == OpenEnum(.administer), entry.authMode == OpenEnum(.case),
                entry.targets.value?.isEmpty ?? true
            else { return false }
            return entry.subjects.value?.contains(node.rawValue) ?? false
        }
    }
}

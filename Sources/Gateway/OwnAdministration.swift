internal import Base
internal import Matter

extension AccessControl {
    /// Whether a list, as it is to be written, leaves this node in charge of everything.
    /// Core §9.10.5.6: an entry that administers, by CASE, for this subject and all targets.
    static func administers(_ node: NodeID, _ value: EncodedElement) -> Bool {
        guard let entries = try? value.decoded(as: [AccessControlEntryStruct].self) else {
            return false
        }
        return entries.contains { administers(node, $0) }
    }

    /// The same list with the entry that leaves this node in charge before the others, whose
    /// order has no meaning: a long list is written in parts, and the first one must hold it.
    static func ownFirst(_ node: NodeID, _ value: EncodedElement) -> EncodedElement {
        guard var items = try? value.decoded(as: [EncodedElement].self),
            let own = items.firstIndex(where: { item in
                (try? item.decoded(as: AccessControlEntryStruct.self))
                    .map { administers(node, $0) } ?? false
            })
        else { return value }
        items.insert(items.remove(at: own), at: 0)
        return (try? EncodedElement(items)) ?? value
    }

    private static func administers(_ node: NodeID, _ entry: AccessControlEntryStruct) -> Bool {
        guard entry.privilege == OpenEnum(.administer), entry.authMode == OpenEnum(.case),
            entry.targets.value?.isEmpty ?? true
        else { return false }
        return entry.subjects.value?.contains(node.rawValue) ?? false
    }
}

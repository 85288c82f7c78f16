/// A mark in a node's certificate by which access can be granted to many nodes: an identifier in
/// the upper 16 bits and a version, counted from 1, in the lower. Core §6.6.2.1.2.
package struct CASEAuthenticatedTag: Identifier {
    package let rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }

    package var identifier: UInt16 { UInt16(truncatingIfNeeded: rawValue >> 16) }
    package var version: UInt16 { UInt16(truncatingIfNeeded: rawValue) }
    package var isValid: Bool { version != 0 }

    /// The subject that names this tag in an access control entry, Core §2.5.5.5.
    package var subject: NodeID { NodeID(0xFFFF_FFFD_0000_0000 | UInt64(rawValue)) }

    /// A tag grants what is granted to its identifier at the same or an earlier version.
    package func satisfies(_ required: CASEAuthenticatedTag) -> Bool {
        identifier == required.identifier && version >= required.version
    }

    /// Each identifier at most once, no version 0, at most three. Core §6.6.2.1.2.
    static func areValid(_ tags: [CASEAuthenticatedTag]) -> Bool {
        tags.count <= Limits.caseAuthenticatedTags && tags.allSatisfy(\.isValid)
            && Set(tags.map(\.identifier)).count == tags.count
    }
}

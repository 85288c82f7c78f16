/// Who asks something of a node, and over which session. Core §6.6.2.
package struct Accessor: Equatable, Sendable {
    package enum Subject: Equatable, Sendable {
        /// A commissioner that knows the passcode.
        case pase
        case node(NodeID, cats: [CASEAuthenticatedTag])
    }

    package let subject: Subject
    /// Nil over PASE until AddNOC, the new fabric's from then on. Core §11.18.6.8.
    package let fabricIndex: FabricIndex?
    package let session: SessionHandle

    package init(subject: Subject, fabricIndex: FabricIndex?, session: SessionHandle) {
        self.subject = subject
        self.fabricIndex = fabricIndex
        self.session = session
    }

    /// Whether both are the same node of the same fabric, whatever the session.
    func isSameSubject(as other: Accessor) -> Bool {
        guard fabricIndex == other.fabricIndex else { return false }
        switch (subject, other.subject) {
        case (.pase, .pase): return session == other.session
        case (.node(let left, _), .node(let right, _)): return left == right
        default: return false
        }
    }
}

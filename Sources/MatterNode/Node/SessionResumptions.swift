package import Matter

/// What is kept of sessions, so that the next one with the same node needs no certificates.
/// Core §4.14.2.2. Hints only: one that is lost or old costs a full handshake.
package protocol SessionResumptions: AnyObject, Sendable {
    func resumption(of nodeID: NodeID) -> SessionResumption?
    /// Replaces the one of its peer.
    func keep(_ resumption: SessionResumption)
    /// The one of the node led to a failure.
    func forget(_ nodeID: NodeID)
}

/// Those of our nodes, in the store.
package final class StoredResumptions: SessionResumptions {
    private let store: any Store

    package init(_ store: any Store) {
        self.store = store
    }

    // A store that fails is found out by what matters more.

    package func resumption(of nodeID: NodeID) -> SessionResumption? {
        (try? store.resumption(of: nodeID)) ?? nil
    }

    package func keep(_ resumption: SessionResumption) { try? store.save(resumption) }
    package func forget(_ nodeID: NodeID) { try? store.removeResumption(of: nodeID) }
}

/// That of a node which is not in the store yet.
final class HeldResumption: SessionResumptions, @unchecked Sendable {
    private(set) var held: SessionResumption?

    func resumption(of nodeID: NodeID) -> SessionResumption? { held }
    func keep(_ resumption: SessionResumption) { held = resumption }
    func forget(_ nodeID: NodeID) { held = nil }
}

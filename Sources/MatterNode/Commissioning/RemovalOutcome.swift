internal import Base
internal import Matter

/// What became of telling a device that it was given up.
package enum RemovalOutcome: Sendable, Equatable {
    /// It has let go of us.
    case told
    /// It says that it does not know us: it was reset, or told before.
    case unknownToDevice
    /// It is not there, or did not do it: to be tried again.
    case pending
}

extension Commissioner {
    /// Tells a device that it was given up, if it is there. Core §11.18.6.12.
    package func settle(_ removal: PendingRemoval) async throws(StoreError) -> RemovalOutcome {
        let outcome = await tell(removal)
        if outcome != .pending { try store.endRemoval(removal.nodeID) }
        return outcome
    }

    private func tell(_ removal: PendingRemoval) async -> RemovalOutcome {
        let peer: Peer
        do throws(ConnectionError) {
            peer = try await reach(removal.nodeID, hint: removal.lastAddress)
        } catch { return error.isOfStranger ? .unknownToDevice : .pending }
        let isTold = await peer.removeFabric(removal.fabricIndex)
        // A device that has let go of us has ended the session, too.
        if isTold { await node.end(peer.session) } else { await peer.close() }
        return isTold ? .told : .pending
    }
}

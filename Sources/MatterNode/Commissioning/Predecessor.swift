internal import Base
internal import Matter

extension Commissioner {
    /// Stores the node that a run has made, and ends the run, in one transaction.
    ///
    /// The node takes the place of the one that a person named, or of the same device as it was
    /// before it was reset: then it has that one's history, and its name and room where it was
    /// given none.
    func keep(
        _ node: NodeRecord, ending run: RunRecord
    ) async throws(CommissioningError) -> NodeRecord {
        var node = node
        let old = try await predecessor(of: node, run)
        var predecessor: Predecessor?
        if let old {
            if node.name.isEmpty { node.name = old.name }
            if node.room.isEmpty { node.room = old.room }
            node.historyID = old.historyID
            predecessor =
                run.replaces == old.nodeID
                ? .replaced(PendingRemoval(old, since: clock.unixSeconds() ?? 0))
                : .reset(old.nodeID)
        }
        do throws(StoreError) {
            try store.complete(run, with: node, inPlaceOf: predecessor)
        } catch { throw CommissioningError(.store, .store(error)) }
        if let old { tookPlace(old) }
        return node
    }

    private func predecessor(
        of node: NodeRecord, _ run: RunRecord
    ) async throws(CommissioningError) -> NodeRecord? {
        let nodes: [NodeRecord]
        do throws(StoreError) { nodes = try store.nodes() } catch {
            throw CommissioningError(.store, .store(error))
        }
        if let replaced = run.replaces { return nodes.first { $0.nodeID == replaced } }
        guard !node.serialNumber.isEmpty else { return nil }
        let same = nodes.filter {
            $0.vendorID == node.vendorID && $0.productID == node.productID
                && $0.serialNumber == node.serialNumber && $0.nodeID != node.nodeID
        }
        // A maker that gives one number to several of its devices has told nothing by it.
        guard same.count == 1, let old = same.first else { return nil }
        return try await isThere(old) ? nil : old
    }

    /// Whether a node answers as the one that it was: then another device has its number.
    private func isThere(_ old: NodeRecord) async throws(CommissioningError) -> Bool {
        do throws(ConnectionError) {
            let peer = try await reach(old.nodeID, hint: old.lastAddress)
            await peer.close()
            return true
        } catch .cancelled {
            throw CommissioningError(.store, .cancelled)
        } catch { return false }
    }
}

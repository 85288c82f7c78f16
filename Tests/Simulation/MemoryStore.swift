package import Matter
package import MatterNode

/// A store in memory that can fail on demand. A call that fails changes nothing.
package final class MemoryStore: Store, @unchecked Sendable {
    /// The calls that fail, counted from 1 over the store's life.
    package var failing: Set<Int> = []
    package var failure = StoreError.full
    /// What was called, in order; those that failed too.
    package private(set) var calls: [String] = []

    private var fabricRecord: FabricRecord?
    private var nodeRecords: [NodeRecord] = []
    private var runRecords: [RunRecord] = []
    private var removalRecords: [PendingRemoval] = []
    private var eventRecords: [EventRecord] = []
    private var resumptions: [NodeID: SessionResumption] = [:]

    package init() {}

    package let notice: String? = nil

    /// Without counting as a call.
    package var storedNodes: [NodeRecord] { nodeRecords }
    package var storedRuns: [RunRecord] { runRecords }
    package var storedRemovals: [PendingRemoval] { removalRecords }
    package var storedResumptions: [SessionResumption] { Array(resumptions.values) }

    private func call(_ name: String) throws(StoreError) {
        calls.append(name)
        if failing.contains(calls.count) { throw failure }
    }

    package func fabric() throws(StoreError) -> FabricRecord? {
        try call("fabric")
        return fabricRecord
    }

    package func save(_ fabric: FabricRecord) throws(StoreError) {
        try call("save fabric")
        fabricRecord = fabric
    }

    package func nodes() throws(StoreError) -> [NodeRecord] {
        try call("nodes")
        return nodeRecords
    }

    package func save(_ node: NodeRecord) throws(StoreError) {
        try call("save node")
        put(node)
    }

    package func removeNode(_ nodeID: NodeID) throws(StoreError) {
        try call("remove node")
        drop(nodeID)
    }

    package func resumption(of nodeID: NodeID) throws(StoreError) -> SessionResumption? {
        try call("resumption")
        return resumptions[nodeID]
    }

    package func save(_ resumption: SessionResumption) throws(StoreError) {
        try call("save resumption")
        let nodeID = resumption.peer.nodeID
        guard nodeRecords.contains(where: { $0.nodeID == nodeID }) else { return }
        resumptions[nodeID] = resumption
    }

    package func removeResumption(of nodeID: NodeID) throws(StoreError) {
        try call("remove resumption")
        resumptions[nodeID] = nil
    }

    package func complete(
        _ run: RunRecord, with node: NodeRecord, inPlaceOf predecessor: Predecessor?
    ) throws(StoreError) {
        try call("complete")
        put(node)
        runRecords.removeAll { $0.nodeID == run.nodeID }
        switch predecessor {
        case nil: break
        case .reset(let nodeID): drop(nodeID)
        case .replaced(let removal): put(removal)
        }
    }

    package func runs() throws(StoreError) -> [RunRecord] {
        try call("runs")
        return runRecords
    }

    package func save(_ run: RunRecord) throws(StoreError) {
        try call("save run")
        runRecords.removeAll { $0.nodeID == run.nodeID }
        runRecords.append(run)
    }

    package func endRun(_ nodeID: NodeID) throws(StoreError) {
        try call("end run")
        runRecords.removeAll { $0.nodeID == nodeID }
    }

    package func removals() throws(StoreError) -> [PendingRemoval] {
        try call("removals")
        return removalRecords
    }

    package func save(_ removal: PendingRemoval) throws(StoreError) {
        try call("save removal")
        put(removal)
    }

    package func endRemoval(_ nodeID: NodeID) throws(StoreError) {
        try call("end removal")
        removalRecords.removeAll { $0.nodeID == nodeID }
    }

    package func append(_ event: EventRecord) throws(StoreError) {
        try call("append event")
        eventRecords.append(event)
    }

    package func events(limit: Int) throws(StoreError) -> [EventRecord] {
        try call("events")
        return Array(eventRecords.reversed().prefix(limit))
    }

    package func checkWritable() throws(StoreError) { try call("check writable") }

    private func put(_ removal: PendingRemoval) {
        drop(removal.nodeID)
        runRecords.removeAll { $0.nodeID == removal.nodeID }
        removalRecords.removeAll { $0.nodeID == removal.nodeID }
        removalRecords = (removalRecords + [removal]).suffix(PendingRemoval.bound)
    }

    private func drop(_ nodeID: NodeID) {
        nodeRecords.removeAll { $0.nodeID == nodeID }
        resumptions[nodeID] = nil
    }

    private func put(_ node: NodeRecord) {
        if let index = nodeRecords.firstIndex(where: { $0.nodeID == node.nodeID }) {
            nodeRecords[index] = node
        } else {
            nodeRecords.append(node)
        }
    }
}

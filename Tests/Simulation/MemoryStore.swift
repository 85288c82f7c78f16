package import Base
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
    private var eventRecords: [EventRecord] = []
    private var resumptions: [NodeID: SessionResumption] = [:]
    private var settingRecords: [SettingRecord] = []
    private var authorityRecords: [AuthorityRecord] = []

    package init() {}

    package let notice: String? = nil

    /// Without counting as a call.
    package var storedNodes: [NodeRecord] { nodeRecords }
    package var storedRuns: [RunRecord] { runRecords }
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
        nodeRecords.removeAll { $0.nodeID == nodeID }
        resumptions[nodeID] = nil
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

    package func complete(_ run: RunRecord, with node: NodeRecord) throws(StoreError) {
        try call("complete")
        put(node)
        runRecords.removeAll { $0.nodeID == run.nodeID }
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

    package func append(_ event: EventRecord) throws(StoreError) {
        try call("append event")
        eventRecords.append(event)
    }

    package func events(limit: Int) throws(StoreError) -> [EventRecord] {
        try call("events")
        return Array(eventRecords.reversed().prefix(limit))
    }

    package func settings() throws(StoreError) -> [SettingRecord] {
        try call("settings")
        return settingRecords
    }

    package func save(_ setting: SettingRecord) throws(StoreError) {
        try call("save setting")
        settingRecords.removeAll { $0.key == setting.key }
        settingRecords.append(setting)
    }

    package func removeSetting(_ key: String) throws(StoreError) {
        try call("remove setting")
        settingRecords.removeAll { $0.key == key }
    }

    package func authorities() throws(StoreError) -> [AuthorityRecord] {
        try call("authorities")
        return authorityRecords
    }

    package func save(_ authorities: [AuthorityRecord]) throws(StoreError) {
        try call("save authorities")
        for authority in authorities {
            authorityRecords.removeAll { $0.keyID == authority.keyID }
            authorityRecords.append(authority)
        }
    }

    package func removeAuthority(_ keyID: FixedBytes<20>) throws(StoreError) {
        try call("remove authority")
        authorityRecords.removeAll { $0.keyID == keyID }
    }

    package func replaceContent(with content: StoreContent) throws(StoreError) -> String? {
        try call("replace content")
        let hadContent = fabricRecord != nil
        fabricRecord = content.fabric
        nodeRecords = content.nodes
        settingRecords = content.settings
        authorityRecords = content.authorities
        runRecords = []
        resumptions = [:]
        return hadContent ? "memory.replaced" : nil
    }

    package func checkWritable() throws(StoreError) { try call("check writable") }

    private func put(_ node: NodeRecord) {
        if let index = nodeRecords.firstIndex(where: { $0.nodeID == node.nodeID }) {
            nodeRecords[index] = node
        } else {
            nodeRecords.append(node)
        }
    }
}

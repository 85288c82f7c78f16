package import Base
package import Matter
package import MatterNode

/// What stores in memory hold: it outlives the process that has it open.
package final class MemoryMedium: @unchecked Sendable {
    package fileprivate(set) var fabric: FabricRecord?
    package fileprivate(set) var nodes: [NodeRecord] = []
    package fileprivate(set) var runs: [RunRecord] = []
    package fileprivate(set) var removals: [PendingRemoval] = []
    package fileprivate(set) var events: [EventRecord] = []
    package fileprivate(set) var resumptions: [NodeID: SessionResumption] = [:]
    package fileprivate(set) var settings: [SettingRecord] = []
    package fileprivate(set) var authorities: [AuthorityRecord] = []
    package fileprivate(set) var alerts: [AlertRecord] = []
    package fileprivate(set) var networks = NetworksRecord()

    package init() {}
}

/// A store in memory that can fail on demand, and that a process loses when it is killed. A call
/// that fails changes nothing.
package final class MemoryStore: Store, @unchecked Sendable {
    /// The calls that fail, counted from 1 over the store's life.
    package var failing: Set<Int> = []
    package var failure = StoreError.full
    /// What was called, in order; those that failed too.
    package private(set) var calls: [String] = []
    /// A run of days calls without end.
    package var keepsCalls = true
    /// Called with the number of each write, from 1, before and after it is made.
    package var onWrite: WriteHook = { (_, _) throws(StoreError) in }
    package private(set) var writes = 0
    /// From now on the process that had it is gone: every call fails and nothing changes.
    package var isCut = false
    private let medium: MemoryMedium

    package typealias WriteHook = (_ number: Int, _ isDone: Bool) throws(StoreError) -> Void

    package init(_ medium: MemoryMedium = MemoryMedium()) { self.medium = medium }

    /// One more process with the same medium.
    package init(of other: MemoryStore) { medium = other.medium }

    package let notice: String? = nil

    /// Without counting as a call.
    package var storedNodes: [NodeRecord] { medium.nodes }
    package var storedRuns: [RunRecord] { medium.runs }
    package var storedRemovals: [PendingRemoval] { medium.removals }
    package var storedResumptions: [SessionResumption] { Array(medium.resumptions.values) }

    private func call(_ name: String) throws(StoreError) {
        try checkPresence()
        if keepsCalls { calls.append(name) }
        if failing.contains(calls.count) { throw failure }
    }

    private func write(_ name: String, _ body: () -> Void) throws(StoreError) {
        try call(name)
        writes += 1
        let number = writes
        try onWrite(number, false)
        try checkPresence()
        body()
        try onWrite(number, true)
        try checkPresence()
    }

    private func checkPresence() throws(StoreError) {
        if isCut { throw .inUse }
    }

    package func fabric() throws(StoreError) -> FabricRecord? {
        try call("fabric")
        return medium.fabric
    }

    package func save(_ fabric: FabricRecord) throws(StoreError) {
        try write("save fabric") { medium.fabric = fabric }
    }

    package func alerts() throws(StoreError) -> [AlertRecord] {
        try call("alerts")
        return medium.alerts
    }

    package func save(_ alert: AlertRecord) throws(StoreError) {
        try write("save alert") {
            medium.alerts.removeAll { $0.id == alert.id }
            medium.alerts.append(alert)
        }
    }

    package func removeAlert(_ id: UInt32) throws(StoreError) {
        try write("remove alert") { medium.alerts.removeAll { $0.id == id } }
    }

    package func nodes() throws(StoreError) -> [NodeRecord] {
        try call("nodes")
        return medium.nodes
    }

    package func save(_ node: NodeRecord) throws(StoreError) {
        try write("save node") { put(node) }
    }

    package func removeNode(_ nodeID: NodeID) throws(StoreError) {
        try write("remove node") { drop(nodeID) }
    }

    package func resumption(of nodeID: NodeID) throws(StoreError) -> SessionResumption? {
        try call("resumption")
        return medium.resumptions[nodeID]
    }

    package func save(_ resumption: SessionResumption) throws(StoreError) {
        try write("save resumption") {
            let nodeID = resumption.peer.nodeID
            guard medium.nodes.contains(where: { $0.nodeID == nodeID }) else { return }
            medium.resumptions[nodeID] = resumption
        }
    }

    package func removeResumption(of nodeID: NodeID) throws(StoreError) {
        try write("remove resumption") { medium.resumptions[nodeID] = nil }
    }

    package func complete(
        _ run: RunRecord, with node: NodeRecord, inPlaceOf predecessor: Predecessor?
    ) throws(StoreError) {
        try write("complete") {
            put(node)
            medium.runs.removeAll { other in
                let isSameDevice =
                    !node.serialNumber.isEmpty && other.serialNumber == node.serialNumber
                    && other.vendorName == node.vendorName && other.productName == node.productName
                return other.nodeID == run.nodeID || isSameDevice
            }
            medium.removals.removeAll { $0.nodeID == node.nodeID }
            switch predecessor {
            case nil: break
            case .reset(let nodeID): drop(nodeID)
            case .replaced(let removal): put(removal)
            }
        }
    }

    package func runs() throws(StoreError) -> [RunRecord] {
        try call("runs")
        return medium.runs
    }

    package func save(_ run: RunRecord) throws(StoreError) {
        try write("save run") {
            medium.runs.removeAll { $0.nodeID == run.nodeID }
            medium.runs.append(run)
        }
    }

    package func endRun(_ nodeID: NodeID) throws(StoreError) {
        try write("end run") { medium.runs.removeAll { $0.nodeID == nodeID } }
    }

    package func removals() throws(StoreError) -> [PendingRemoval] {
        try call("removals")
        return medium.removals
    }

    package func save(_ removal: PendingRemoval) throws(StoreError) {
        try write("save removal") { put(removal) }
    }

    package func endRemoval(_ nodeID: NodeID) throws(StoreError) {
        try write("end removal") { medium.removals.removeAll { $0.nodeID == nodeID } }
    }

    package func append(_ event: EventRecord) throws(StoreError) {
        try write("append event") { medium.events.append(event) }
    }

    package func events(limit: Int) throws(StoreError) -> [EventRecord] {
        try call("events")
        return Array(medium.events.reversed().prefix(limit))
    }

    package func settings() throws(StoreError) -> [SettingRecord] {
        try call("settings")
        return medium.settings
    }

    package func save(_ setting: SettingRecord) throws(StoreError) {
        try write("save setting") {
            medium.settings.removeAll { $0.key == setting.key }
            medium.settings.append(setting)
        }
    }

    package func removeSetting(_ key: String) throws(StoreError) {
        try write("remove setting") { medium.settings.removeAll { $0.key == key } }
    }

    package func authorities() throws(StoreError) -> [AuthorityRecord] {
        try call("authorities")
        return medium.authorities
    }

    package func save(_ authorities: [AuthorityRecord]) throws(StoreError) {
        try write("save authorities") {
            for authority in authorities {
                medium.authorities.removeAll { $0.keyID == authority.keyID }
                medium.authorities.append(authority)
            }
        }
    }

    package func removeAuthority(_ keyID: FixedBytes<20>) throws(StoreError) {
        try write("remove authority") { medium.authorities.removeAll { $0.keyID == keyID } }
    }

    package func networks() throws(StoreError) -> NetworksRecord {
        try call("networks")
        return medium.networks
    }

    package func save(_ networks: NetworksRecord) throws(StoreError) {
        try write("save networks") { medium.networks = networks }
    }

    package func replaceContent(with content: StoreContent) throws(StoreError) -> String? {
        let hadContent = medium.fabric != nil
        try write("replace content") {
            medium.fabric = content.fabric
            medium.nodes = content.nodes
            medium.settings = content.settings
            medium.authorities = content.authorities
            medium.networks = content.networks
            medium.alerts = content.alerts
            medium.runs = []
            medium.removals = []
            medium.resumptions = [:]
        }
        return hadContent ? "memory.replaced" : nil
    }

    package func checkWritable() throws(StoreError) { try call("check writable") }

    package func checkIntegrity() throws(StoreError) { try call("check integrity") }

    private func put(_ removal: PendingRemoval) {
        drop(removal.nodeID)
        medium.runs.removeAll { $0.nodeID == removal.nodeID }
        medium.removals.removeAll { $0.nodeID == removal.nodeID }
        medium.removals = (medium.removals + [removal]).suffix(PendingRemoval.bound)
    }

    private func drop(_ nodeID: NodeID) {
        medium.nodes.removeAll { $0.nodeID == nodeID }
        medium.resumptions[nodeID] = nil
    }

    private func put(_ node: NodeRecord) {
        if let index = medium.nodes.firstIndex(where: { $0.nodeID == node.nodeID }) {
            medium.nodes[index] = node
        } else {
            medium.nodes.append(node)
        }
    }
}

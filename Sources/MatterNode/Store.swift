package import Base
package import Matter

/// What is kept at rest. Every call has reached the medium when it returns, save those of
/// resumptions.
package protocol Store: AnyObject, Sendable {
    func fabric() throws(StoreError) -> FabricRecord?
    func save(_ fabric: FabricRecord) throws(StoreError)

    /// All nodes in the order in which they were commissioned.
    func nodes() throws(StoreError) -> [NodeRecord]
    /// Inserts the node, or replaces the one with its id.
    func save(_ node: NodeRecord) throws(StoreError)
    /// Removes the node with its resumption.
    func removeNode(_ nodeID: NodeID) throws(StoreError)
    /// The node and the end of its run, in one transaction: stored whole or not at all. Earlier
    /// runs at the same device, by its serial number, end with it, for the device has nothing of
    /// them; and so does a removal of this node.
    /// - Parameter predecessor: whose place the node takes; it goes in the same transaction.
    func complete(
        _ run: RunRecord, with node: NodeRecord, inPlaceOf predecessor: Predecessor?
    ) throws(StoreError)

    /// What is left of the last session with a node; nil also when it was damaged.
    func resumption(of nodeID: NodeID) throws(StoreError) -> SessionResumption?
    /// Replaces the one of its peer; does nothing for a peer that is none of our nodes. It is a
    /// hint: a power cut may bring back an earlier one.
    func save(_ resumption: SessionResumption) throws(StoreError)
    func removeResumption(of nodeID: NodeID) throws(StoreError)

    /// The oldest first.
    func runs() throws(StoreError) -> [RunRecord]
    func save(_ run: RunRecord) throws(StoreError)
    func endRun(_ nodeID: NodeID) throws(StoreError)

    /// Those that were given up here and that their devices do not know of yet; the oldest first.
    func removals() throws(StoreError) -> [PendingRemoval]
    /// Keeps the removal, or replaces the one of its node id. In the same transaction the node of
    /// that id goes with its resumption, and so does its run. The oldest removals go when there
    /// are more than `PendingRemoval.bound`.
    func save(_ removal: PendingRemoval) throws(StoreError)
    func endRemoval(_ nodeID: NodeID) throws(StoreError)

    /// Appends; the oldest go when there are more than the store's bound.
    func append(_ event: EventRecord) throws(StoreError)
    /// The newest first.
    func events(limit: Int) throws(StoreError) -> [EventRecord]

    /// What was set by people; nothing for what was left as it is.
    func settings() throws(StoreError) -> [SettingRecord]
    /// Replaces the value of its key.
    func save(_ setting: SettingRecord) throws(StoreError)
    func removeSetting(_ key: String) throws(StoreError)

    /// The authorities that people added, in the order in which they did.
    func authorities() throws(StoreError) -> [AuthorityRecord]
    /// All of them in one transaction; one whose key id is there already replaces that.
    func save(_ authorities: [AuthorityRecord]) throws(StoreError)
    func removeAuthority(_ keyID: FixedBytes<20>) throws(StoreError)

    /// What devices without a network are given.
    func networks() throws(StoreError) -> NetworksRecord
    /// Replaces both; a network that is nil is forgotten.
    func save(_ networks: NetworksRecord) throws(StoreError)

    /// The limits that people set, in the order of their numbers.
    func alerts() throws(StoreError) -> [AlertRecord]
    /// Inserts the limit, or replaces the one with its number.
    func save(_ alert: AlertRecord) throws(StoreError)
    func removeAlert(_ id: UInt32) throws(StoreError)

    /// Puts all this in the place of what is kept, in one transaction. Resumptions, runs and
    /// removals end; events stay.
    /// - Returns: where what was kept before is left aside, if there was anything to keep.
    func replaceContent(with content: StoreContent) throws(StoreError) -> String?

    /// Proves by a transaction of its own that a write would succeed now.
    func checkWritable() throws(StoreError)
    /// Reads all of it.
    /// - Throws: `damaged` when it does not hold together.
    func checkIntegrity() throws(StoreError)
    /// What the store did at its opening that people must know (a copy was used), if anything.
    var notice: String? { get }
}

extension Store {
    package func complete(_ run: RunRecord, with node: NodeRecord) throws(StoreError) {
        try complete(run, with: node, inPlaceOf: nil)
    }
}

package enum StoreError: Error, Equatable {
    /// The folder or file cannot be made or opened; the system's error number.
    case cannotOpen(errno: Int32)
    /// Another process has the store.
    case inUse
    /// The file is damaged and no good copy exists.
    case damaged
    /// Written by a newer version; it is left as it is.
    case tooNew(version: Int)
    case full
    case readOnly
    /// Any other failure; SQLite's extended result code.
    case failed(code: Int32)
}

internal import Base
package import Matter
package import MatterNode

/// The store in one SQLite file, with a last good copy beside it.
///
/// Every call has reached the medium when it returns, save those of resumptions. The copy is
/// renewed after every change of fabric or nodes; steps of a run, events and resumptions alone
/// do not renew it. While the store is open it is this process's alone. Its state belongs to
/// the loop's thread, as the loop's own does.
package final class SQLiteStore: Store, @unchecked Sendable {
    /// What happened at the opening that people must know.
    package let notice: String?
    /// Why the copy is older than the store, if it is; tried again with the next change.
    package private(set) var copyFailure: StoreError?

    let files: StoreFiles
    let database: Database
    let statements: StoreStatements
    /// The last member goes last: the store is given up when the file is closed.
    private let lock: Descriptor

    /// Opens the store, or makes it when there is none.
    /// - Parameter path: the database; its folder is made when only that is missing.
    package convenience init(path: String) throws(StoreError) {
        try self.init(path: path, pages: Limits.databasePages) { _ in }
    }

    /// - Parameters:
    ///   - pages: the bound of the file, in pages of 4 KiB.
    ///   - observe: told after every step that a crash could follow.
    init(
        path: String, pages: Int, patience: Duration = Limits.lockPatience,
        observe: @escaping (StoreStep) -> Void
    ) throws(StoreError) {
        files = StoreFiles(database: path, observe: observe)
        try files.makeFolder()
        lock = try files.takeLock(patience: patience)
        let opened = try StoreOpening(files: files).open()
        database = opened.database
        notice = opened.notice
        statements = try StoreStatements(database)
        try database.execute("PRAGMA max_page_count = \(pages)")
        if opened.isCopyOld { renewCopy() }
        if let notice {
            try append(
                EventRecord(time: WallClock.now, kind: .storeRecovered, node: nil, text: notice))
        }
    }

    /// Moves a store that is damaged and has no good copy out of the way of one that is to be
    /// restored. No process has it open.
    /// - Returns: the new name of the database, without its folder.
    package static func setAside(path: String) throws(StoreError) -> String {
        let files = StoreFiles(database: path) { _ in }
        let lock = try files.takeLock(patience: Limits.lockPatience)
        let name = try files.setAsideAll()
        _ = consume lock
        return name
    }

    /// Removes a store with all its copies, for a factory reset. No process has it open.
    package static func erase(path: String) throws(StoreError) {
        let files = StoreFiles(database: path) { _ in }
        let lock = try files.takeLock(patience: Limits.lockPatience)
        try files.erase()
        _ = consume lock
    }

    // MARK: Fabric

    package func fabric() throws(StoreError) -> FabricRecord? {
        try statements.fabric()
    }

    package func save(_ fabric: FabricRecord) throws(StoreError) {
        try change { () throws(StoreError) in try put(fabric) }
    }

    func put(_ fabric: FabricRecord) throws(StoreError) {
        var row = RowWriter(statements.putFabric)
        StoreRecords.write(fabric, to: &row)
        try statements.putFabric.run()
    }

    // MARK: Nodes

    package func nodes() throws(StoreError) -> [NodeRecord] {
        try statements.nodes()
    }

    package func save(_ node: NodeRecord) throws(StoreError) {
        try change { () throws(StoreError) in try put(node) }
    }

    package func removeNode(_ nodeID: NodeID) throws(StoreError) {
        try change { () throws(StoreError) in
            try statements.run(statements.deleteNode, with: nodeID)
        }
    }

    package func complete(
        _ run: RunRecord, with node: NodeRecord, inPlaceOf predecessor: Predecessor?
    ) throws(StoreError) {
        try change { () throws(StoreError) in
            try put(node)
            try statements.run(statements.deleteRun, with: run.nodeID)
            try statements.run(statements.deleteRemoval, with: node.nodeID)
            if !node.serialNumber.isEmpty {
                var row = RowWriter(statements.deleteRunsOfDevice)
                row.text(node.vendorName)
                row.text(node.productName)
                row.text(node.serialNumber)
                try statements.deleteRunsOfDevice.run()
            }
            switch predecessor {
            case nil: break
            case .reset(let nodeID): try statements.run(statements.deleteNode, with: nodeID)
            case .replaced(let removal): try put(removal)
            }
        }
    }

    func put(_ node: NodeRecord) throws(StoreError) {
        var row = RowWriter(statements.putNode)
        StoreRecords.write(node, to: &row)
        try statements.putNode.run()
        try statements.run(statements.deleteEndpoints, with: node.nodeID)
        for (position, endpoint) in node.endpoints.enumerated() {
            var row = RowWriter(statements.putEndpoint)
            StoreRecords.write(endpoint, of: node.nodeID, at: position, to: &row)
            try statements.putEndpoint.run()
        }
        try statements.run(statements.deleteHistoryKey, with: node.nodeID)
        guard node.historyID != node.nodeID else { return }
        var key = RowWriter(statements.putHistoryKey)
        StoreRecords.writeHistoryKey(of: node, to: &key)
        try statements.putHistoryKey.run()
    }

    // MARK: Resumptions

    package func resumption(of nodeID: NodeID) throws(StoreError) -> SessionResumption? {
        try statements.resumption(of: nodeID)
    }

    package func save(_ resumption: SessionResumption) throws(StoreError) {
        try hint { () throws(StoreError) in
            guard try statements.hasNode(resumption.peer.nodeID) else { return }
            var row = RowWriter(statements.putResumption)
            StoreRecords.write(resumption, to: &row)
            try statements.putResumption.run()
        }
    }

    package func removeResumption(of nodeID: NodeID) throws(StoreError) {
        try hint { () throws(StoreError) in
            try statements.run(statements.deleteResumption, with: nodeID)
        }
    }

    /// As SQLite numbers it: 2 is FULL, every commit reaches the medium.
    var synchronous: Int64? { try? database.integer("PRAGMA synchronous") }

    /// A transaction that waits for no medium: it gets there with the next one that does.
    private func hint(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try database.execute("PRAGMA synchronous = NORMAL")
        // A pragma that was understood once is understood again.
        defer { try? database.execute("PRAGMA synchronous = FULL") }
        try transaction(body)
    }

    // MARK: Runs

    package func runs() throws(StoreError) -> [RunRecord] {
        try statements.runs()
    }

    package func save(_ run: RunRecord) throws(StoreError) {
        try transaction { () throws(StoreError) in
            var row = RowWriter(statements.putRun)
            StoreRecords.write(run, to: &row)
            try statements.putRun.run()
            var device = RowWriter(statements.putRunDevice)
            StoreRecords.writeDevice(of: run, to: &device)
            try statements.putRunDevice.run()
        }
    }

    package func endRun(_ nodeID: NodeID) throws(StoreError) {
        try transaction { () throws(StoreError) in
            try statements.run(statements.deleteRun, with: nodeID)
        }
    }

    // MARK: Removals

    package func removals() throws(StoreError) -> [PendingRemoval] {
        try statements.removals()
    }

    package func save(_ removal: PendingRemoval) throws(StoreError) {
        try change { () throws(StoreError) in try put(removal) }
    }

    package func endRemoval(_ nodeID: NodeID) throws(StoreError) {
        try change { () throws(StoreError) in
            try statements.run(statements.deleteRemoval, with: nodeID)
        }
    }

    private func put(_ removal: PendingRemoval) throws(StoreError) {
        try statements.run(statements.deleteNode, with: removal.nodeID)
        try statements.run(statements.deleteRun, with: removal.nodeID)
        var row = RowWriter(statements.putRemoval)
        StoreRecords.write(removal, to: &row)
        try statements.putRemoval.run()
        statements.pruneRemovals.bind(0, Int64(PendingRemoval.bound))
        try statements.pruneRemovals.run()
    }

    // MARK: Events

    package func append(_ event: EventRecord) throws(StoreError) {
        try transaction { () throws(StoreError) in
            var row = RowWriter(statements.putEvent)
            StoreRecords.write(event, to: &row)
            try statements.putEvent.run()
            statements.pruneEvents.bind(0, Int64(Limits.events))
            try statements.pruneEvents.run()
        }
    }

    package func events(limit: Int) throws(StoreError) -> [EventRecord] {
        try statements.events(limit: limit)
    }

    // MARK: Writing

    package func checkWritable() throws(StoreError) {
        // A transaction that changed nothing would touch no medium.
        try transaction { () throws(StoreError) in try statements.checkWrite.run() }
        if copyFailure != nil { renewCopy() }
        if let copyFailure { throw copyFailure }
    }

    package func checkIntegrity() throws(StoreError) {
        try StoreSchema.checkIntegrity(database)
    }

    /// A transaction that matters: it is counted, and the copy follows.
    func change(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try transaction { () throws(StoreError) in
            try body()
            try statements.nextGeneration.run()
        }
        renewCopy()
    }

    private func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try database.transaction(body)
        files.observe(.committed)
    }

    /// The change itself has been stored when this fails, so that it is no error of the change.
    private func renewCopy() {
        do throws(StoreError) {
            try writeCopy()
            copyFailure = nil
        } catch {
            copyFailure = error
        }
    }

    private func writeCopy() throws(StoreError) {
        try files.writeCopy(copyImage())
        files.observe(.copied)
    }

    func copyImage() throws(StoreError) -> [UInt8] {
        try database.execute("ATTACH ':memory:' AS copy")
        defer { try? database.execute("DETACH copy") }
        try StoreSchema.create(in: "copy", of: database)
        try StoreSchema.copyContent(to: "copy", of: database)
        return try database.image(of: "copy")
    }
}

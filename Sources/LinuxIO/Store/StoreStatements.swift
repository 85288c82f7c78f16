internal import Matter
internal import MatterNode

/// The statements of an open store, prepared once.
struct StoreStatements {
    let putFabric: Statement
    let putNode: Statement
    let deleteNode: Statement
    let putEndpoint: Statement
    let deleteEndpoints: Statement
    let putResumption: Statement
    let deleteResumption: Statement
    let putRun: Statement
    let deleteRun: Statement
    let deleteRunsOfDevice: Statement
    let putRunDevice: Statement
    let putHistoryKey: Statement
    let deleteHistoryKey: Statement
    let putRemoval: Statement
    let deleteRemoval: Statement
    let pruneRemovals: Statement
    let putEvent: Statement
    let pruneEvents: Statement
    let nextGeneration: Statement
    let checkWrite: Statement
    let settings: SettingStatements
    let networks: NetworkStatements

    private let getFabric: Statement
    private let getNodes: Statement
    private let getEndpoints: Statement
    private let findNode: Statement
    private let getResumption: Statement
    private let getRuns: Statement
    private let getRunDevices: Statement
    private let getHistoryKeys: Statement
    private let getRemovals: Statement
    private let getEvents: Statement

    init(_ database: Database) throws(StoreError) {
        putFabric = try database.prepare(
            "INSERT OR REPLACE INTO fabric (id, \(StoreRecords.fabricColumns)) "
                + "VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        putNode = try database.prepare(StoreStatements.putNode)
        deleteNode = try database.prepare("DELETE FROM node WHERE node_id = ?")
        putEndpoint = try database.prepare(
            "INSERT INTO endpoint (\(StoreRecords.endpointColumns)) VALUES (?, ?, ?, ?, ?, ?)")
        deleteEndpoints = try database.prepare("DELETE FROM endpoint WHERE node_id = ?")
        putResumption = try database.prepare(
            "INSERT OR REPLACE INTO resumption (\(StoreRecords.resumptionColumns)) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        deleteResumption = try database.prepare("DELETE FROM resumption WHERE node_id = ?")
        putRun = try database.prepare(
            "INSERT OR REPLACE INTO run (\(StoreRecords.runColumns)) VALUES (?, ?, ?, ?)")
        deleteRun = try database.prepare("DELETE FROM run WHERE node_id = ?")
        deleteRunsOfDevice = try database.prepare(
            "DELETE FROM run WHERE node_id IN (SELECT node_id FROM run_device"
                + " WHERE vendor_name = ? AND product_name = ? AND serial_number = ?)")
        putRunDevice = try database.prepare(
            "INSERT OR REPLACE INTO run_device (\(StoreRecords.runDeviceColumns)) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        putHistoryKey = try database.prepare(
            "INSERT INTO history_key (\(StoreRecords.historyKeyColumns)) VALUES (?, ?, ?)")
        deleteHistoryKey = try database.prepare("DELETE FROM history_key WHERE node_id = ?")
        putRemoval = try database.prepare(
            "INSERT OR REPLACE INTO removal (\(StoreRecords.removalColumns)) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        deleteRemoval = try database.prepare("DELETE FROM removal WHERE node_id = ?")
        pruneRemovals = try database.prepare(
            "DELETE FROM removal WHERE position NOT IN "
                + "(SELECT position FROM removal ORDER BY position DESC LIMIT ?)")
        putEvent = try database.prepare(
            "INSERT INTO event (\(StoreRecords.eventColumns)) VALUES (?, ?, ?, ?)")
        pruneEvents = try database.prepare(
            "DELETE FROM event WHERE id <= (SELECT max(id) FROM event) - ?")
        nextGeneration = try database.prepare("UPDATE state SET generation = generation + 1")
        checkWrite = try database.prepare("UPDATE state SET write_checks = write_checks + 1")
        settings = try SettingStatements(database)
        networks = try NetworkStatements(database)
        getFabric = try database.prepare("SELECT \(StoreRecords.fabricColumns) FROM fabric")
        getNodes = try database.prepare(
            "SELECT \(StoreRecords.nodeColumns) FROM node ORDER BY position")
        findNode = try database.prepare("SELECT 1 FROM node WHERE node_id = ?")
        getEndpoints = try database.prepare(
            "SELECT \(StoreRecords.endpointColumns) FROM endpoint ORDER BY node_id, position")
        getResumption = try database.prepare(
            "SELECT \(StoreRecords.resumptionColumns) FROM resumption WHERE node_id = ?")
        getRuns = try database.prepare(
            "SELECT \(StoreRecords.runColumns) FROM run ORDER BY started_at, node_id")
        getRunDevices = try database.prepare(
            "SELECT \(StoreRecords.runDeviceColumns) FROM run_device")
        getHistoryKeys = try database.prepare(
            "SELECT \(StoreRecords.historyKeyColumns) FROM history_key")
        getRemovals = try database.prepare(
            "SELECT \(StoreRecords.removalColumns) FROM removal ORDER BY position")
        getEvents = try database.prepare(
            "SELECT \(StoreRecords.eventColumns) FROM event ORDER BY id DESC LIMIT ?")
    }

    func run(_ statement: Statement, with nodeID: NodeID) throws(StoreError) {
        statement.bind(0, Int64(bitPattern: nodeID.rawValue))
        try statement.run()
    }

    func fabric() throws(StoreError) -> FabricRecord? {
        defer { getFabric.reset() }
        guard try getFabric.step() else { return nil }
        var row = RowReader(getFabric)
        return try StoreRecords.fabric(&row)
    }

    func hasNode(_ nodeID: NodeID) throws(StoreError) -> Bool {
        defer { findNode.reset() }
        findNode.bind(0, Int64(bitPattern: nodeID.rawValue))
        return try findNode.step()
    }

    func nodes() throws(StoreError) -> [NodeRecord] {
        var endpoints: [NodeID: [EndpointRecord]] = [:]
        try rows(of: getEndpoints) { (row) throws(StoreError) in
            let entry = try StoreRecords.endpoint(&row)
            endpoints[entry.node, default: []].append(entry.endpoint)
        }
        var histories: [NodeID: NodeID] = [:]
        try rows(of: getHistoryKeys) { (row) throws(StoreError) in
            let key = try StoreRecords.historyKey(&row)
            histories[key.node] = key.history
        }
        var nodes: [NodeRecord] = []
        try rows(of: getNodes) { (row) throws(StoreError) in
            var node = try StoreRecords.node(&row)
            node.endpoints = endpoints[node.nodeID] ?? []
            node.historyID = histories[node.nodeID] ?? node.nodeID
            nodes.append(node)
        }
        return nodes
    }

    /// Nil for a damaged one: nothing but a hint is lost.
    func resumption(of nodeID: NodeID) throws(StoreError) -> SessionResumption? {
        defer { getResumption.reset() }
        getResumption.bind(0, Int64(bitPattern: nodeID.rawValue))
        guard try getResumption.step() else { return nil }
        var row = RowReader(getResumption)
        return StoreRecords.resumption(&row)
    }

    func runs() throws(StoreError) -> [RunRecord] {
        var runs: [RunRecord] = []
        try rows(of: getRuns) { (row) throws(StoreError) in
            runs.append(try StoreRecords.run(&row))
        }
        try rows(of: getRunDevices) { (row) throws(StoreError) in
            try StoreRecords.readDevice(&row, into: &runs)
        }
        return runs
    }

    func removals() throws(StoreError) -> [PendingRemoval] {
        var removals: [PendingRemoval] = []
        try rows(of: getRemovals) { (row) throws(StoreError) in
            removals.append(try StoreRecords.removal(&row))
        }
        return removals
    }

    func events(limit: Int) throws(StoreError) -> [EventRecord] {
        var events: [EventRecord] = []
        getEvents.bind(0, Int64(max(0, limit)))
        try rows(of: getEvents) { (row) throws(StoreError) in
            events.append(StoreRecords.event(&row))
        }
        return events
    }

    /// Reads every row whose damage would do harm.
    func checkContent() throws(StoreError) {
        _ = try fabric()
        _ = try nodes()
        _ = try runs()
        _ = try settings.settings()
        _ = try settings.authorities()
        _ = try removals()
        _ = try networks.networks()
    }

    private func rows(
        of statement: Statement, _ body: (inout RowReader) throws(StoreError) -> Void
    ) throws(StoreError) {
        try statement.forEachRow(body)
    }

    /// A node that is known keeps its place in the order.
    private static let putNode = """
        INSERT INTO node (\(StoreRecords.nodeColumns))
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (node_id) DO UPDATE SET
            fabric_index = excluded.fabric_index, vendor_id = excluded.vendor_id,
            product_id = excluded.product_id, vendor_name = excluded.vendor_name,
            product_name = excluded.product_name, serial_number = excluded.serial_number,
            name = excluded.name, room = excluded.room, last_address = excluded.last_address,
            last_scope = excluded.last_scope, last_port = excluded.last_port,
            is_attested = excluded.is_attested, commissioned_at = excluded.commissioned_at,
            checksum = excluded.checksum
        """
}

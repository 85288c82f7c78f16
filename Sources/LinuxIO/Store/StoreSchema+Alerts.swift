internal import Matter
package import MatterNode

extension SQLiteStore {
    package func alerts() throws(StoreError) -> [AlertRecord] {
        var alerts: [AlertRecord] = []
        let statement = try database.prepare(
            "SELECT \(StoreRecords.alertColumns) FROM alert ORDER BY id")
        try statement.forEachRow { (row: inout RowReader) throws(StoreError) in
            alerts.append(try StoreRecords.alert(&row))
        }
        return alerts
    }

    package func save(_ alert: AlertRecord) throws(StoreError) {
        try change { () throws(StoreError) in try put(alert) }
    }

    func put(_ alert: AlertRecord) throws(StoreError) {
        let statement = try database.prepare(
            """
            INSERT OR REPLACE INTO alert (\(StoreRecords.alertColumns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
        var row = RowWriter(statement)
        StoreRecords.write(alert, to: &row)
        try statement.run()
    }

    package func removeAlert(_ id: UInt32) throws(StoreError) {
        try change { () throws(StoreError) in
            try database.execute("DELETE FROM alert WHERE id = \(id)")
        }
    }
}

extension StoreRecords {
    static let alertColumns =
        "id, history_id, endpoint, word, is_above, limit_value, seconds, checksum"

    static func write(_ alert: AlertRecord, to row: inout RowWriter) {
        row.unsigned(alert.id)
        row.unsigned(alert.historyID.rawValue)
        if let endpoint = alert.endpoint { row.unsigned(endpoint.rawValue) } else { row.null() }
        row.text(alert.word)
        row.integer(alert.isAbove ? 1 : 0)
        row.integer(alert.limit)
        row.integer(alert.seconds)
        row.checksum()
    }

    static func alert(_ row: inout RowReader) throws(StoreError) -> AlertRecord {
        let id: UInt32 = row.unsigned()
        let historyID = NodeID(row.unsigned())
        var endpoint: EndpointID?
        if row.isNull { row.null() } else { endpoint = EndpointID(row.unsigned()) }
        let alert = AlertRecord(
            id: id, historyID: historyID, endpoint: endpoint, word: row.text(),
            isAbove: row.integer() != 0, limit: row.integer(), seconds: row.integer())
        guard row.isIntact() else { throw .corrupt }
        return alert
    }
}

extension StoreSchema {
    /// Since version 5: limits that people have set. They are about places and not about nodes,
    /// so that one stays when a dead device is replaced.
    static let alertTable = """
        alert (
            id INTEGER PRIMARY KEY,
            history_id INTEGER NOT NULL,
            endpoint INTEGER,
            word TEXT NOT NULL,
            is_above INTEGER NOT NULL,
            limit_value INTEGER NOT NULL,
            seconds INTEGER NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT
        """
}

internal import Crypto
internal import Matter
package import MatterNode

// The networks that devices are given: tables, rows and statements.

extension StoreSchema {
    /// Since version 4. Neither has more than one row.
    static let networkTables = [
        """
        wifi (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            ssid BLOB NOT NULL,
            credentials BLOB NOT NULL,
            is_hidden INTEGER NOT NULL,
            since INTEGER NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT
        """,
        """
        thread (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            dataset BLOB NOT NULL,
            since INTEGER NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT
        """,
    ]
}

struct NetworkStatements {
    private let putWiFi: Statement
    private let deleteWiFi: Statement
    private let getWiFi: Statement
    private let putThread: Statement
    private let deleteThread: Statement
    private let getThread: Statement

    init(_ database: Database) throws(StoreError) {
        putWiFi = try database.prepare(
            "INSERT OR REPLACE INTO wifi (id, ssid, credentials, is_hidden, since, checksum) "
                + "VALUES (1, ?, ?, ?, ?, ?)")
        deleteWiFi = try database.prepare("DELETE FROM wifi")
        getWiFi = try database.prepare(
            "SELECT ssid, credentials, is_hidden, since, checksum FROM wifi")
        putThread = try database.prepare(
            "INSERT OR REPLACE INTO thread (id, dataset, since, checksum) VALUES (1, ?, ?, ?)")
        deleteThread = try database.prepare("DELETE FROM thread")
        getThread = try database.prepare("SELECT dataset, since, checksum FROM thread")
    }

    func put(_ record: NetworksRecord) throws(StoreError) {
        if let network = record.networks.wiFi {
            var row = RowWriter(putWiFi)
            row.bytes(network.ssid.span)
            row.bytes(network.credentials.span)
            row.integer(network.isHidden ? 1 : 0)
            row.integer(record.wiFiSince)
            row.checksum()
            try putWiFi.run()
        } else {
            try deleteWiFi.run()
        }
        if let dataset = record.networks.thread {
            var row = RowWriter(putThread)
            row.bytes(dataset.tlvs.span)
            row.integer(record.threadSince)
            row.checksum()
            try putThread.run()
        } else {
            try deleteThread.run()
        }
    }

    func networks() throws(StoreError) -> NetworksRecord {
        var record = NetworksRecord()
        try getWiFi.forEachRow { (row) throws(StoreError) in
            let ssid = row.bytes()
            let credentials = row.secret()
            let isHidden = row.integer() != 0
            record.wiFiSince = row.integer()
            guard row.isIntact() else { throw .corrupt }
            do throws(NetworkCredentialsError) {
                record.networks.wiFi = try WiFiNetworkCredentials(
                    ssid: ssid.span, credentials: credentials, isHidden: isHidden)
            } catch { throw .corrupt }
        }
        try getThread.forEachRow { (row) throws(StoreError) in
            let tlvs = row.secret()
            record.threadSince = row.integer()
            guard row.isIntact() else { throw .corrupt }
            do throws(NetworkCredentialsError) {
                record.networks.thread = try OperationalDataset(tlvs)
            } catch { throw .corrupt }
        }
        return record
    }
}

extension SQLiteStore {
    package func networks() throws(StoreError) -> NetworksRecord {
        try statements.networks.networks()
    }

    package func save(_ networks: NetworksRecord) throws(StoreError) {
        try change { () throws(StoreError) in try statements.networks.put(networks) }
    }
}

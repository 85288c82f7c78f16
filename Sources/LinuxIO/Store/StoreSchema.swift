internal import MatterNode

/// The tables of gateway.db. A change of anything here is a new version and needs a migration;
/// a new version changes at least one table, or older programs take it for a damaged one.
enum StoreSchema {
    /// PRAGMA user_version.
    static let version = 5

    /// How many of the tables, in their order, each version has; from version 1 on.
    private static let tableCounts = [
        6, 7, 7 + runTables.count + 2, 7 + runTables.count + 4, 7 + runTables.count + 5,
    ]

    /// Each ends in the sum of its row where a value that changed by accident would do harm.
    static let tables =
        [
            """
            state (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                generation INTEGER NOT NULL,
                write_checks INTEGER NOT NULL
            ) STRICT
            """,
            """
            fabric (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                fabric_id INTEGER NOT NULL,
                node_id INTEGER NOT NULL,
                admin_vendor_id INTEGER NOT NULL,
                root_key BLOB NOT NULL,
                root_certificate BLOB NOT NULL,
                operational_key BLOB NOT NULL,
                operational_certificate BLOB NOT NULL,
                epoch_key BLOB NOT NULL,
                checksum INTEGER NOT NULL
            ) STRICT
            """,
            """
            node (
                position INTEGER PRIMARY KEY,
                node_id INTEGER NOT NULL UNIQUE,
                fabric_index INTEGER NOT NULL,
                vendor_id INTEGER NOT NULL,
                product_id INTEGER NOT NULL,
                vendor_name TEXT NOT NULL,
                product_name TEXT NOT NULL,
                serial_number TEXT NOT NULL,
                name TEXT NOT NULL,
                room TEXT NOT NULL,
                last_address BLOB,
                last_scope INTEGER,
                last_port INTEGER,
                is_attested INTEGER NOT NULL,
                commissioned_at INTEGER NOT NULL,
                checksum INTEGER NOT NULL
            ) STRICT
            """,
            """
            endpoint (
                node_id INTEGER NOT NULL REFERENCES node (node_id) ON DELETE CASCADE,
                position INTEGER NOT NULL,
                endpoint INTEGER NOT NULL,
                device_types TEXT NOT NULL,
                clusters TEXT NOT NULL,
                checksum INTEGER NOT NULL,
                PRIMARY KEY (node_id, position)
            ) STRICT, WITHOUT ROWID
            """,
            """
            run (
                node_id INTEGER PRIMARY KEY,
                step INTEGER NOT NULL,
                started_at INTEGER NOT NULL,
                checksum INTEGER NOT NULL
            ) STRICT
            """,
            """
            event (
                id INTEGER PRIMARY KEY,
                time INTEGER NOT NULL,
                kind TEXT NOT NULL,
                node_id INTEGER,
                text TEXT NOT NULL
            ) STRICT
            """,
            """
            resumption (
                node_id INTEGER PRIMARY KEY REFERENCES node (node_id) ON DELETE CASCADE,
                resumption_id BLOB NOT NULL,
                shared_secret BLOB NOT NULL,
                fabric_id INTEGER NOT NULL,
                public_key BLOB NOT NULL,
                tags TEXT NOT NULL,
                fabric_index INTEGER NOT NULL,
                checksum INTEGER NOT NULL
            ) STRICT
            """,
        ] + runTables + [setting, authority] + networkTables + [alertTable]

    /// Makes the tables in a schema that is empty.
    static func create(in schema: String, of database: Database) throws(StoreError) {
        for table in tables { try database.execute("CREATE TABLE \(schema).\(table)") }
        try database.execute("PRAGMA \(schema).user_version = \(version)")
    }

    /// Refuses a newer version, and finds a schema that is not ours.
    /// - Returns: the version that was found, which `migrate` brings to ours.
    static func check(_ database: Database) throws(StoreError) -> Int {
        let found = try database.integer("PRAGMA user_version") ?? 0
        let statements = try database.texts(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid", limit: 100)
        let ours = tables.map { "CREATE TABLE \($0)" }
        let isOurs = statements == ours
        // Our own tables under a higher number: the number is damaged.
        guard found <= version || isOurs else { throw .tooNew(version: Int(found)) }
        guard found >= 1, found <= version,
            statements == Array(ours.prefix(tableCounts[Int(found) - 1]))
        else { throw .corrupt }
        return Int(found)
    }

    /// Makes what a later version has beyond an earlier one, wholly or not at all.
    static func migrate(_ database: Database, from found: Int) throws(StoreError) {
        guard found < version else { return }
        try database.transaction { () throws(StoreError) in
            for table in tables[tableCounts[found - 1]...] {
                try database.execute("CREATE TABLE \(table)")
            }
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    /// SQLite's own check of structure, indexes and references.
    static func checkIntegrity(_ database: Database) throws(StoreError) {
        guard try database.texts("PRAGMA quick_check(1)", limit: 2) == ["ok"],
            try database.texts("PRAGMA foreign_key_check", limit: 1).isEmpty
        else { throw .corrupt }
    }

    /// Fills the attached, empty schema with what the last good copy holds: everything but the
    /// resumptions, which age at once, and of the events only the newest, so that a copy after
    /// every change stays cheap.
    static func copyContent(to schema: String, of database: Database) throws(StoreError) {
        try database.execute(
            """
            INSERT INTO \(schema).state SELECT * FROM main.state;
            INSERT INTO \(schema).fabric SELECT * FROM main.fabric;
            INSERT INTO \(schema).node SELECT * FROM main.node;
            INSERT INTO \(schema).endpoint SELECT * FROM main.endpoint;
            INSERT INTO \(schema).run SELECT * FROM main.run;
            INSERT INTO \(schema).run_device SELECT * FROM main.run_device;
            INSERT INTO \(schema).history_key SELECT * FROM main.history_key;
            INSERT INTO \(schema).removal SELECT * FROM main.removal;
            INSERT INTO \(schema).setting SELECT * FROM main.setting;
            INSERT INTO \(schema).authority SELECT * FROM main.authority;
            INSERT INTO \(schema).wifi SELECT * FROM main.wifi;
            INSERT INTO \(schema).thread SELECT * FROM main.thread;
            INSERT INTO \(schema).alert SELECT * FROM main.alert;
            INSERT INTO \(schema).event SELECT * FROM main.event
            WHERE id > (SELECT max(id) FROM main.event) - \(Limits.copiedEvents);
            """)
    }

    /// An empty store, as a file.
    static func emptyImage() throws(StoreError) -> [UInt8] {
        let database = try Database()
        try create(in: "main", of: database)
        try database.execute(
            "INSERT INTO state (id, generation, write_checks) VALUES (1, 0, 0)")
        return try database.image(of: "main")
    }
}

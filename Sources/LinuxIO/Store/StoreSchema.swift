internal import MatterNode

/// The tables of gateway.db. A change of anything here is a new version and needs a migration;
/// a new version changes at least one table, or older programs take it for a damaged one.
enum StoreSchema {
    /// PRAGMA user_version.
    static let version = 1

    /// Each ends in the sum of its row where a value that changed by accident would do harm.
    static let tables = [
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
    ]

    /// Makes the tables in a schema that is empty.
    static func create(in schema: String, of database: Database) throws(StoreError) {
        for table in tables { try database.execute("CREATE TABLE \(schema).\(table)") }
        try database.execute("PRAGMA \(schema).user_version = \(version)")
    }

    /// Refuses a newer version, and finds a schema that is not ours.
    static func check(_ database: Database) throws(StoreError) {
        let found = try database.integer("PRAGMA user_version") ?? 0
        let statements = try database.texts(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid", limit: 100)
        let isOurs = statements == tables.map { "CREATE TABLE \($0)" }
        // Our own tables under a higher number: the number is damaged.
        guard found <= version || isOurs else { throw .tooNew(version: Int(found)) }
        guard found == version, isOurs else { throw .corrupt }
    }

    /// SQLite's own check of structure, indexes and references.
    static func checkIntegrity(_ database: Database) throws(StoreError) {
        guard try database.texts("PRAGMA quick_check(1)", limit: 2) == ["ok"],
            try database.texts("PRAGMA foreign_key_check", limit: 1).isEmpty
        else { throw .corrupt }
    }

    /// Fills the attached, empty schema with what the last good copy holds: everything, but of
    /// the events only the newest, so that a copy after every change stays cheap.
    static func copyContent(to schema: String, of database: Database) throws(StoreError) {
        try database.execute(
            """
            INSERT INTO \(schema).state SELECT * FROM main.state;
            INSERT INTO \(schema).fabric SELECT * FROM main.fabric;
            INSERT INTO \(schema).node SELECT * FROM main.node;
            INSERT INTO \(schema).endpoint SELECT * FROM main.endpoint;
            INSERT INTO \(schema).run SELECT * FROM main.run;
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

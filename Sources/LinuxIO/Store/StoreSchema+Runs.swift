extension StoreSchema {
    /// Since version 3: what is kept of runs, of nodes that took another's place, and of devices
    /// that are still to be told that they were given up.
    static let runTables = [
        """
        run_device (
            node_id INTEGER PRIMARY KEY REFERENCES run (node_id) ON DELETE CASCADE,
            fail_safe_seconds INTEGER NOT NULL,
            vendor_name TEXT NOT NULL,
            product_name TEXT NOT NULL,
            serial_number TEXT NOT NULL,
            name TEXT NOT NULL,
            room TEXT NOT NULL,
            last_address BLOB,
            last_scope INTEGER,
            last_port INTEGER,
            is_attested INTEGER NOT NULL,
            replaces INTEGER,
            checksum INTEGER NOT NULL
        ) STRICT
        """,
        """
        history_key (
            node_id INTEGER PRIMARY KEY REFERENCES node (node_id) ON DELETE CASCADE,
            history_id INTEGER NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT
        """,
        """
        removal (
            position INTEGER PRIMARY KEY,
            node_id INTEGER NOT NULL UNIQUE,
            fabric_index INTEGER,
            last_address BLOB,
            last_scope INTEGER,
            last_port INTEGER,
            name TEXT NOT NULL,
            since INTEGER NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT
        """,
    ]
}

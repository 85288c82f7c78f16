package import Base
package import MatterNode

// What people set and whom they added: tables, rows and statements.

extension StoreSchema {
    static let setting = """
        setting (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """

    static let authority = """
        authority (
            position INTEGER PRIMARY KEY,
            key_id BLOB NOT NULL UNIQUE,
            certificate BLOB NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT
        """
}

struct SettingStatements {
    private let putSetting: Statement
    private let deleteSetting: Statement
    private let getSettings: Statement
    private let putAuthority: Statement
    private let deleteAuthority: Statement
    private let getAuthorities: Statement

    init(_ database: Database) throws(StoreError) {
        putSetting = try database.prepare(
            "INSERT OR REPLACE INTO setting (key, value, checksum) VALUES (?, ?, ?)")
        deleteSetting = try database.prepare("DELETE FROM setting WHERE key = ?")
        getSettings = try database.prepare(
            "SELECT key, value, checksum FROM setting ORDER BY key")
        putAuthority = try database.prepare(
            "INSERT OR REPLACE INTO authority (key_id, certificate, checksum) VALUES (?, ?, ?)")
        deleteAuthority = try database.prepare("DELETE FROM authority WHERE key_id = ?")
        getAuthorities = try database.prepare(
            "SELECT key_id, certificate, checksum FROM authority ORDER BY position")
    }

    func put(_ setting: SettingRecord) throws(StoreError) {
        var row = RowWriter(putSetting)
        row.text(setting.key)
        row.text(setting.value)
        row.checksum()
        try putSetting.run()
    }

    func removeSetting(_ key: String) throws(StoreError) {
        deleteSetting.bind(0, key)
        try deleteSetting.run()
    }

    func settings() throws(StoreError) -> [SettingRecord] {
        var settings: [SettingRecord] = []
        try getSettings.forEachRow { (row) throws(StoreError) in
            let setting = SettingRecord(key: row.text(), value: row.text())
            guard row.isIntact() else { throw .corrupt }
            settings.append(setting)
        }
        return settings
    }

    func put(_ authority: AuthorityRecord) throws(StoreError) {
        let keyID = authority.keyID
        var row = RowWriter(putAuthority)
        row.bytes(keyID.span)
        row.bytes(authority.certificate.span)
        row.checksum()
        try putAuthority.run()
    }

    func removeAuthority(_ keyID: FixedBytes<20>) throws(StoreError) {
        deleteAuthority.bind(0, keyID.span)
        try deleteAuthority.run()
    }

    func authorities() throws(StoreError) -> [AuthorityRecord] {
        var authorities: [AuthorityRecord] = []
        try getAuthorities.forEachRow { (row) throws(StoreError) in
            let keyID = row.bytes()
            let certificate = row.bytes()
            guard row.isIntact(), let keyID = FixedBytes<20>(keyID.span) else {
                throw .corrupt
            }
            authorities.append(AuthorityRecord(keyID: keyID, certificate: certificate))
        }
        return authorities
    }
}

extension SQLiteStore {
    package func settings() throws(StoreError) -> [SettingRecord] {
        try statements.settings.settings()
    }

    package func save(_ setting: SettingRecord) throws(StoreError) {
        try change { () throws(StoreError) in try statements.settings.put(setting) }
    }

    package func removeSetting(_ key: String) throws(StoreError) {
        try change { () throws(StoreError) in try statements.settings.removeSetting(key) }
    }

    package func authorities() throws(StoreError) -> [AuthorityRecord] {
        try statements.settings.authorities()
    }

    package func save(_ authorities: [AuthorityRecord]) throws(StoreError) {
        try change { () throws(StoreError) in
            for authority in authorities { try statements.settings.put(authority) }
        }
    }

    package func removeAuthority(_ keyID: FixedBytes<20>) throws(StoreError) {
        try change { () throws(StoreError) in try statements.settings.removeAuthority(keyID) }
    }

    package func replaceContent(with content: StoreContent) throws(StoreError) -> String? {
        let isEmpty = try statements.fabric() == nil
        let aside = isEmpty ? nil : try files.leaveAside(copyImage())
        try change { () throws(StoreError) in
            // Endpoints, resumptions and history keys go with their nodes.
            for table in [
                "node", "run", "removal", "fabric", "setting", "authority", "alert",
            ] {
                try database.execute("DELETE FROM \(table)")
            }
            try put(content.fabric)
            for node in content.nodes { try put(node) }
            for setting in content.settings { try statements.settings.put(setting) }
            for authority in content.authorities { try statements.settings.put(authority) }
            try statements.networks.put(content.networks)
            for alert in content.alerts { try put(alert) }
        }
        return aside
    }
}

internal import MatterNode

/// The tables of `history.db`.
///
/// Times are milliseconds of the monotonic clock; a boot's offset makes dates of them, so that
/// a corrected clock rewrites one row. Readings lie in the order of their coming and have no
/// index: with one, each flush would touch a page for every source.
enum HistorySchema {
    static let version: Int64 = 1

    static let settings = [
        "locking_mode = EXCLUSIVE",
        "auto_vacuum = INCREMENTAL",
        "journal_mode = WAL",
        // A power cut costs what the kernel has not written yet, some 30 s more; no flush waits
        // for the card.
        "synchronous = NORMAL",
        "trusted_schema = OFF",
        "temp_store = MEMORY",
        "mmap_size = 0",
        // KiB.
        "cache_size = -512",
        // Pages.
        "wal_autocheckpoint = 256",
        "journal_size_limit = 1048576",
    ]

    static func create(in database: Database) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            try database.execute(tables)
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    private static let tables = """
        CREATE TABLE state (
            id INTEGER PRIMARY KEY CHECK (id = 0),
            summed INTEGER NOT NULL, forwarded INTEGER);
        INSERT INTO state VALUES (0, 0, NULL);
        CREATE TABLE boot (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, offset INTEGER,
            phase INTEGER NOT NULL);
        CREATE TABLE source (
            id INTEGER PRIMARY KEY, history_id INTEGER NOT NULL, endpoint INTEGER NOT NULL,
            cluster INTEGER NOT NULL, attribute INTEGER NOT NULL,
            UNIQUE (history_id, endpoint, cluster, attribute));
        CREATE TABLE reading (
            sequence INTEGER PRIMARY KEY, boot INTEGER NOT NULL, source INTEGER NOT NULL,
            time INTEGER NOT NULL, value INTEGER);
        CREATE TABLE summary (
            source INTEGER NOT NULL, boot INTEGER NOT NULL, slot INTEGER NOT NULL,
            low INTEGER NOT NULL, above_low INTEGER NOT NULL, above_mean INTEGER NOT NULL,
            rest INTEGER NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (source, boot, slot)) WITHOUT ROWID;
        """
}

/// The statements of a history, prepared once.
final class HistoryStatements {
    let putBoot, setOffset, putSource, putReading, putSummary, setState, setSummed: Statement
    let getReadings, getAfter, scanReadings, scanSummaries, nextBoot: Statement
    let oldest, deleteReadings, firstSlot, deleteSummaries, deleteBoot: Statement

    init(_ database: Database) throws(StoreError) {
        putBoot = try database.prepare("INSERT INTO boot VALUES (?, ?, ?, ?)")
        setOffset = try database.prepare("UPDATE boot SET offset = ?, phase = ? WHERE id = ?")
        putSource = try database.prepare("INSERT INTO source VALUES (?, ?, ?, ?, ?)")
        putReading = try database.prepare("INSERT INTO reading VALUES (?, ?, ?, ?, ?)")
        putSummary = try database.prepare(
            "INSERT OR REPLACE INTO summary VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        setState = try database.prepare("UPDATE state SET forwarded = ?")
        setSummed = try database.prepare("UPDATE state SET summed = ?")
        getReadings = try database.prepare(
            "SELECT sequence, boot, source, time, value FROM reading WHERE sequence > ?"
                + " ORDER BY sequence LIMIT ?")
        getAfter = try database.prepare(
            "SELECT sequence, boot, time FROM reading WHERE sequence > ?"
                + " ORDER BY sequence LIMIT 1")
        scanReadings = try database.prepare(
            "SELECT boot, time, value FROM reading WHERE sequence > ? AND sequence <= ?"
                + " AND source = ? ORDER BY sequence")
        scanSummaries = try database.prepare(
            "SELECT slot, low, above_low, above_mean, rest, count FROM summary"
                + " WHERE source = ? AND boot = ? AND slot >= ? ORDER BY slot LIMIT ?")
        nextBoot = try database.prepare(
            "SELECT boot FROM summary WHERE source = ? AND boot > ? ORDER BY boot LIMIT 1")
        oldest = try database.prepare("SELECT min(sequence) FROM reading")
        deleteReadings = try database.prepare("DELETE FROM reading WHERE sequence <= ?")
        firstSlot = try database.prepare(
            "SELECT boot, slot FROM summary WHERE source = ? ORDER BY boot, slot LIMIT 1")
        deleteSummaries = try database.prepare(
            "DELETE FROM summary WHERE source = ? AND boot = ? AND slot < ?")
        deleteBoot = try database.prepare("DELETE FROM boot WHERE id = ?")
    }
}

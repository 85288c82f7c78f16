internal import Glibc
internal import MatterNode

/// How a store comes to be open: made, found whole, or taken from its last good copy. Never
/// does an empty one take the place of one that was lost.
struct StoreOpening {
    let files: StoreFiles

    struct Opened {
        let database: Database
        let notice: String?
        let isCopyOld: Bool
    }

    func open() throws(StoreError) -> Opened {
        let copy = readCopy()
        guard files.hasDatabase else {
            if files.hasCopy { return try recover(from: copy, .missing) }
            // A log belongs to a database that is gone.
            guard !files.hasLog else { throw .damaged }
            try files.writeDatabase(StoreSchema.emptyImage())
            return Opened(database: try openDatabase().0, notice: nil, isCopyOld: true)
        }
        let database: Database
        let generation: Int64
        do throws(StoreError) {
            (database, generation) = try openDatabase()
        } catch {
            // A damaged header can look as if the file must not be written.
            let isDamage = error.isDamage || error == .readOnly && files.isDatabaseWritable
            guard isDamage else { throw error }
            return try recover(from: copy, .damaged)
        }
        guard case .good(_, let copied) = copy else {
            return Opened(database: database, notice: nil, isCopyOld: true)
        }
        guard copied <= generation else {
            database.keepLogOnClose(true)
            return try recover(from: copy, .outdated, closing: database)
        }
        return Opened(database: database, notice: nil, isCopyOld: copied < generation)
    }

    // MARK: The database

    /// Opens the file and looks at everything in it.
    private func openDatabase() throws(StoreError) -> (Database, generation: Int64) {
        try files.restrictDatabase()
        let database = try Database(path: files.database)
        database.keepLogOnClose(true)
        for setting in StoreOpening.settings { try database.execute("PRAGMA \(setting)") }
        let generation = try checkedGeneration(database)
        database.keepLogOnClose(false)
        return (database, generation)
    }

    private func checkedGeneration(_ database: Database) throws(StoreError) -> Int64 {
        let found = try StoreSchema.check(database)
        try StoreSchema.checkIntegrity(database)
        try StoreSchema.migrate(database, from: found)
        try StoreStatements(database).checkContent()
        guard let generation = try database.integer("SELECT generation FROM state") else {
            throw .corrupt
        }
        return generation
    }

    /// The first one makes SQLite keep the file for this process and needs no shared memory.
    private static let settings = [
        "locking_mode = EXCLUSIVE",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        "secure_delete = ON",
        "trusted_schema = OFF",
        "temp_store = MEMORY",
        "mmap_size = 0",
        // KiB.
        "cache_size = -256",
        // Pages.
        "wal_autocheckpoint = 64",
        "journal_size_limit = 524288",
    ]

    // MARK: The copy

    private enum Copy {
        case none
        case good([UInt8], generation: Int64)
        case tooNew(version: Int)
    }

    private func readCopy() -> Copy {
        guard files.hasCopy else { return .none }
        do throws(StoreError) {
            let image = try files.readCopy()
            let generation = try checkedGeneration(Database(image: image))
            return .good(image, generation: generation)
        } catch {
            if case .tooNew(let version) = error { return .tooNew(version: version) }
            return .none
        }
    }

    private enum Reason {
        case missing, damaged, outdated
    }

    /// - Parameter database: the one found wanting; it is closed before its files are moved.
    private func recover(
        from copy: Copy, _ reason: Reason, closing database: consuming Database? = nil
    ) throws(StoreError) -> Opened {
        database = nil
        switch copy {
        case .none: throw .damaged
        case .tooNew(let version): throw .tooNew(version: version)
        case .good(let image, _):
            let time = files.copyTime
            let name = try files.setAside()
            try files.writeDatabase(image)
            let database = try openDatabase().0
            let notice = StoreOpening.notice(reason, setAside: name, copyTime: time)
            return Opened(database: database, notice: notice, isCopyOld: false)
        }
    }

    private static func notice(
        _ reason: Reason, setAside name: String, copyTime: Int64?
    ) -> String {
        let cause =
            switch reason {
            case .missing: "The database was missing."
            case .damaged: "The database was damaged and is kept as \(name)."
            case .outdated: "The database had lost its last changes and is kept as \(name)."
            }
        let time = copyTime.map { " of \(WallClock.text($0))" } ?? ""
        return cause + " Its last good copy\(time) is used:"
            + " devices and names that were added after it may be missing."
    }
}

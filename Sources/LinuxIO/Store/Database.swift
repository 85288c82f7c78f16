internal import CSQLite
internal import Glibc
internal import MatterNode

/// One connection to SQLite, used on one thread.
@safe final class Database {
    fileprivate let handle: OpaquePointer

    /// Opens a file that exists.
    init(path: String) throws(StoreError) {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        unsafe handle = try Database.open(path, flags)
    }

    /// An empty database in memory.
    init() throws(StoreError) {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_MEMORY
        unsafe handle = try Database.open(":memory:", flags)
    }

    /// A database in memory with the content of a file, which it does not write to.
    convenience init(image: [UInt8]) throws(StoreError) {
        try self.init()
        let size = sqlite3_int64(image.count)
        guard let content = unsafe sqlite3_malloc64(UInt64(max(1, image.count))) else {
            throw .failed(code: SQLITE_NOMEM)
        }
        unsafe image.withUnsafeBytes { source in
            unsafe content.copyMemory(from: source.baseAddress!, byteCount: source.count)
        }
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
        try check(
            unsafe sqlite3_deserialize(
                handle, "main", content.assumingMemoryBound(to: UInt8.self), size, size, flags))
    }

    private static func open(_ path: String, _ flags: Int32) throws(StoreError) -> OpaquePointer {
        var handle: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
        guard let handle = unsafe handle else { throw .failed(code: SQLITE_NOMEM) }
        guard code == SQLITE_OK else {
            let error = StoreError(code: code, handle)
            unsafe sqlite3_close_v2(handle)
            throw error
        }
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe csqlite_shrink_lookaside(handle)
        return unsafe handle
    }

    deinit {
        // Statements keep their database, so that none is left here.
        unsafe sqlite3_close_v2(handle)
    }

    /// Whether closing leaves the write-ahead log in its file, as evidence of damage.
    func keepLogOnClose(_ keeps: Bool) {
        _ = unsafe csqlite_keep_log_on_close(handle, keeps ? 1 : 0)
    }

    /// Runs statements whose rows nobody needs.
    func execute(_ sql: String) throws(StoreError) {
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
    }

    func prepare(_ sql: String) throws(StoreError) -> Statement {
        try Statement(sql, in: self)
    }

    /// The first column of the first row.
    func integer(_ sql: String) throws(StoreError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The first column of all rows, at most `limit`.
    func texts(_ sql: String, limit: Int) throws(StoreError) -> [String] {
        let statement = try prepare(sql)
        var texts: [String] = []
        while texts.count < limit, try statement.step() { texts.append(statement.text(0)) }
        return texts
    }

    /// Runs `body` between BEGIN IMMEDIATE and COMMIT; whatever fails leaves nothing behind.
    func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try body()
            try execute("COMMIT")
        } catch {
            // Some failures have rolled back already; then this one fails, and rightly so.
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// The content of a schema, "main" or an attached one, as a file would hold it.
    func image(of schema: String) throws(StoreError) -> [UInt8] {
        var size: sqlite3_int64 = 0
        guard let content = unsafe sqlite3_serialize(handle, schema, &size, 0) else {
            throw .failed(code: SQLITE_NOMEM)
        }
        let image = unsafe Array(UnsafeBufferPointer(start: content, count: Int(size)))
        // It holds keys.
        unsafe explicit_bzero(content, Int(size))
        unsafe sqlite3_free(content)
        return image
    }

    fileprivate func check(_ code: Int32) throws(StoreError) {
        guard code != SQLITE_OK else { return }
        throw unsafe StoreError(code: code, handle)
    }
}

/// A prepared statement. Values are bound and read by place, from 0.
@safe final class Statement {
    private let database: Database
    private let handle: OpaquePointer

    fileprivate init(_ sql: String, in database: Database) throws(StoreError) {
        self.database = database
        var handle: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try database.check(
            unsafe sqlite3_prepare_v3(database.handle, sql, -1, flags, &handle, nil))
        guard let handle = unsafe handle else { preconditionFailure("a statement has words") }
        unsafe self.handle = handle
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// - Returns: true when a row is there; false at the end, and then it can be run again.
    func step() throws(StoreError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        reset()
        if code == SQLITE_DONE { return false }
        try database.check(code)
        return false
    }

    /// Runs to the end.
    func run() throws(StoreError) {
        while try step() {}
    }

    /// Runs it and hands out its rows.
    func forEachRow(
        _ body: (inout RowReader) throws(StoreError) -> Void
    ) throws(StoreError) {
        defer { reset() }
        while try step() {
            var row = RowReader(self)
            try body(&row)
        }
    }

    /// Gives up the rows that are left, and what was bound.
    func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    // MARK: Binding

    func bind(_ place: Int32, _ value: Int64) {
        bound(unsafe sqlite3_bind_int64(handle, place + 1, value))
    }

    func bindNull(_ place: Int32) {
        bound(unsafe sqlite3_bind_null(handle, place + 1))
    }

    func bind(_ place: Int32, _ bytes: Span<UInt8>) {
        bound(
            unsafe bytes.withUnsafeBufferPointer { source in
                // A null pointer would bind NULL, not an empty value.
                source.isEmpty
                    ? unsafe sqlite3_bind_zeroblob(handle, place + 1, 0)
                    : unsafe sqlite3_bind_blob64(
                        handle, place + 1, source.baseAddress, UInt64(source.count),
                        Statement.copied)
            })
    }

    func bind(_ place: Int32, _ text: String) {
        var text = text
        bound(
            text.withUTF8 { source in
                unsafe source.withMemoryRebound(to: CChar.self) { characters in
                    unsafe sqlite3_bind_text64(
                        handle, place + 1, characters.baseAddress ?? Statement.empty,
                        UInt64(characters.count), Statement.copied, UInt8(SQLITE_UTF8))
                }
            })
    }

    private func bound(_ code: Int32) {
        precondition(code == SQLITE_OK || code == SQLITE_NOMEM, "the statement has that place")
    }

    /// SQLITE_TRANSIENT: SQLite makes its own copy at once.
    private static let copied = unsafe unsafeBitCast(
        -1, to: sqlite3_destructor_type.self)
    private nonisolated(unsafe) static let empty: UnsafePointer<CChar> = {
        let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        unsafe pointer.initialize(to: 0)
        return unsafe UnsafePointer(pointer)
    }()

    // MARK: Reading

    func isNull(_ place: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, place) == SQLITE_NULL
    }

    func integer(_ place: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, place)
    }

    func text(_ place: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(handle, place) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(handle, place))
        return unsafe String(
            decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Lets `body` read the octets where they are.
    func bytes<Value>(_ place: Int32, _ body: (Span<UInt8>) -> Value) -> Value {
        guard let start = unsafe sqlite3_column_blob(handle, place) else {
            let none: [UInt8] = []
            return body(none.span)
        }
        let count = Int(unsafe sqlite3_column_bytes(handle, place))
        let octets = unsafe start.assumingMemoryBound(to: UInt8.self)
        return body(unsafe Span(_unsafeStart: octets, count: count))
    }
}

extension StoreError {
    /// - Parameter code: what SQLite returned, its extended code.
    @safe fileprivate init(code: Int32, _ handle: OpaquePointer) {
        let system = unsafe sqlite3_system_errno(handle)
        switch code & 0xFF {
        case SQLITE_FULL: self = .full
        case SQLITE_READONLY: self = .readOnly
        case SQLITE_IOERR where system == ENOSPC || system == EDQUOT: self = .full
        case SQLITE_IOERR where system == EROFS: self = .readOnly
        case SQLITE_CANTOPEN where system != 0: self = StoreError(opening: Errno(system))
        case SQLITE_BUSY: self = .inUse
        default: self = .failed(code: code)
        }
    }

    /// What opening, making or renaming a file means for the store.
    init(opening error: Errno) {
        switch error.rawValue {
        case ENOSPC, EDQUOT: self = .full
        case EROFS: self = .readOnly
        default: self = .cannotOpen(errno: error.rawValue)
        }
    }

    /// Whether, while a file is opened and looked at, this means that its content cannot be
    /// relied on. A damaged schema makes SQLite fail in many ways.
    var isDamage: Bool {
        guard case .failed(let code) = self else { return false }
        switch code & 0xFF {
        case SQLITE_NOMEM, SQLITE_PERM, SQLITE_LOCKED, SQLITE_PROTOCOL: return false
        case SQLITE_IOERR: return code == StoreError.unreadable || code == StoreError.shortRead
        default: return true
        }
    }

    /// SQLITE_IOERR_READ and SQLITE_IOERR_SHORT_READ.
    private static let unreadable = SQLITE_IOERR | 1 << 8
    private static let shortRead = SQLITE_IOERR | 2 << 8

    /// What a row says cannot be what was written.
    static let corrupt = StoreError.failed(code: SQLITE_CORRUPT)
}

internal import Base
internal import Glibc
internal import MatterNode

/// The files of a store beside each other: the database with its log, the last good copy, the
/// lock, and what was set aside. All of them hold keys and are their owner's alone.
struct StoreFiles {
    let database: String
    /// Told after every step that a crash could follow; tests look at the files then.
    let observe: (StoreStep) -> Void

    var copy: String { database + ".copy" }
    private var log: String { database + "-wal" }
    private var logIndex: String { database + "-shm" }
    private var lock: String { database + ".lock" }

    private var folder: String {
        guard let slash = database.lastIndex(of: "/") else { return "." }
        return slash == database.startIndex ? "/" : String(database[..<slash])
    }

    func makeFolder() throws(StoreError) {
        let path = folder
        try opening { () throws(Errno) in
            do throws(Errno) {
                try Syscall.call { unsafe mkdir(path, 0o700) }
            } catch  where error.rawValue == EEXIST {}
        }
    }

    /// Takes the store for this process, or waits a while for the one that has it: a service
    /// that is being restarted still closes.
    func takeLock(patience: Duration) throws(StoreError) -> Descriptor {
        let path = lock
        let file: Descriptor
        do throws(Errno) {
            file = try Descriptor { unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        } catch {
            throw StoreError(opening: error)
        }
        let pause: Duration = .milliseconds(50)
        var left = patience
        while true {
            let descriptor = file.rawValue
            do throws(Errno) {
                if try Syscall.attempt({ flock(descriptor, LOCK_EX | LOCK_NB) }) != nil {
                    return file
                }
            } catch {
                throw StoreError(opening: error)
            }
            guard left > .zero else { throw .inUse }
            poll(nil, 0, Int32(pause.milliseconds))
            left -= pause
        }
    }

    var hasDatabase: Bool { Files.exists(database) }
    var hasLog: Bool { Files.exists(log) }
    var hasCopy: Bool { Files.exists(copy) }

    /// By the rights and the file system's state, not by the content.
    var isDatabaseWritable: Bool { unsafe access(database, W_OK) == 0 }

    /// Nobody else may read it, whoever brought it here.
    func restrictDatabase() throws(StoreError) {
        let path = database
        try opening { () throws(Errno) in
            try Syscall.call { unsafe chmod(path, 0o600) }
        }
    }

    func readCopy() throws(StoreError) -> [UInt8] {
        do throws(Errno) {
            return try Files.read(copy, limit: Limits.copyBytes)
        } catch {
            throw StoreError(opening: error)
        }
    }

    func writeCopy(_ image: [UInt8]) throws(StoreError) {
        try replace(copy, with: image)
    }

    /// Puts a whole database in place. None is there, nor a log that SQLite could apply to it.
    func writeDatabase(_ image: [UInt8]) throws(StoreError) {
        precondition(!hasLog, "another database's log would be applied to this one")
        try replace(database, with: image)
    }

    /// Renames what is damaged to `gateway.db.damaged-N`.
    ///
    /// The log goes first: a crash in between leaves a database that has lost its last changes,
    /// which is seen, and never a log that the copy could be mistaken for the owner of.
    /// - Returns: the new name of the database, without its folder.
    func setAside() throws(StoreError) -> String {
        var number = 1
        while number < Limits.damagedFiles, Files.exists("\(database).damaged-\(number)") {
            number += 1
        }
        let target = "\(database).damaged-\(number)"
        for (path, name) in [
            (log, target + "-wal"), (logIndex, target + "-shm"), (database, target),
        ] where Files.exists(path) {
            try opening { () throws(Errno) in try Files.rename(path, to: name) }
            observe(.setAside)
        }
        try opening { () throws(Errno) in try Files.sync(folder, isFolder: true) }
        return Self.name(of: target)
    }

    /// Renames what is damaged, and with it a copy that is no good either, so that the place is
    /// free for a store that comes from elsewhere.
    /// - Returns: the new name of the database, without its folder.
    func setAsideAll() throws(StoreError) -> String {
        let name = try setAside()
        if hasCopy {
            try opening { () throws(Errno) in
                try Files.rename(copy, to: "\(folder)/\(name)-copy")
                try Files.sync(folder, isFolder: true)
            }
        }
        return name
    }

    /// Writes what is about to be replaced to `gateway.db.replaced-N`.
    /// - Returns: its name, without its folder.
    func leaveAside(_ image: [UInt8]) throws(StoreError) -> String {
        var number = 1
        while number < Limits.replacedFiles, Files.exists("\(database).replaced-\(number)") {
            number += 1
        }
        let target = "\(database).replaced-\(number)"
        try replace(target, with: image)
        return Self.name(of: target)
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map { String($0) } ?? path
    }

    /// Removes everything but the lock, the history included. The copy goes first: a database
    /// without one is a store, a copy without its database would be recovered from.
    func erase() throws(StoreError) {
        var paths = [copy, copy + ".new", log, logIndex, database, database + ".new"]
        for number in 1...Limits.damagedFiles {
            for suffix in ["", "-wal", "-shm", "-copy"] {
                paths.append("\(database).damaged-\(number)\(suffix)")
            }
        }
        for number in 1...Limits.replacedFiles {
            for suffix in ["", ".new"] { paths.append("\(database).replaced-\(number)\(suffix)") }
        }
        paths += HistoryPaths(beside: database).all
        for path in paths where Files.exists(path) {
            try opening { () throws(Errno) in try Syscall.call { unsafe unlink(path) } }
        }
        try opening { () throws(Errno) in try Files.sync(folder, isFolder: true) }
    }

    /// Seconds since 1970 at which the copy was made, or nil.
    var copyTime: Int64? {
        var status = stat()
        guard unsafe stat(copy, &status) == 0 else { return nil }
        return Int64(status.st_mtim.tv_sec)
    }

    /// The old file or the new one, whole, whatever happens in between.
    private func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        let temporary = path + ".new"
        try opening { () throws(Errno) in
            try Files.write(bytes, to: temporary)
            observe(.written)
            try Files.rename(temporary, to: path)
            observe(.renamed)
            try Files.sync(folder, isFolder: true)
        }
    }

    private func opening(_ body: () throws(Errno) -> Void) throws(StoreError) {
        do throws(Errno) {
            try body()
        } catch {
            throw StoreError(opening: error)
        }
    }
}

/// Steps in the life of the files.
enum StoreStep {
    case written, renamed, setAside, committed, copied
}

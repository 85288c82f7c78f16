internal import Glibc
internal import MatterNode

/// The files of a history, beside the state file that it belongs to.
struct HistoryPaths {
    let database: String

    /// `history.db` beside `gateway.db`; `NAME.history` beside a state file of another name.
    init(beside state: String) {
        let standard = "gateway.db"
        let isStandard = state == standard || state.hasSuffix("/" + standard)
        database = isStandard ? state.dropLast(standard.count) + "history.db" : state + ".history"
    }

    init(database: String) { self.database = database }

    var damaged: String { database + ".damaged" }
    private var logs: [String] { [database + "-wal", database + "-shm"] }

    /// All there can be.
    var all: [String] { logs + [database, damaged] }

    /// One file for its owner alone.
    func make() throws(StoreError) {
        do throws(Errno) {
            guard Files.exists(database) else { return try Files.write([], to: database) }
            let path = database
            try Syscall.call { unsafe chmod(path, 0o600) }
        } catch {
            throw StoreError(opening: error)
        }
    }

    /// Takes a file that nobody can read, or a newer version's, out of the way; one that was set
    /// aside before goes, for the two may be large.
    /// - Returns: its new name without the folder.
    func setAside() throws(StoreError) -> String {
        do throws(Errno) {
            for log in logs where Files.exists(log) {
                try Syscall.call { unsafe unlink(log) }
            }
            try Files.rename(database, to: damaged)
        } catch {
            throw StoreError(opening: error)
        }
        return damaged.split(separator: "/").last.map { String($0) } ?? damaged
    }
}

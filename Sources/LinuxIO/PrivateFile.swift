internal import Glibc

/// A file that a person named, for its owner alone.
package enum PrivateFile {
    /// What others than root may still write to the file system that it is on.
    package static func freeBytes(beside path: String) -> Int? {
        let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
        var system = statvfs()
        guard unsafe statvfs(folder.isEmpty ? "/" : String(folder), &system) == 0 else {
            return nil
        }
        return Int(clamping: UInt64(system.f_bavail) * UInt64(system.f_frsize))
    }

    package static func exists(_ path: String) -> Bool { Files.exists(path) }

    /// Whether users that are neither its owner nor of its group may read it.
    package static func isOpenToAll(_ path: String) -> Bool {
        var status = Glibc.stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IROTH != 0
    }

    /// Writes all of it, down to the medium, or leaves what was there.
    /// - Throws: also EISDIR and EEXIST for what is there and is no file to be replaced.
    package static func write(_ bytes: [UInt8], to path: String) throws(Errno) {
        var status = stat()
        if unsafe lstat(path, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFREG, S_IFLNK: break
            case S_IFDIR: throw Errno(EISDIR)
            default: throw Errno(EEXIST)
            }
        }
        let temporary = path + ".matter-gateway-new"
        do throws(Errno) {
            try Files.write(bytes, to: temporary)
            try Files.rename(temporary, to: path)
        } catch {
            _ = unsafe unlink(temporary)
            throw error
        }
        do throws(Errno) { try Files.sync(folder(of: path), isFolder: true) } catch {
            // Some media know nothing of it: the file itself has reached them.
            guard error.rawValue == EINVAL else { throw error }
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

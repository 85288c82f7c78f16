internal import Glibc

/// A folder of small files that people put there.
package enum Folder {
    /// Paths of the plain files in it, sorted, so that messages come in one order.
    /// Those whose names begin with a dot are left out.
    package static func files(in folder: String) throws(Errno) -> [String] {
        guard let directory = unsafe opendir(folder) else { throw Errno(errno) }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(
                    to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)
                ) { unsafe String(cString: $0) }
            }
            let isFolder = unsafe Int32(entry.pointee.d_type) == Int32(DT_DIR)
            if isFolder || name.hasPrefix(".") { continue }
            names.append(name)
        }
        return names.sorted().map { "\(folder)/\($0)" }
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// - Throws: EFBIG when the file is longer than `limit` octets.
    package static func read(_ path: String, limit: Int) throws(Errno) -> [UInt8] {
        try Files.read(path, limit: limit)
    }
}

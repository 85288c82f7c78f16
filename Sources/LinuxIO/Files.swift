internal import Glibc

/// The one-line files of /proc and /sys.
enum KernelFile {
    /// The file's text without its line end; nil when it cannot be read.
    static func text(_ path: String) -> String? {
        guard let bytes = try? Files.read(path, limit: 4096) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

/// Whole files, small ones.
enum Files {
    /// - Throws: EFBIG when the file is longer than `limit` octets.
    static func read(_ path: String, limit: Int) throws(Errno) -> [UInt8] {
        let file = try Descriptor { unsafe open(path, O_RDONLY | O_CLOEXEC, 0) }
        return try read(file, limit: limit)
    }

    /// Everything up to the end of an open file.
    static func read(_ file: borrowing Descriptor, limit: Int) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(limit, 4096) + 1)
        var count = 0
        let descriptor = file.rawValue
        while true {
            if count == bytes.count {
                guard count <= limit else { throw Errno(EFBIG) }
                let longer = min(2 * bytes.count, limit + 1)
                bytes.append(contentsOf: repeatElement(0, count: longer - bytes.count))
            }
            let start = count
            let read = try Syscall.call {
                unsafe bytes.withUnsafeMutableBytes { target in
                    unsafe Glibc.read(
                        descriptor, target.baseAddress! + start, target.count - start)
                }
            }
            if read == 0 { break }
            count += read
        }
        guard count <= limit else { throw Errno(EFBIG) }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}

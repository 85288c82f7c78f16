internal import Crypto
internal import Glibc

/// The one-line files of /proc and /sys.
package enum KernelFile {
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

    /// The same into memory that is wiped.
    static func readSecret(_ path: String, limit: Int) throws(Errno) -> Secret {
        let file = try Descriptor { unsafe open(path, O_RDONLY | O_CLOEXEC, 0) }
        let descriptor = file.rawValue
        var count = 0
        let buffer = try Secret(count: limit + 1) { octets throws(Errno) in
            while count < octets.count {
                let start = count
                let read = unsafe octets.withUnsafeMutableBufferPointer { target in
                    unsafe Glibc.read(
                        descriptor, target.baseAddress! + start, target.count - start)
                }
                if read < 0, errno == EINTR { continue }
                guard read >= 0 else { throw Errno(errno) }
                if read == 0 { break }
                count += read
            }
        }
        guard count <= limit else { throw Errno(EFBIG) }
        return Secret(buffer.span.extracting(0..<count))
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

    /// Writes a new file that only its owner may read, down to the medium.
    static func write(_ bytes: [UInt8], to path: String) throws(Errno) {
        // One that a crash has left has no value.
        _ = unsafe unlink(path)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let file = try Descriptor { unsafe open(path, flags, 0o600) }
        let descriptor = file.rawValue
        var written = 0
        while written < bytes.count {
            written += try Syscall.call {
                unsafe bytes.withUnsafeBytes { source in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: source[written...])
                    return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                }
            }
        }
        try Syscall.call { fsync(descriptor) }
    }

    static func rename(_ path: String, to target: String) throws(Errno) {
        try Syscall.call { unsafe Glibc.rename(path, target) }
    }

    /// Brings a file, or the names in a folder, to the medium.
    static func sync(_ path: String, isFolder: Bool = false) throws(Errno) {
        let flags = O_RDONLY | O_CLOEXEC | (isFolder ? O_DIRECTORY : 0)
        let file = try Descriptor { unsafe open(path, flags, 0) }
        let descriptor = file.rawValue
        try Syscall.call { fsync(descriptor) }
    }

    static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }
}

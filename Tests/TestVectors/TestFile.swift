internal import Glibc

/// What a test takes from its surroundings and leaves there, without Foundation: these tests run
/// on other architectures too, where Swift's own tools may lack it.
package enum TestFile {
    /// The value of an environment variable; nil where it is not set.
    package static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The whole file, or nil where it cannot be read.
    package static func read(_ path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "re") else { return nil }
        defer { unsafe fclose(file) }
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe fread(&part, 1, part.count, file)
            guard count > 0 else { break }
            content += part[..<count]
        }
        return unsafe ferror(file) == 0 ? content : nil
    }

    /// In the place of what is there; false where that cannot be.
    package static func write(_ text: String, to path: String) -> Bool {
        guard let file = unsafe fopen(path, "we") else { return false }
        let isWritten = unsafe fputs(text, file) >= 0
        return unsafe fclose(file) == 0 && isWritten
    }

    /// The folder of the project, from where this file was compiled.
    package static var project: String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }
}

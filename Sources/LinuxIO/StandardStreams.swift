internal import Glibc

/// What goes to the user and to programs. Whole texts at a time; a closed pipe ends nothing.
package enum StandardStreams {
    package static func writeOutput(_ text: String) { write(text, to: STDOUT_FILENO) }
    package static func writeError(_ text: String) { write(text, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { source in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: source[written...])
                return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0 {
                guard errno == EINTR else { return }
                continue
            }
            written += count
        }
    }
}

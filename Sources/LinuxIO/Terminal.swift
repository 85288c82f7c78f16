internal import CLinux
package import Crypto
internal import Glibc

/// The terminal, or what stands in its place, at a descriptor.
package struct Terminal: Sendable {
    package let descriptor: Int32

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    package static let input = Terminal(STDIN_FILENO)
    package static let output = Terminal(STDOUT_FILENO)
    package static let error = Terminal(STDERR_FILENO)

    package static let lineLimit = Limits.secretLine
    package static let inputLimit = Limits.secretInput

    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Characters; nil when this is no terminal or does not know (a serial line).
    package var size: (columns: Int, rows: Int)? {
        var columns: UInt16 = 0
        var rows: UInt16 = 0
        guard unsafe clinux_terminal_size(descriptor, &columns, &rows) == 0, columns > 0, rows > 0
        else { return nil }
        return (Int(columns), Int(rows))
    }

    /// Whether it takes some hundred octets at once: nothing much waits, and nobody has stopped it.
    package var isWritable: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLOUT) != 0
    }

    /// Reads a line while the terminal shows nothing of it. Blocks; for command lines.
    ///
    /// When a signal asks the program to end or to stop meanwhile, the terminal is set back
    /// first and the signal takes its course after.
    /// - Parameter limit: octets without the line's end.
    package func readHiddenLine(limit: Int = Terminal.lineLimit) throws(TerminalError) -> Secret {
        let mask = SignalMask(blocking: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP])
        // The modes are set back before the mask goes.
        defer { withExtendedLifetime(mask) {} }
        do throws(Errno) {
            let signals = try mask.makeDescriptor()
            return try withoutEcho { () throws(Errno) in
                try collect(limit: limit, stopsAtLine: true) { () throws(Errno) in
                    try waitForInput(or: signals)
                    guard let number = mask.next(from: signals) else { return }
                    // It is blocked still, and comes when the mask goes.
                    _ = raise(number)
                    throw Errno(EINTR)
                }
            }
        } catch {
            throw TerminalError(error)
        }
    }

    /// Reads a line that the terminal shows as it is typed. Blocks; a signal ends the program.
    package func readLine(limit: Int = Terminal.lineLimit) throws(TerminalError) -> Secret {
        do throws(Errno) {
            return try collect(limit: limit, stopsAtLine: true) {}
        } catch {
            throw TerminalError(error)
        }
    }

    private func withoutEcho<Value>(
        _ body: () throws(Errno) -> Value
    ) throws(Errno) -> Value {
        var modes = termios()
        try Syscall.call { unsafe tcgetattr(descriptor, &modes) }
        var hidden = modes
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // What was typed ahead has been shown and is thrown away.
        try Syscall.call { unsafe tcsetattr(descriptor, TCSAFLUSH, &hidden) }
        defer { _ = unsafe tcsetattr(descriptor, TCSADRAIN, &modes) }
        return try body()
    }

    /// Reads everything up to the end of the input, without a line end at its end. Blocks.
    package func readAll(limit: Int = Terminal.inputLimit) throws(TerminalError) -> Secret {
        do throws(Errno) {
            return try collect(limit: limit, stopsAtLine: false) {}
        } catch {
            throw TerminalError(error)
        }
    }

    private func waitForInput(or signals: borrowing Descriptor) throws(Errno) {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals.rawValue, events: Int16(POLLIN), revents: 0),
        ]
        try Syscall.call { unsafe poll(&waiting, 2, -1) }
    }

    /// Collects octets in a buffer that is wiped.
    private func collect(
        limit: Int, stopsAtLine: Bool, beforeReading wait: () throws(Errno) -> Void
    ) throws(Errno) -> Secret {
        // Room for the line's end, and for one octet that shows that the input is too long.
        let buffer = WipedBuffer(count: limit + 3)
        var count = 0
        while count < buffer.count {
            try wait()
            let read = try buffer.read(from: descriptor, at: count)
            count += read
            if read == 0 { break }
            if stopsAtLine, buffer.octet(count - 1) == 0x0A { break }
        }
        if count > 0, buffer.octet(count - 1) == 0x0A { count -= 1 }
        if count > 0, buffer.octet(count - 1) == 0x0D { count -= 1 }
        guard count <= limit else { throw Errno(EFBIG) }
        return buffer.secret(count: count)
    }
}

package enum TerminalError: Error, Equatable {
    /// More octets than are allowed; nothing is kept.
    case tooLong
    /// A signal came while the line was typed.
    case interrupted
    case system(Errno)

    fileprivate init(_ error: Errno) {
        switch error.rawValue {
        case EFBIG: self = .tooLong
        case EINTR: self = .interrupted
        default: self = .system(error)
        }
    }
}

/// Memory for what is being typed, wiped at its end.
@safe private final class WipedBuffer {
    let count: Int
    private let start: UnsafeMutablePointer<UInt8>

    init(count: Int) {
        self.count = count
        unsafe start = .allocate(capacity: count)
        unsafe start.initialize(repeating: 0, count: count)
    }

    deinit {
        unsafe explicit_bzero(start, count)
        unsafe start.deallocate()
    }

    func octet(_ index: Int) -> UInt8 {
        precondition(index >= 0 && index < count, "the index is inside the buffer")
        return unsafe start[index]
    }

    /// - Returns: the octets read from `offset` on; 0 at the end of the input.
    func read(from descriptor: Int32, at offset: Int) throws(Errno) -> Int {
        precondition(offset >= 0 && offset < count, "the offset is inside the buffer")
        return try Syscall.call { unsafe Glibc.read(descriptor, start + offset, count - offset) }
    }

    func secret(count: Int) -> Secret {
        precondition(count >= 0 && count <= self.count, "the secret is inside the buffer")
        return unsafe Secret(Span(_unsafeStart: start, count: count))
    }
}

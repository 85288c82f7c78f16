internal import Glibc

/// A system call's error number.
package struct Errno: Error, Hashable, Sendable {
    package let rawValue: Int32

    package init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The error of the call just made.
    static var last: Errno { Errno(errno) }

    /// Another program has it.
    package var isBusy: Bool { rawValue == EBUSY }
    /// No such file, or the device behind it has gone.
    package var isMissing: Bool { rawValue == ENOENT || rawValue == ENODEV || rawValue == ENXIO }
    package var isRefused: Bool { rawValue == EACCES || rawValue == EPERM }
}

extension Errno {
    /// The file system's rights, and nothing else.
    package var isDenial: Bool { rawValue == EACCES || rawValue == EPERM }
}

extension Errno: CustomStringConvertible {
    /// The system's words for it: "No such file or directory".
    package var description: String {
        unsafe strerror(rawValue).map { unsafe String(cString: $0) } ?? "error \(rawValue)"
    }
}

/// One policy for every system call: a signal in between is no error, and what can only be our
/// own fault (a closed descriptor, a wild pointer) stops the program.
package enum Syscall {
    /// - Returns: the call's result, 0 or more.
    @discardableResult
    package static func call<Value: SignedInteger>(_ body: () -> Value) throws(Errno) -> Value {
        let value = uninterrupted(body)
        guard value < 0 else { return value }
        throw fault()
    }

    /// - Returns: the call's result, or nil when it would have blocked; that is no error and
    ///   happens at the end of every burst of datagrams.
    package static func attempt<Value: SignedInteger>(_ body: () -> Value) throws(Errno) -> Value? {
        let value = uninterrupted(body)
        guard value < 0 else { return value }
        if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
        throw fault()
    }

    private static func uninterrupted<Value: SignedInteger>(_ body: () -> Value) -> Value {
        while true {
            let value = body()
            if value >= 0 || errno != EINTR { return value }
        }
    }

    private static func fault() -> Errno {
        let error = Errno.last
        precondition(error.rawValue != EBADF, "the descriptor is open while it is used")
        precondition(error.rawValue != EFAULT, "the buffer is valid during the call")
        return error
    }
}

/// A descriptor that is closed when its owner goes.
package struct Descriptor: ~Copyable {
    package let rawValue: Int32

    /// Takes over an open descriptor.
    package init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Runs a call that makes a descriptor.
    package init(_ body: () -> Int32) throws(Errno) {
        rawValue = try Syscall.call(body)
    }

    deinit {
        // Never repeated: the descriptor is gone even when a signal came in between.
        _ = close(rawValue)
    }
}

extension Descriptor {
    func setOption(_ level: Int, _ name: Int32, _ value: Int32) throws(Errno) {
        try setOption(level, name, content: value)
    }

    /// For options whose value is a C structure.
    /// - Parameter level: an `IPPROTO_` constant, or `SOL_SOCKET`.
    func setOption<Content>(_ level: Int, _ name: Int32, content: Content) throws(Errno) {
        try Syscall.call {
            unsafe withUnsafePointer(to: content) { pointer in
                let size = socklen_t(MemoryLayout<Content>.size)
                return unsafe setsockopt(rawValue, Int32(level), name, pointer, size)
            }
        }
    }
}

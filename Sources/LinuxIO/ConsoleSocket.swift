internal import CLinux
package import Glibc

/// The agent's socket for consoles: a name in the file system, of its owner and a group.
package final class ConsoleSocket {
    private let path: String
    private let descriptor: Descriptor
    private let poll: PollLoop

    /// Whoever calls holds the lock of the state that the path belongs to: what is found there is
    /// left over from an agent that has ended.
    /// - Parameters:
    ///   - group: whose members may connect, where there is such a group.
    ///   - accept: called on the loop with each connection.
    package init(
        _ path: String, group: String, on poll: PollLoop,
        accept: @escaping (StreamSocket) -> Void
    ) throws(Errno) {
        self.path = path
        self.poll = poll
        descriptor = try Descriptor { socket(AF_UNIX, StreamSocket.type, 0) }
        let listener = descriptor.rawValue
        try LocalAddress.checkLength(path)
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            // Where it is there already, it is whoever made it who decides on its rights.
            _ = unsafe mkdir(String(path[..<slash]), 0o755)
        }
        _ = unsafe unlink(path)
        // Nobody else may connect before the rights are set.
        let mask = umask(0o177)
        let bound = unsafe LocalAddress.call(path) { unsafe bind(listener, $0, $1) }
        umask(mask)
        try Syscall.call { bound }
        if let group = LocalGroup.id(of: group) {
            // A user outside the group cannot give it the socket: then it is its owner's alone.
            if unsafe chown(path, uid_t.max, group) == 0 { _ = unsafe chmod(path, 0o660) }
        }
        try Syscall.call { listen(listener, Limits.pendingConsoles) }
        poll.watch(listener) { [unowned self] _ in self.acceptNext(accept) }
    }

    deinit {
        poll.unwatch(descriptor.rawValue)
        _ = unsafe unlink(path)
    }

    /// One at each turn of the loop.
    private func acceptNext(_ accept: (StreamSocket) -> Void) {
        let listener = descriptor.rawValue
        // One that has gone again is no fault of ours, and neither are too many open files: what
        // waits is taken when there is room.
        let accepted = try? Syscall.attempt { clinux_accept(listener) }
        guard let accepted else { return }
        accept(StreamSocket(Descriptor(owning: accepted), on: poll))
    }
}

/// A local socket's name as the system wants it.
package enum LocalAddress {
    package static func checkLength(_ path: String) throws(Errno) {
        let room = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        guard path.utf8.count < room else { throw Errno(ENAMETOOLONG) }
    }

    @unsafe package static func call(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            for (index, octet) in path.utf8.prefix(room.count - 1).enumerated() {
                unsafe room[index] = octet
            }
        }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// Groups of this machine, without the libraries that others may come from.
enum LocalGroup {
    static func id(of name: String, in file: String = "/etc/group") -> gid_t? {
        guard let bytes = try? Files.read(file, limit: Limits.groupFile) else { return nil }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard fields.count >= 3, fields[0].elementsEqual(name.utf8) else { continue }
            return gid_t(String(decoding: fields[2], as: UTF8.self))
        }
        return nil
    }
}

internal import Base
internal import Glibc
internal import MatterNode

/// What a service manager told this process in its environment: sd_notify(3),
/// sd_watchdog_enabled(3), systemd.exec(5).
package struct ServiceEnvironment: Equatable, Sendable {
    /// Where states are told; an abstract name begins with @.
    package let socket: String?
    /// Within which time the manager must hear that the process lives.
    package let watchdog: Duration?
    /// The journal's stream, as device and inode.
    let journal: String?

    init(processID: Int32, variable: (String) -> String?) {
        let name = variable("NOTIFY_SOCKET") ?? ""
        // The terminating zero of a path, and the zero in place of an @, must fit as well.
        let isSocket =
            name.utf8.count > 1
            && name.utf8.count
                < MemoryLayout.size(
                    ofValue: sockaddr_un().sun_path)
        socket = isSocket && (name.hasPrefix("/") || name.hasPrefix("@")) ? name : nil
        let isOurs = variable("WATCHDOG_PID").map { Int32($0) == processID } ?? true
        let microseconds = variable("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
        watchdog = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
        journal = variable("JOURNAL_STREAM")
    }

    /// That of this process.
    package static var current: ServiceEnvironment {
        ServiceEnvironment(processID: getpid()) { name in
            unsafe getenv(name).map { unsafe String(cString: $0) }
        }
    }

    /// Whether a service manager started this process.
    package var isService: Bool { socket != nil || journal != nil }

    /// Whether standard error goes to the journal, which reads levels.
    package var isJournal: Bool {
        var status = stat()
        guard let journal, unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
        return journal == "\(status.st_dev):\(status.st_ino)"
    }
}

/// Tells the service manager how the process is, by the protocol of sd_notify(3), and feeds its
/// watchdog from the loop: a loop that is stuck does not.
///
/// What cannot be sent is lost; a manager that needs it ends the process, and starts it again.
package final class ServiceNotifier {
    private let poll: PollLoop
    private let descriptor: Descriptor
    private let address: sockaddr_un
    private let length: socklen_t
    private let interval: Duration?
    private var timer: TimerID?

    /// - Returns: nil where no manager wants to know.
    package init?(_ environment: ServiceEnvironment, on poll: PollLoop) {
        guard let name = environment.socket else { return nil }
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        do throws(Errno) {
            descriptor = try Descriptor { socket(AF_UNIX, kind, 0) }
        } catch { return nil }
        self.poll = poll
        (address, length) = Self.address(name)
        // Half the time, as the manual advises: one feeding may come late.
        interval = environment.watchdog.map { $0 / 2 }
    }

    deinit { stopFeeding() }

    /// The process does its work now; from here on the watchdog is fed.
    package func ready(_ status: String) {
        send("READY=1\nSTATUS=\(status)")
        if timer == nil { feed() }
    }

    /// One line for `systemctl status`.
    package func status(_ text: String) { send("STATUS=\(text.escapingControls)") }

    package func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(poll.loop.now.nanoseconds / 1000)")
    }

    package func stopping() { send("STOPPING=1\nSTATUS=stopping") }

    /// Stops feeding the watchdog.
    package func stopFeeding() {
        if let timer { poll.loop.cancel(timer) }
        timer = nil
    }

    private func feed() {
        guard let interval else { return }
        send("WATCHDOG=1")
        timer = poll.loop.schedule(at: poll.loop.now + interval) { [weak self] in self?.feed() }
    }

    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        let socket = descriptor.rawValue
        _ = try? Syscall.attempt {
            unsafe withUnsafePointer(to: address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                    unsafe sendto(
                        socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), generic, length)
                }
            }
        }
    }

    private static func address(_ name: String) -> (sockaddr_un, socklen_t) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
            for (index, octet) in name.utf8.enumerated() { unsafe path[index] = octet }
            if name.hasPrefix("@") { unsafe path[0] = 0 }
        }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        // An abstract name ends with its length, a path with a zero.
        let count = name.utf8.count + (name.hasPrefix("@") ? 0 : 1)
        return (address, socklen_t(start + count))
    }
}

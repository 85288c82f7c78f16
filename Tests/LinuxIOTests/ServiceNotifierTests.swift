import Base
import Glibc
import MatterNode
import Testing

@testable import LinuxIO

@Suite("ServiceNotifier")
struct ServiceNotifierTests {
    /// A service manager's end.
    private final class Manager {
        let name: String
        private let socket: Int32

        init(isAbstract: Bool) {
            let place = "/tmp/notify-\(getpid())-\(UInt32.random(in: 0 ... .max))"
            name = isAbstract ? "@" + place : place
            let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            socket = Glibc.socket(AF_UNIX, kind, 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let octets = Array(name.utf8)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
                for (index, octet) in octets.enumerated() { unsafe path[index] = octet }
                if isAbstract { unsafe path[0] = 0 }
            }
            let length = socklen_t(2 + octets.count + (isAbstract ? 0 : 1))
            let result = unsafe withUnsafePointer(to: address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                    unsafe bind(socket, generic, length)
                }
            }
            precondition(result == 0)
        }

        deinit {
            close(socket)
            _ = unsafe unlink(name)
        }

        /// What was told since the last time.
        func told() -> [String] {
            var texts: [String] = []
            var bytes = [UInt8](repeating: 0, count: 512)
            while true {
                let count = unsafe recv(socket, &bytes, bytes.count, 0)
                if count <= 0 { return texts }
                texts.append(String(decoding: bytes[..<count], as: UTF8.self))
            }
        }
    }

    private static func environment(_ values: [String: String]) -> ServiceEnvironment {
        ServiceEnvironment(processID: 42) { values[$0] }
    }

    @Test("states are told to a path and to an abstract name", arguments: [false, true])
    func states(isAbstract: Bool) throws {
        let manager = Manager(isAbstract: isAbstract)
        let poll = PollLoop()
        let notifier = try #require(
            ServiceNotifier(Self.environment(["NOTIFY_SOCKET": manager.name]), on: poll))
        notifier.ready("running")
        #expect(manager.told() == ["READY=1\nSTATUS=running"])
        notifier.status("one\nREADY=0")
        #expect(manager.told() == ["STATUS=one\\u{A}READY=0"])
        notifier.reloading()
        #expect(manager.told()[0].hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        notifier.stopping()
        #expect(manager.told() == ["STOPPING=1\nSTATUS=stopping"])
        #expect(poll.loop.nextDeadline == nil)
    }

    @Test("the loop feeds the watchdog, twice within its time, until the end")
    func watchdog() throws {
        let manager = Manager(isAbstract: true)
        let poll = PollLoop()
        let environment = Self.environment([
            "NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "42",
        ])
        #expect(environment.watchdog == .seconds(30))
        let notifier = try #require(ServiceNotifier(environment, on: poll))
        let start = poll.loop.now
        notifier.ready("running")
        #expect(manager.told().last == "WATCHDOG=1")
        let deadline = try #require(poll.loop.nextDeadline)
        #expect(deadline - start >= .seconds(15) && deadline - start < .seconds(16))
        poll.loop.fireTimers(at: deadline)
        #expect(manager.told() == ["WATCHDOG=1"])
        notifier.ready("running")
        #expect(manager.told().count == 1)
        notifier.stopFeeding()
        #expect(poll.loop.nextDeadline == nil)
    }

    @Test("a manager that is gone is no fault")
    func gone() throws {
        let poll = PollLoop()
        let environment = Self.environment(["NOTIFY_SOCKET": "/nowhere/at/all"])
        let notifier = try #require(ServiceNotifier(environment, on: poll))
        notifier.ready("running")
    }

    @Test("what the environment says is taken with care")
    func environment() {
        #expect(!Self.environment([:]).isService)
        #expect(Self.environment(["JOURNAL_STREAM": "1:2"]).isService)
        #expect(!Self.environment(["JOURNAL_STREAM": "1:2"]).isJournal)
        for name in ["", "/", "relative", "@", "/" + String(repeating: "x", count: 107)] {
            #expect(Self.environment(["NOTIFY_SOCKET": name]).socket == nil)
        }
        let longest = "/" + String(repeating: "x", count: 106)
        #expect(Self.environment(["NOTIFY_SOCKET": longest]).socket == longest)
        for time in ["", "0", "-5", "x", "99999999999999999999999"] {
            #expect(Self.environment(["WATCHDOG_USEC": time]).watchdog == nil)
        }
        let foreign = Self.environment(["WATCHDOG_USEC": "5", "WATCHDOG_PID": "43"])
        #expect(foreign.watchdog == nil)
    }
}

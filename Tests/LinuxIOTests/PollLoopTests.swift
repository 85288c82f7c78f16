import Base
import Foundation
import Glibc
import MatterNode
import Testing

@testable import LinuxIO

/// Two connected ends of a local stream.
private final class Pair {
    let left: Int32
    let right: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let result = unsafe socketpair(AF_UNIX, type, 0, &ends)
        precondition(result == 0, "a local socket pair can be made")
        left = ends[0]
        right = ends[1]
    }

    func put(_ text: String) {
        _ = unsafe text.withCString { unsafe send(left, $0, strlen($0), 0) }
    }

    func take() -> String {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe recv(right, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    deinit {
        close(left)
        close(right)
    }
}

@Suite("PollLoop")
struct PollLoopTests {
    private let poll = PollLoop()

    @Test("a flow runs to its value, and timers wake it not a moment early")
    func flow() {
        let loop = poll.loop
        let start = loop.now
        let value = poll.run { () async -> Int in
            try? await loop.sleep(for: .milliseconds(5))
            return 7
        }
        #expect(value == 7)
        #expect(loop.now - start >= .milliseconds(5))
    }

    @Test("a flow's error comes out of run")
    func flowError() {
        #expect(throws: Errno(5)) {
            try poll.run { () async throws(Errno) -> Int in throw Errno(5) }
        }
    }

    @Test("a readable descriptor calls its handler, until the watch ends")
    func readable() {
        let pair = Pair()
        var received: [String] = []
        poll.watch(pair.right) { events in
            #expect(events.contains(.readable))
            received.append(pair.take())
        }
        pair.put("one")
        poll.run { received.count == 1 }
        pair.put("two")
        poll.run { received.count == 2 }
        #expect(received == ["one", "two"])
        poll.unwatch(pair.right)
        pair.put("three")
        let loop = poll.loop
        poll.run { () async -> Void in try? await loop.sleep(for: .milliseconds(2)) }
        #expect(received == ["one", "two"])
    }

    @Test("a handler may end any watch; what was ended is not called in the same turn")
    func unwatchInside() {
        let first = Pair()
        let second = Pair()
        var calls: [String] = []
        let poll = poll
        poll.watch(first.right) { _ in
            calls.append("first")
            poll.unwatch(first.right)
            poll.unwatch(second.right)
        }
        poll.watch(second.right) { _ in
            calls.append("second")
            poll.unwatch(first.right)
            poll.unwatch(second.right)
        }
        first.put("x")
        second.put("x")
        poll.run { !calls.isEmpty }
        #expect(calls == ["first"])
    }

    @Test("a handler may close its descriptor and watch a new one that gets the same number")
    func reuseInside() {
        let poll = poll
        var pair: Pair? = Pair()
        var fresh: Pair?
        var calls: [String] = []
        poll.watch(pair!.right) { _ in
            calls.append("old")
            poll.unwatch(pair!.right)
            pair = nil
            fresh = Pair()
            poll.watch(fresh!.right) { _ in calls.append(fresh!.take()) }
        }
        pair!.put("x")
        poll.run { !calls.isEmpty }
        #expect(calls == ["old"])
        fresh!.put("new")
        poll.run { calls.count == 2 }
        #expect(calls == ["old", "new"])
        poll.unwatch(fresh!.right)
    }

    @Test("what a descriptor is watched for can change; a hang-up is always told")
    func updates() {
        var pair: Pair? = Pair()
        var seen: PollEvents = []
        let descriptor = dup(pair!.right)
        poll.watch(descriptor, .writable) { seen = $0 }
        poll.run { seen.contains(.writable) }
        seen = []
        poll.update(descriptor, .readable)
        pair = nil
        poll.run { !seen.isEmpty }
        #expect(seen.contains(.hangup))
        poll.unwatch(descriptor)
        close(descriptor)
    }

    @Test("the wait for a timer uses no processor time")
    func noSpin() {
        let loop = poll.loop
        let before = Self.threadTime()
        poll.run { () async -> Void in try? await loop.sleep(for: .milliseconds(100)) }
        #expect(Self.threadTime() - before < 20_000_000)
    }

    /// Nanoseconds of processor time that this thread has used.
    private static func threadTime() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    @Test("a job from a foreign thread stops the program")
    func foreignThread() async {
        await #expect(processExitsWith: .failure) {
            let loop = PollLoop().loop
            let thread = Thread { loop.spawn {} }
            thread.start()
            while !thread.isFinished { usleep(1000) }
        }
    }

    @Test("a wait that nothing can end stops the program")
    func endlessWait() async {
        await #expect(processExitsWith: .failure) {
            PollLoop().run { false }
        }
    }
}

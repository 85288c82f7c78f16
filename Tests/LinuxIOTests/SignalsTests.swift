import Glibc
import Testing

@testable import LinuxIO

@Suite("Signals")
struct SignalsTests {
    /// Signals raised here reach this thread alone, which no other test shares meanwhile.
    @Test("each signal comes to the handler on the loop, and is not delivered otherwise")
    func delivery() throws {
        let poll = PollLoop()
        var received: [Signals.Kind] = []
        let signals = try Signals(on: poll) { received.append($0) }
        for number in [SIGHUP, SIGTERM, SIGINT] {
            let before = received.count
            raise(number)
            poll.run { received.count > before }
        }
        #expect(received == [.hangUp, .terminate, .interrupt])
        withExtendedLifetime(signals) {}
    }

    @Test("a closed pipe is an error of the call once broken pipes are ignored")
    func brokenPipe() async {
        await #expect(processExitsWith: .success) {
            Signals.ignoreBrokenPipes()
            var ends: [Int32] = [-1, -1]
            _ = unsafe pipe(&ends)
            close(ends[0])
            let result = unsafe write(ends[1], "x", 1)
            exit(result == -1 && errno == EPIPE ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}

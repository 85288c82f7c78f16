import Glibc
import Testing

@testable import LinuxIO

@Suite("InputLines")
struct InputLinesTests {
    /// What comes of the octets, written whole and then closed.
    private func lines(_ octets: [UInt8]) throws -> [String] {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let written = unsafe octets.withUnsafeBytes {
            unsafe Glibc.write(ends[1], $0.baseAddress, $0.count)
        }
        try #require(written == octets.count)
        Glibc.close(ends[1])
        let poll = PollLoop()
        var lines: [String] = []
        let input = InputLines(Terminal(ends[0]), on: poll) { lines.append($0) }
        defer {
            input.stop()
            Glibc.close(ends[0])
        }
        poll.run { input.hasEnded }
        return lines
    }

    @Test("lines come one by one, the last without an end too")
    func lines() throws {
        #expect(try lines(Array("on\n\noff\r\nrest".utf8)) == ["on", "", "off\r", "rest"])
        #expect(try lines([]) == [])
    }

    @Test("a line that is too long comes cut, and the next one whole")
    func overlong() throws {
        let long = [UInt8](repeating: 0x41, count: 2000)
        let found = try lines(long + Array("\nnext\n".utf8))
        #expect(found.map(\.utf8.count) == [Limits.inputLine, 4])
    }
}

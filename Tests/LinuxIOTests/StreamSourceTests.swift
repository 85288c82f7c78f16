import Glibc
import MatterNode
import Testing

@testable import LinuxIO

@Suite("StreamSource")
struct StreamSourceTests {
    /// What callbacks have read.
    private final class Read: @unchecked Sendable {
        var texts: [String] = []
    }

    /// The text of one reading; nil when none waits.
    private static func receive(_ source: StreamSource) -> String? {
        var bytes = [UInt8](repeating: 0, count: 16)
        var span = bytes.mutableSpan
        guard let count = source.receive(into: &span) else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    @Test("what is typed is called for and read, without blocking")
    func reading() {
        let poll = PollLoop()
        let terminal = PseudoTerminal()
        let source = StreamSource(Terminal(terminal.program), on: poll)
        #expect(Self.receive(source) == nil)
        let read = Read()
        source.onReadable = { [unowned source] in
            if let text = Self.receive(source) { read.texts.append(text) }
        }
        terminal.type("MT:A\n")
        poll.run { read.texts.count == 1 }
        #expect(Self.receive(source) == nil)
        terminal.type("0123456789abcdefXYZ\n")
        poll.run { read.texts.count == 3 }
        #expect(read.texts == ["MT:A\n", "0123456789abcdef", "XYZ\n"])
        source.onReadable = nil
    }

    @Test("the end of the input stays the end")
    func end() {
        let poll = PollLoop()
        let descriptor = pipe(holding: "A\n")
        defer { close(descriptor) }
        let source = StreamSource(Terminal(descriptor), on: poll)
        #expect(Self.receive(source) == "A\n")
        #expect(Self.receive(source) == "")
        #expect(Self.receive(source) == "")
    }

    @Test("a terminal gives keys while the modes last, and lines again afterwards")
    func modes() throws {
        let poll = PollLoop()
        let terminal = PseudoTerminal()
        let source = StreamSource(Terminal(terminal.program), on: poll)
        let read = Read()
        source.onReadable = { [unowned source] in
            if let text = Self.receive(source) { read.texts.append(text) }
        }
        do {
            let keys = try TerminalModes(.keys, of: Terminal(terminal.program))
            #expect(!terminal.echoes)
            terminal.type("x")
            poll.run { read.texts == ["x"] }
            withExtendedLifetime(keys) {}
        }
        #expect(terminal.echoes)
        let hidden = try TerminalModes(.hidden, of: Terminal(terminal.program))
        #expect(!terminal.echoes)
        withExtendedLifetime(hidden) {}
        source.onReadable = nil
    }
}

import Crypto
import Glibc
import Testing

@testable import LinuxIO

/// A pseudo-terminal: what is typed, and what the program has.
final class PseudoTerminal {
    let keyboard: Int32
    let program: Int32

    init() {
        var ends: (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 25, ws_col: 81, ws_xpixel: 0, ws_ypixel: 0)
        let result = unsafe openpty(&ends.0, &ends.1, nil, nil, &size)
        precondition(result == 0, "a pseudo-terminal can be made")
        keyboard = ends.0
        program = ends.1
    }

    var echoes: Bool {
        var modes = termios()
        _ = unsafe tcgetattr(program, &modes)
        return modes.c_lflag & tcflag_t(ECHO) != 0
    }

    func type(_ text: String) {
        _ = unsafe text.withCString { unsafe write(keyboard, $0, strlen($0)) }
    }

    deinit {
        close(keyboard)
        close(program)
    }
}

/// A pipe that holds a text and has ended.
func pipe(holding text: String) -> Int32 {
    var ends: [Int32] = [-1, -1]
    _ = unsafe Glibc.pipe(&ends)
    _ = unsafe text.withCString { unsafe write(ends[1], $0, strlen($0)) }
    close(ends[1])
    return ends[0]
}

@Suite("Terminal")
struct TerminalTests {
    @Test("a terminal is told from a pipe, and its size is known")
    func kinds() {
        let pseudo = PseudoTerminal()
        let terminal = Terminal(pseudo.program)
        #expect(terminal.isTerminal)
        #expect(terminal.size?.columns == 81)
        #expect(terminal.size?.rows == 25)
        let end = pipe(holding: "")
        defer { close(end) }
        #expect(!Terminal(end).isTerminal)
        #expect(Terminal(end).size == nil)
    }

    @Test("a hidden line is read without echo, and the echo comes back")
    func hiddenLine() async {
        // In a process of its own: somebody must type after the echo has gone.
        await #expect(processExitsWith: .success) {
            let pseudo = PseudoTerminal()
            var thread = pthread_t()
            let argument = unsafe Unmanaged.passRetained(pseudo).toOpaque()
            _ = unsafe pthread_create(
                &thread, nil,
                { argument in
                    guard let argument = unsafe argument else { return nil }
                    let pseudo = unsafe Unmanaged<PseudoTerminal>.fromOpaque(argument)
                        .takeRetainedValue()
                    while pseudo.echoes { sched_yield() }
                    pseudo.type("pass word\n")
                    return nil
                }, argument)
            let line = try Terminal(pseudo.program).readHiddenLine()
            let isRight = line == Secret(Array("pass word".utf8).span) && pseudo.echoes
            exit(isRight ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("a signal while typing sets the echo back and is passed on")
    func interrupted() throws {
        let pseudo = PseudoTerminal()
        let mask = SignalMask(blocking: [SIGINT])
        let pending = try mask.makeDescriptor()
        raise(SIGINT)
        #expect(throws: TerminalError.interrupted) {
            _ = try Terminal(pseudo.program).readHiddenLine()
        }
        #expect(pseudo.echoes)
        #expect(mask.next(from: pending) == SIGINT)
    }

    @Test("what is no terminal cannot hide a line")
    func noTerminal() {
        let end = pipe(holding: "secret\n")
        defer { close(end) }
        #expect(throws: TerminalError.system(Errno(ENOTTY))) {
            _ = try Terminal(end).readHiddenLine()
        }
    }

    @Test(
        "the whole input is read without its last line end",
        arguments: [
            ("", ""), ("\n", ""), ("abc", "abc"), ("abc\n", "abc"), ("abc\r\n", "abc"),
            ("a\nb\n\n", "a\nb\n"),
        ])
    func wholeInput(text: String, expected: String) throws {
        let end = pipe(holding: text)
        defer { close(end) }
        let secret = try Terminal(end).readAll()
        #expect(secret == Secret(Array(expected.utf8).span))
    }

    @Test("an input at its bound is read, one beyond it refused")
    func bound() throws {
        for (text, isTaken) in [("12345678\r\n", true), ("123456789", false)] {
            let end = pipe(holding: text)
            defer { close(end) }
            if isTaken {
                #expect(try Terminal(end).readAll(limit: 8).count == 8)
            } else {
                #expect(throws: TerminalError.tooLong) {
                    _ = try Terminal(end).readAll(limit: 8)
                }
            }
        }
    }
}

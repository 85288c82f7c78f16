import Base
import CLinux
import Foundation
import Glibc
import MatterNode
import Testing

@testable import LinuxIO

private let quick = Reopening(first: .milliseconds(1), most: .milliseconds(4))

/// A scanner or console at a serial line, whose device file is a link that can be moved.
private final class SerialLine {
    let path = NSTemporaryDirectory() + "serial-\(UUID().uuidString)"
    let poll = PollLoop()
    private(set) var terminal: PseudoTerminal?
    var changes: [DeviceChange] = []
    var text = ""
    private var port: SerialPort?

    func plugIn() {
        let terminal = PseudoTerminal()
        let name = unsafe String(cString: ttyname(terminal.program))
        _ = unsafe unlink(path)
        _ = unsafe symlink(name, path)
        self.terminal = terminal
    }

    func pullOut() {
        _ = unsafe unlink(path)
        terminal = nil
    }

    func listen(_ mode: SerialPort.Mode = .scanner, speed: Int = 9600) -> SerialPort {
        let settings = SerialSettings(path: path, bitsPerSecond: speed)
        let port = SerialPort(settings, as: mode, on: poll, reopening: quick) {
            [unowned self] in changes.append($0)
        }
        self.port = port
        port.onReadable = { [unowned self] in read() }
        return port
    }

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            var span = bytes.mutableSpan
            guard let count = port?.receive(into: &span) else { return }
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    func modes() -> termios {
        var modes = termios()
        if let terminal { _ = unsafe tcgetattr(terminal.program, &modes) }
        return modes
    }

    deinit {
        port?.onReadable = nil
        _ = unsafe unlink(path)
    }
}

@Suite("SerialPort")
struct SerialPortTests {
    @Test("the line is raw and of its speed while it is ours, and as before afterwards")
    func modes() {
        let line = SerialLine()
        line.plugIn()
        let before = line.modes()
        let port = line.listen(speed: 115_200)
        let during = line.modes()
        #expect(during.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0)
        #expect(unsafe withUnsafePointer(to: during) { unsafe cfgetispeed($0) } == speed_t(B115200))
        line.terminal?.type("MT:A\rMT:B\r\n")
        line.poll.run { line.text == "MT:A\rMT:B\r\n" }
        port.onReadable = nil
        let after = line.modes()
        #expect(after.c_lflag == before.c_lflag)
        #expect(after.c_iflag == before.c_iflag)
        #expect(after.c_cflag == before.c_cflag)
        #expect(line.changes.isEmpty)
    }

    @Test("a scanner that is pulled out and put back goes on, and half a line ends there")
    func replugging() {
        let line = SerialLine()
        line.plugIn()
        let port = line.listen()
        line.terminal?.type("MT:HALF")
        line.poll.run { line.text == "MT:HALF" }
        line.pullOut()
        line.poll.run { !line.changes.isEmpty }
        #expect(line.changes == [.gone])
        #expect(line.text == "MT:HALF\n")
        line.plugIn()
        line.poll.run { line.changes.count == 2 }
        #expect(line.changes == [.gone, .opened])
        line.terminal?.type("MT:WHOLE\r")
        line.poll.run { line.text == "MT:HALF\nMT:WHOLE\r" }
        port.onReadable = nil
    }

    @Test("one that is not there at the start is told once, and found when it comes")
    func lateArrival() {
        let line = SerialLine()
        let port = line.listen()
        #expect(line.changes == [.unavailable(Errno(ENOENT))])
        let soon = line.poll.loop.now + .milliseconds(30)
        var isSoon = false
        _ = line.poll.loop.schedule(at: soon) { isSoon = true }
        line.poll.run { isSoon }
        #expect(line.changes.count == 1)
        line.plugIn()
        line.poll.run { line.changes.count == 2 }
        #expect(line.changes.last == .opened)
        port.onReadable = nil
    }

    @Test("what is no serial line, or is another's, is told")
    func refusals() {
        let line = SerialLine()
        _ = FileManager.default.createFile(atPath: line.path, contents: nil)
        let file = line.listen()
        #expect(line.changes == [.unavailable(Errno(ENOTTY))])
        file.onReadable = nil

        let shared = SerialLine()
        shared.plugIn()
        let first = shared.listen()
        var refused: [DeviceChange] = []
        let second = SerialPort(
            SerialSettings(path: shared.path), as: .scanner, on: shared.poll, reopening: quick
        ) { refused.append($0) }
        second.onReadable = {}
        #expect(refused == [.unavailable(Errno(EBUSY))])
        second.onReadable = nil
        first.onReadable = nil
    }

    @Test("a console echoes and mends lines, hides what is secret, and shows what is written")
    func console() {
        let line = SerialLine()
        line.plugIn()
        let port = line.listen(.console)
        line.terminal?.type("statuz\u{7F}s\r")
        line.poll.run { line.text == "status\n" }
        #expect(line.terminal?.echoes == true)
        port.hidesInput = true
        #expect(line.terminal?.echoes == false)
        port.hidesInput = false
        #expect(line.terminal?.echoes == true)
        line.terminal?.drain()
        port.write("one\ntwo\n")
        #expect(line.terminal?.shown(8 + 2) == "one\r\ntwo\r\n")
        port.onReadable = nil
    }

    @Test("a console that hides what is typed does so too when it comes late or is put back")
    func hidden() {
        let line = SerialLine()
        let port = line.listen(.console)
        port.hidesInput = true
        line.plugIn()
        line.poll.run { line.changes.last == .opened }
        #expect(line.terminal?.echoes == false)
        line.pullOut()
        line.poll.run { line.changes.last == .gone }
        line.plugIn()
        line.poll.run { line.changes.last == .opened }
        #expect(line.terminal?.echoes == false)
        port.hidesInput = false
        #expect(line.terminal?.echoes == true)
        port.onReadable = nil
    }

    @Test("keys come one by one and unseen while a console takes them, and no Enter is made up")
    func keys() {
        let line = SerialLine()
        line.plugIn()
        let port = line.listen(.console)
        port.takesKeys = true
        port.hidesInput = true
        port.hidesInput = false
        #expect(line.terminal?.echoes == false)
        line.terminal?.type("t")
        line.poll.run { line.text == "t" }
        line.pullOut()
        line.poll.run { line.changes.last == .gone }
        line.plugIn()
        line.poll.run { line.changes.last == .opened }
        line.terminal?.type("\u{1B}[A")
        line.poll.run { line.text.count >= 4 }
        #expect(line.text == "t\u{1B}[A")
        port.takesKeys = false
        #expect(line.terminal?.echoes == true)
        line.terminal?.type("log\r")
        line.poll.run { line.text.hasSuffix("log\n") }
        port.onReadable = nil
    }

    @Test("a line that takes nothing blocks nobody, and is told what was left out")
    func slowLine() {
        let line = SerialLine()
        line.plugIn()
        let port = line.listen(.console)
        let text = String(repeating: String(repeating: "x", count: 99) + "\n", count: 20)
        // Far more than the kernel takes and the queue holds.
        for _ in 0..<100 { port.write(text) }
        let notice = Seen()
        line.poll.watch(line.terminal?.keyboard ?? -1) { _ in
            notice.text += line.terminal?.shown(4096) ?? ""
        }
        line.poll.run { notice.text.hasSuffix("this line is slow)\r\n") }
        line.poll.unwatch(line.terminal?.keyboard ?? -1)
        port.onReadable = nil
    }

    private final class Seen: @unchecked Sendable {
        var text = ""
    }
}

extension PseudoTerminal {
    /// What the other side shows, as much as there is.
    fileprivate func shown(_ count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let count = unsafe read(keyboard, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    fileprivate func drain() {
        var waiting = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&waiting, 1, 0) > 0 { _ = shown(256) }
    }
}

@Suite("OutputQueue")
struct OutputQueueTests {
    @Test("what does not fit is left out as a whole, and counted")
    func bound() {
        var queue = OutputQueue(bound: 10)
        queue.add("12345\n")
        queue.add("1\n2\n3\n")
        queue.add("a\n")
        #expect(queue.next(4) == Array("1234".utf8))
        queue.sent(4)
        #expect(queue.next(4) == Array("5\n".utf8))
        queue.sent(2)
        let notice = Array("(4 lines left out: this line is slow)\n".utf8)
        #expect(queue.next(100) == notice)
        queue.sent(notice.count)
        #expect(queue.next(100).isEmpty)
        queue.add("b\n")
        #expect(queue.next(100) == Array("b\n".utf8))
    }
}

@Suite("Reopening")
struct ReopeningTests {
    @Test("it waits twice as long each time, to a bound, and little again after a success")
    func growth() {
        var reopening = Reopening(first: .milliseconds(250), most: .seconds(2))
        let delays = (0..<5).map { _ in reopening.next().milliseconds }
        #expect(delays == [250, 500, 1000, 2000, 2000])
        reopening.worked()
        #expect(reopening.next() == .milliseconds(250))
    }
}

@Suite("ScannerKeys")
struct ScannerKeysTests {
    private static func press(_ code: UInt16) -> [clinux_key] {
        [clinux_key(code: code, value: 1), clinux_key(code: code, value: 0)]
    }

    private static func text(_ keys: [clinux_key]) -> String {
        var machine = ScannerKeys()
        return String(decoding: keys.flatMap { machine.receive($0) }, as: UTF8.self)
    }

    @Test("rows of keys are the characters of a keyboard of the United States")
    func rows() {
        func row(_ codes: ClosedRange<UInt16>) -> [clinux_key] { codes.flatMap(Self.press) }
        func shifted(_ keys: [clinux_key], by shift: UInt16) -> [clinux_key] {
            [clinux_key(code: shift, value: 1)] + keys + [clinux_key(code: shift, value: 0)]
        }
        let keys = row(2...13) + row(16...27) + row(30...41) + row(43...53) + row(57...57)
        #expect(Self.text(keys) == "1234567890-=qwertyuiop[]asdfghjkl;'`\\zxcvbnm,./ ")
        for shift: UInt16 in [42, 54] {
            #expect(
                Self.text(shifted(keys, by: shift) + Self.press(30))
                    == "!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:\"~|ZXCVBNM<>? a")
        }
        #expect(
            Self.text([79, 80, 81, 75, 76, 77, 71, 72, 73, 82, 96].flatMap(Self.press))
                == "1234567890\n")
    }

    @Test("caps lock, keys that are held and chords mean nothing")
    func others() {
        let capsLock = Self.press(58)
        let held = [clinux_key(code: 30, value: 2)]
        let chord =
            [clinux_key(code: 29, value: 1)] + Self.press(46) + [clinux_key(code: 29, value: 0)]
        let function = Self.press(59) + Self.press(0x2FF)
        #expect(Self.text(capsLock + held + chord + function + Self.press(30)) == "a")
    }

    @Test("keys that the kernel lost make the line no text")
    func lost() {
        let keys =
            [clinux_key(code: 42, value: 1)]
            + [clinux_key(code: UInt16(CLINUX_KEYS_LOST), value: 0)] + Self.press(30)
        #expect(Self.text(keys) == "?\u{1A}a")
    }
}

@Suite("KeyboardScanner")
struct KeyboardScannerTests {
    /// What `struct input_event` is on 64-bit machines: a time of two words, then these.
    private static func event(type: UInt16, code: UInt16, value: Int32) -> [UInt8] {
        func octets(_ value: some FixedWidthInteger) -> [UInt8] {
            (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        return [UInt8](repeating: 0, count: 16) + octets(type) + octets(code) + octets(value)
    }

    @Test("it gives lines, goes with its device, and half a line ends there")
    func lines() {
        // A pipe with a name stands for the device.
        let path = NSTemporaryDirectory() + "keys-\(UUID().uuidString)"
        _ = unsafe mkfifo(path, 0o600)
        defer { _ = unsafe unlink(path) }
        let poll = PollLoop()
        let seen = Seen()
        let scanner = KeyboardScanner(path, on: poll, reopening: quick) {
            seen.changes.append($0)
        } grab: { _ in
            seen.grabs += 1
            return 0
        }
        scanner.onReadable = { [unowned scanner] in
            var bytes = [UInt8](repeating: 0, count: 2)
            while true {
                var span = bytes.mutableSpan
                guard let count = scanner.receive(into: &span) else { return }
                seen.text += String(decoding: bytes[..<count], as: UTF8.self)
            }
        }
        let device = unsafe open(path, O_WRONLY | O_NONBLOCK, 0)
        for code: UInt16 in [50, 20, 28, 2] {
            let bytes =
                Self.event(type: 4, code: 4, value: 7) + Self.event(type: 1, code: code, value: 1)
                + Self.event(type: 0, code: 0, value: 0) + Self.event(type: 1, code: code, value: 0)
            _ = unsafe write(device, bytes, bytes.count)
        }
        poll.run { seen.text == "mt\n1" }
        close(device)
        poll.run { seen.changes.contains(.gone) }
        #expect(seen.text == "mt\n1\n")
        poll.run { seen.grabs > 1 }
        scanner.onReadable = nil
    }

    private final class Seen: @unchecked Sendable {
        var text = ""
        var changes: [DeviceChange] = []
        var grabs = 0
    }
}

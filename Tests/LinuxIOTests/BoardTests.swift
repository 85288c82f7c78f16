import Base
import Foundation
import Glibc
import MatterNode
import Testing

@testable import LinuxIO

/// A folder with one LED, as the kernel shows it.
private final class LEDFolder {
    let path: String

    init(trigger: String? = "none rfkill-any [mmc0] timer") {
        path = NSTemporaryDirectory() + "leds-\(UUID().uuidString)"
        add("ACT")
        if let trigger { put("ACT/trigger", trigger) }
    }

    func add(_ name: String) {
        try? FileManager.default.createDirectory(
            atPath: "\(path)/\(name)", withIntermediateDirectories: true)
        put("\(name)/max_brightness", "255\n")
        put("\(name)/brightness", "7\n")
    }

    func put(_ name: String, _ text: String) {
        try? Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    /// The first line; the kernel's files have no other.
    func line(_ name: String) -> String? {
        guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else { return nil }
        return String(decoding: data.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

@Suite("KernelLED")
struct KernelLEDTests {
    @Test("it is off first, then as bright as it can be, and its trigger comes back")
    func showing() throws {
        let folder = LEDFolder()
        do {
            let led = try KernelLED("ACT", in: folder.path)
            #expect(folder.line("ACT/brightness") == "0")
            #expect(folder.line("ACT/trigger")?.hasPrefix("none") == true)
            led.set(true)
            #expect(folder.line("ACT/brightness") == "255")
            led.set(false)
            #expect(folder.line("ACT/brightness") == "0")
        }
        #expect(folder.line("ACT/trigger")?.hasPrefix("mmc0") == true)
    }

    @Test(
        "the trigger in brackets is the one that drives it",
        arguments: [
            ("none rfkill-any [mmc0] timer", "mmc0"), ("[none] mmc0", nil), ("", nil),
            ("]none[", nil),
        ])
    func triggers(text: String, trigger: String?) {
        #expect(KernelLED.current(in: text) == trigger)
    }

    @Test("an LED that is not there is told, and no path leads elsewhere")
    func missing() {
        let folder = LEDFolder()
        for name in ["PWR", "", "../\(folder.path)/ACT", "ACT/../ACT"] {
            #expect(throws: BoardPartError.noLED) { _ = try KernelLED(name, in: folder.path) }
        }
    }
}

@Suite("GPIOLine")
struct GPIOLineTests {
    @Test("a chip that is not there is told")
    func noChip() {
        let line = GPIOLineSettings(chip: "no-such-chip", line: .offset(0))
        let error = #expect(throws: BoardPartError.self) { _ = try GPIOLine(line, as: .input) }
        // Where there are chips that this user may not open, that is what is told.
        #expect(error == .noChip || error == .notPermitted)
    }

    @Test("an edge has the kernel's time, and never one that has not come yet")
    func edgeTimes() {
        let now = Instant(nanoseconds: 5_000)
        #expect(EdgeTime.instant(4_000, at: now) == Instant(nanoseconds: 4_000))
        #expect(EdgeTime.instant(1_700_000_000_000_000_000, at: now) == now)
    }
}

@Suite("HardwareBoard")
struct HardwareBoardTests {
    private final class Problems: @unchecked Sendable {
        var parts: [BoardPart] = []
    }

    @Test("each part that cannot be used is named, and the board works without")
    func missingParts() {
        var settings = BoardSettings()
        settings.button = GPIOLineSettings(chip: "no-such-chip", line: .name("BUTTON"))
        settings.workLamp = .led("no-such-led")
        let problems = Problems()
        let board = HardwareBoard(settings, on: PollLoop()) { part, error in
            if error != nil { problems.parts.append(part) }
        }
        #expect(problems.parts == [.button, .workLamp])
        #expect(!board.isButtonPressed)
        #expect(!board.hasFaultLamp)
        board.show(.work, isOn: true)
        board.show(.fault, isOn: true)
    }

    @Test("a part that goes while it is used is told once, and used again when it is back")
    func lostPart() throws {
        let poll = PollLoop()
        let folder = LEDFolder()
        // Takes nothing that is written to it, as the file of a LED that has gone.
        let brightness = folder.path + "/ACT/brightness"
        try FileManager.default.removeItem(atPath: brightness)
        try FileManager.default.createSymbolicLink(
            atPath: brightness, withDestinationPath: "/dev/full")
        var settings = BoardSettings()
        settings.workLamp = .led("ACT")
        let told = Told()
        let board = HardwareBoard(
            settings, on: poll, retry: .milliseconds(20), ledFolder: folder.path
        ) { part, error in told.changes.append((part, error == nil)) }
        board.onPart = { told.parts.append($0) }
        #expect(told.changes.isEmpty)
        board.show(.work, isOn: true)
        board.show(.work, isOn: false)
        #expect(told.changes.map(\.works) == [false])
        try FileManager.default.removeItem(atPath: brightness)
        folder.add("ACT")
        poll.run { !told.parts.isEmpty }
        board.show(.work, isOn: true)
        #expect(folder.line("ACT/brightness") == "255")
        #expect(told.changes.map(\.works) == [false, true] && told.parts == [.workLamp])
    }

    @Test("a part that comes later is told once, works then, and is looked for no more")
    func laterPart() {
        let poll = PollLoop()
        let folder = LEDFolder()
        var settings = BoardSettings()
        settings.workLamp = .led("later")
        settings.faultLamp = .led("ACT")
        settings.buzzer = GPIOLineSettings(chip: "no-such-chip", line: .offset(0))
        let told = Told()
        let board = HardwareBoard(
            settings, on: poll, retry: .milliseconds(5), ledFolder: folder.path
        ) { part, error in told.changes.append((part, error == nil)) }
        board.onPart = { told.parts.append($0) }
        #expect(told.changes.map(\.part) == [.workLamp, .buzzer])
        _ = poll.loop.schedule(at: poll.loop.now + .milliseconds(30)) {
            // Some tries have found nothing new to tell.
            #expect(told.changes.count == 2)
            folder.add("later")
        }
        poll.run { !told.parts.isEmpty }
        board.show(.work, isOn: true)
        #expect(folder.line("later/brightness") == "255")
        #expect(told.changes.map(\.works) == [false, false, true])
        #expect(told.parts == [.workLamp])
        #expect(board.hasFaultLamp && !board.hasBuzzer)
    }

    private final class Told: @unchecked Sendable {
        var changes: [(part: BoardPart, works: Bool)] = []
        var parts: [BoardPart] = []
    }
}

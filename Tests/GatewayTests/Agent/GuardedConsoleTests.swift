import Base
import Crypto
import Gateway
import MatterNode
import Simulation
import Testing

@Suite("GuardedConsole: the PIN of serial consoles")
struct GuardedConsoleTests {
    private final class Shown: @unchecked Sendable {
        var lines: [String] = []
        var isHidden = false
    }

    private let building: Building
    private let terminal = ScriptedSource()
    private let shown = Shown()
    private let lock: GuardedConsole
    private let input: LineInput

    init() throws {
        building = try Building()
        let agent = building.startAgent(on: ScriptedBoard(on: building.sim.loop))
        let console = MaintainerConsole(
            agent: agent, surroundings: { [building] in building },
            show: { [shown] output, _ in shown.lines += output.lines + output.notices })
        let lock = GuardedConsole(
            console, agent: agent, store: building.records,
            say: { [shown] in shown.lines.append(String($0.dropLast())) },
            hide: { [shown] in shown.isHidden = $0 })
        self.lock = lock
        input = LineInput(terminal, handler: { lock.receive($0) })
        input.start()
        console.start()
    }

    private func type(_ text: String, for time: Duration = .seconds(1)) -> [String] {
        shown.lines = []
        terminal.send(text + "\n")
        building.sim.run(for: time)
        return shown.lines
    }

    private func setPIN(_ pin: String = "2468") throws {
        building.passphrases = [pin, pin]
        #expect(try building.run("pin set").exitCode == .ok)
    }

    private static let prompt = "This console is locked. PIN (it is not shown):"
    private static let open = "Running. window open lets devices in; help lists the commands."

    @Test("without a PIN nothing is asked for, then or later")
    func none() {
        lock.start()
        #expect(shown.lines == [Self.open])
        #expect(type("rooms", for: .seconds(3600)).count == 1)
        #expect(type("rooms").count == 1)
        #expect(!shown.isHidden)
    }

    @Test("a locked console takes no command, then the PIN, then commands")
    func unlock() throws {
        try setPIN()
        lock.start()
        #expect(shown.lines == [Self.prompt])
        #expect(shown.isHidden)
        #expect(type("rooms") == ["this console is locked, and that is not its PIN"])
        #expect(type("2468") == [Self.open])
        #expect(!shown.isHidden)
        #expect(type("window open").isEmpty)
        #expect(building.events.count == 1)
    }

    @Test("after three wrong ones it looks at none for a while, and longer each time")
    func backOff() throws {
        try setPIN()
        lock.start()
        for _ in 1...3 {
            #expect(type("1111") == ["this console is locked, and that is not its PIN"])
        }
        #expect(type("2468") == ["too many wrong PINs: try again in 29 s"])
        #expect(type("2468", for: .seconds(28)) == ["too many wrong PINs: try again in 28 s"])
        #expect(type("1111") == ["this console is locked, and that is not its PIN"])
        #expect(type("2468") == ["too many wrong PINs: try again in 59 s"])
        building.sim.run(for: .seconds(60))
        for _ in 1...8 {
            #expect(
                type("1111", for: .seconds(901)) == [
                    "this console is locked, and that is not its PIN"
                ])
        }
        #expect(
            type("1111", for: .seconds(890)) == ["this console is locked, and that is not its PIN"])
        #expect(type("2468") == ["too many wrong PINs: try again in 10 s"])
        building.sim.run(for: .seconds(10))
        #expect(type("2468") == [Self.open])
    }

    @Test("ten idle minutes lock it again, also when the PIN was set meanwhile")
    func idle() throws {
        lock.start()
        _ = type("rooms")
        try setPIN()
        building.sim.run(for: .seconds(598))
        #expect(type("rooms").count == 1)
        shown.lines = []
        building.sim.run(for: .seconds(600))
        #expect(shown.lines == [Self.prompt])
        #expect(shown.isHidden)
        #expect(type("2468") == [Self.open])
    }

    @Test("a console that nobody has used is locked by its first line once there is a PIN")
    func firstLine() throws {
        lock.start()
        building.sim.run(for: .seconds(700))
        try setPIN()
        #expect(type("window open") == [Self.prompt])
        #expect(building.events.isEmpty)
        #expect(type("2468") == [Self.open])
    }

    @Test("keys keep it open; without any it locks, and what is drawn goes before that is said")
    func keys() throws {
        try setPIN()
        lock.start()
        _ = type("2468")
        shown.lines = []
        lock.onLock = { [shown] in shown.lines.append("screen closed") }
        for _ in 0..<4 {
            building.sim.run(for: .seconds(500))
            lock.receiveKeys()
        }
        #expect(shown.lines.isEmpty)
        building.sim.run(for: .seconds(601))
        #expect(shown.lines == ["screen closed", Self.prompt])
        lock.receiveKeys()
        #expect(type("rooms") == ["this console is locked, and that is not its PIN"])
    }

    @Test("setup codes are taken while it is locked, as from a scanner")
    func codes() throws {
        try setPIN()
        _ = building.newDevice(1)
        #expect(try building.run("window open").exitCode == .ok)
        lock.start()
        _ = type(Site.code, for: .seconds(10))
        #expect(building.records.storedNodes.count == 1)
    }

    @Test("the PIN is kept as scrypt makes it, with a salt, and can be taken away")
    func kept() throws {
        try setPIN("correct horse")
        let first = try #require(try building.records.settings().first)
        #expect(!first.value.contains("correct"))
        #expect(first.value.count == 2 * (3 + 16 + 32))
        #expect(!(try building.run("settings").standardOutput(isJSON: true)).contains("pin"))
        lock.start()
        let cleared = try building.run("pin clear")
        #expect(cleared.document.text == #"{"is_set":false}"#)
        #expect(try building.run("pin clear").lines == ["there was no PIN"])
        #expect(type("x") == [Self.open])
        let events = try building.records.events(limit: 9)
        #expect(events.map(\.kind) == [.access, .access])
    }

    @Test("a PIN of another version opens nothing, and can be taken away elsewhere")
    func foreign() throws {
        try building.records.save(SettingRecord(key: "console-pin", value: "future"))
        lock.start()
        #expect(type("future") == ["this console is locked, and that is not its PIN"])
        #expect(try building.run("pin clear").exitCode == .ok)
        #expect(type("x") == [Self.open])
    }

    @Test(
        "what can be no PIN is refused, and none is set",
        arguments: [
            ["123"], [String(repeating: "x", count: 65)], ["34970112332"], ["MT:Y.K90"],
            ["ROOM:Hall"], ["2468", "2469"],
        ])
    func refused(typed: [String]) throws {
        building.passphrases = typed
        let output = try building.run("pin set")
        #expect(output.exitCode == .dataError)
        #expect(try building.records.settings().isEmpty)
        for text in typed { #expect(!output.standardError.contains(text)) }
    }
}

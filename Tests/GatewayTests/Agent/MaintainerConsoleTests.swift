import Base
import Crypto
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("MaintainerConsole")
struct MaintainerConsoleTests {
    /// What the console shows, and the console itself for its questions.
    private final class Shown: @unchecked Sendable {
        var lines: [String] = []
        var console: MaintainerConsole?
    }

    private let building: Building
    private let agent: Agent
    private let terminal = ScriptedSource()
    private let shown = Shown()
    private let input: LineInput

    init() throws {
        building = try Building()
        agent = building.startAgent(on: ScriptedBoard(on: building.sim.loop))
        let console = MaintainerConsole(
            agent: agent, surroundings: { [building] in building },
            show: { [shown] output, isJSON in
                shown.lines += isJSON ? [output.document.text] : output.lines + output.notices
            })
        shown.console = console
        input = LineInput(terminal, handler: { console.receive($0) })
        input.start()
        console.start()
    }

    private func type(_ text: String, for time: Duration = .seconds(5)) -> [String] {
        shown.lines = []
        terminal.send(text)
        building.sim.run(for: time)
        return shown.lines
    }

    @Test("commands and codes that are pasted at once are carried out in their order")
    func order() throws {
        _ = building.newDevice(1)
        let lines = type("window open --seconds 60\n\(Site.code)\nstatus\n")
        #expect(building.records.storedNodes.count == 1)
        #expect(lines.first == "window:       open for 60 s")
        #expect(type("status --json\n")[0].hasPrefix("{\"window_open\":true,"))
        #expect(type("window close\n").isEmpty)
        #expect(type("window close\n") == ["the window is closed already"])
        #expect(type("devices\n").count == 2)
    }

    @Test("words that are no command are explained, options of the process refused")
    func wrong() {
        #expect(type("statsu\n") == ["\"statsu\" is no command: did you mean status?"])
        #expect(type("run\n") == ["it runs already: help lists what can be typed here"])
        #expect(
            type("devices --state x.db\n")
                == ["this option holds for the whole program: give it to run"])
        #expect(type("restore x\n").first?.hasPrefix("this program works with") == true)
        #expect(
            type("window ajar\n")
                == ["\"ajar\" is nothing that window does: window open|close [--seconds SECONDS]"])
        #expect(type("window open --seconds 59\n")[0].hasPrefix("--seconds takes a whole number"))
        #expect(type(Site.code + "\n").isEmpty)
        #expect(building.events.count == 1)
        #expect(type("\"open\n") == ["a quote is not closed: --help says how"])
    }

    @Test("pair needs no window, and cancel does not wait for it")
    func cancel() throws {
        #expect(type("pair \(Site.code)\nstatus\n", for: .seconds(5)).isEmpty)
        let lines = type("cancel\n")
        #expect(lines.first == "cancelled")
        #expect(
            lines.contains(
                "looking for the device: it was cancelled: nothing was changed, here or there")
                || lines.count >= 3)
        _ = building.newDevice(1)
        #expect(type("pair \(Site.code)\n").count == 1)
        #expect(building.records.storedNodes.count == 1)
    }

    @Test("a command's question is answered by the next line, which is no command")
    func question() throws {
        let lamp = try building.device(1, name: "Lamp")
        lamp.commandAnswers[.invoke(OnOff.Toggle.self)] = .status(.success)
        building.answer = { [shown] in
            guard let line = try? await shown.console?.ask() else { return false }
            return line == Secret(Array("toggle lamp".utf8).span)
        }
        #expect(type("remove lamp --force\n").isEmpty)
        #expect(building.questions == ["Lamp will be removed."])
        _ = type("toggle lamp\n", for: .seconds(60))
        #expect(lamp.count(.invoke(OnOff.Toggle.self)) == 0)
        #expect(building.records.storedNodes.isEmpty)
    }

    @Test("too many lines behind a slow command are refused")
    func bounded() throws {
        let lines = type("pair \(Site.code)\n" + String(repeating: "status\n", count: 100))
        #expect(lines.count == 101 - 64)
        #expect(lines[0] == "too many lines wait for the command before them: cancel ends it")
    }
}

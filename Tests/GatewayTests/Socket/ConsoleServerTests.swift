import Base
import Crypto
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

/// The agent of a building and consoles that are connected to it, all in memory.
@Suite("ConsoleServer")
struct ConsoleServerTests {
    /// One console: another process with a terminal and files of its own.
    private final class Console: @unchecked Sendable {
        let surroundings: Building
        var client: ConsoleClient?
        var output = ""
        var errors = ""
        var code: ExitCode?
        /// Its terminal gives keys.
        var isDrawn = false
        var hasScreen = true

        init(_ stream: MemoryStream, on loop: Loop) throws {
            surroundings = try Building()
            let keyboard = ConsoleKeyboard(
                begin: { [unowned self] in
                    isDrawn = hasScreen
                    return hasScreen
                }, end: { [unowned self] in isDrawn = false }, size: { (132, 40) })
            client = ConsoleClient(
                stream, loop: loop, surroundings: surroundings, keyboard: keyboard,
                show: { [unowned self] text, isError in
                    if isError { errors += text } else { output += text }
                }, ended: { [unowned self] in code = $0 })
        }
    }

    private let building: Building
    private let server: ConsoleServer

    init() throws {
        building = try Building()
        let agent = building.startAgent(on: ScriptedBoard(on: building.sim.loop))
        server = ConsoleServer(agent: agent, process: { [building] in building })
    }

    private func connect() throws -> (Console, MemoryStream) {
        let (near, far) = MemoryStream.pair(on: building.sim.loop)
        server.accept(far)
        return (try Console(near, on: building.sim.loop), near)
    }

    private func begin(_ line: String) throws -> Console {
        let console = try connect().0
        console.client?.start(try ConsoleLine.split(Array(line.utf8).span))
        return console
    }

    private func run(_ line: String) throws -> Console {
        let console = try begin(line)
        building.sim.run(for: .seconds(60))
        return console
    }

    @Test("a network is asked for at the console, and kept by the agent")
    func networks() throws {
        let console = try begin("wifi set Home")
        console.surroundings.passphrases = ["correct horse"]
        building.sim.run(for: .seconds(1))
        #expect(console.code == .ok)
        #expect(console.output == "Wi-Fi \"Home\" is used for devices from now on\n")
        #expect(console.surroundings.prompts == ["passphrase of \"Home\""])
        let kept = try building.records.networks().networks.wiFi
        #expect(kept?.credentials == Secret(Array("correct horse".utf8).span))
        #expect(try console.surroundings.records.networks() == NetworksRecord())
        let board = try begin("wifi set --from-board")
        let name = Array("Board".utf8)
        board.surroundings.boardNetwork = try WiFiNetworkCredentials(
            ssid: name.span, credentials: Secret(Array("battery staple".utf8).span))
        building.sim.run(for: .seconds(1))
        #expect(board.code == .ok, "\(board.errors)")
        #expect(
            try building.records.networks().networks.wiFi == board.surroundings.boardNetwork)
        for text in [console.output, console.errors, board.output, board.errors] {
            #expect(!text.contains("correct horse") && !text.contains("battery staple"))
        }
    }

    @Test("an agent is not told of the board's network by a console that did not say so")
    func boardNetworkUnasked() throws {
        let (near, far) = MemoryStream.pair(on: building.sim.loop)
        let console = try Console(near, on: building.sim.loop)
        let name = Array("Board".utf8)
        console.surroundings.boardNetwork = try WiFiNetworkCredentials(
            ssid: name.span, credentials: Secret(Array("battery staple".utf8).span))
        var answers: [ConsoleMessage] = []
        let agent = ConsoleChannel(
            far, bodyLimit: 1 << 16, receive: { answers.append($0) }, ended: { _ in })
        agent.start()
        console.client?.start([Array("devices".utf8)])
        agent.send(.question(.boardNetwork(ssid: nil)))
        building.sim.run(for: .seconds(1))
        guard case .answer(.refused)? = answers.last else {
            Issue.record("\(answers.count) messages, none of which refuses")
            return
        }
    }

    @Test("a command is carried out at the agent, and its place is free afterwards")
    func command() throws {
        _ = try building.device(1, name: "Lamp")
        let named = try run("name lamp \"Hall lamp\" --state elsewhere.db")
        #expect(named.output == "Hall lamp: is called \"Hall lamp\"\n")
        #expect(named.code == .ok)
        let wrong = try run("nmae lamp x")
        #expect(wrong.errors == "\"nmae\" is no command: did you mean name?\n")
        #expect(wrong.code == .usage)
        #expect(try run("devices --json").output.hasPrefix("{\"devices\":[{\"node_id\":"))
        #expect(server.count == 0)
    }

    @Test("options of the process and what replaces the state are refused with the remedy")
    func refused() throws {
        #expect(try run("devices --interface lo").errors.hasPrefix("an agent runs and has"))
        #expect(try run("restore x").errors.hasPrefix("the running agent works with the state"))
        #expect(try run("run").code == .temporaryFailure)
    }

    @Test("prompts, confirmations and files are the console's")
    func questions() throws {
        _ = try building.device(1, name: "Lamp")
        try building.records.save(building.fabric.record)
        let console = try begin("backup lamp.backup")
        console.surroundings.confirms = true
        console.surroundings.passphrases = ["four words and more", "four words and more"]
        building.sim.run(for: .seconds(60))
        #expect(console.code == .ok)
        #expect(console.surroundings.files["lamp.backup"] != nil)
        #expect(building.files.isEmpty)
        #expect(building.questions.isEmpty)
        let again = try begin("backup lamp.backup")
        again.surroundings.files["lamp.backup"] = []
        building.sim.run(for: .seconds(60))
        #expect(again.errors.hasPrefix("lamp.backup is there already"))
        #expect(again.code == .noPermission)
    }

    @Test("a console reads only the files that were named at it")
    func otherFiles() throws {
        let (near, far) = MemoryStream.pair(on: building.sim.loop)
        let console = try Console(near, on: building.sim.loop)
        console.surroundings.files["/etc/shadow"] = [1]
        console.client?.start([Array("devices".utf8), Array("/etc/shadow2".utf8)])
        _ = far.send(ConsoleMessage.question(.read(path: "/etc/shadow", limit: 10)).frame().span)
        building.sim.run(for: .seconds(1))
        var frames = ConsoleFrames(bodyLimit: 1 << 20)
        var bytes = [UInt8](repeating: 0, count: 4096)
        var span = bytes.mutableSpan
        let count = far.receive(into: &span) ?? 0
        try frames.receive(bytes.span.extracting(0..<count))
        _ = frames.nextFrame()
        let answer = try frames.nextFrame().map { try ConsoleMessage($0) }
        #expect(answer == .answer(.refused(Explanation(ConsoleProtocolError.unexpected))))
    }

    @Test("Control-C cancels the command; so does a console that goes")
    func cancel() throws {
        let console = try begin("pair \(Site.code)")
        building.sim.run(for: .seconds(5))
        #expect(console.code == nil)
        console.client?.cancel()
        building.sim.run(for: .seconds(5))
        #expect(console.code == .interrupted)
        let gone = try begin("pair \(Site.code)")
        building.sim.run(for: .seconds(5))
        #expect(try run("prepare").output.contains("another device is being added"))
        gone.client?.end(.ok)
        building.sim.run(for: .seconds(5))
        #expect(try run("prepare").code == .ok)
        #expect(server.count == 0)
    }

    @Test("a console that stays takes codes and commands, and is told what goes on")
    func stays() throws {
        _ = building.newDevice(1)
        let console = try begin("console")
        let other = try begin("console")
        for line in ["window open --seconds 60", Site.code, "status"] {
            console.client?.type(Secret(Array(line.utf8).span))
        }
        building.sim.run(for: .seconds(30))
        #expect(
            console.output.contains("adding:   nothing\n") || console.output.contains("window:"))
        #expect(building.records.storedNodes.count == 1)
        server.tell(Output(lines: ["told"], document: .null))
        building.sim.run(for: .seconds(1))
        #expect(other.output.hasSuffix("told\n"))
        #expect(!other.output.contains("window:"))
        #expect(console.code == nil)
        server.stop()
        building.sim.run(for: .seconds(1))
        #expect(other.code == .unavailable)
        #expect(other.errors.hasPrefix("the agent has ended the connection"))
    }

    @Test("one that reads nothing is dropped, and the others are served")
    func stalled() throws {
        let (console, stream) = try connect()
        stream.bound = 4096
        console.client?.start([Array("console".utf8)])
        building.sim.run(for: .seconds(1))
        stream.onReadable = nil
        let other = try begin("console")
        building.sim.run(for: .seconds(1))
        #expect(server.count == 2)
        for _ in 0..<100 {
            server.tell(Output(lines: [String(repeating: "x", count: 100)], document: .null))
            building.sim.run(for: .milliseconds(1))
        }
        #expect(server.count == 1)
        #expect(other.output.count > 10_000)
    }

    @Test("events say which user's command was the cause, and name nobody for anything else")
    func users() throws {
        let codes = try begin("console")
        _ = building.newDevice(1)
        codes.client?.type(Secret(Array("window open".utf8).span))
        codes.client?.type(Secret(Array(Site.code.utf8).span))
        building.sim.run(for: .seconds(30))
        let name = try #require(building.records.storedNodes.first).nodeID.text
        _ = try run("remove \(name) --force --yes")
        _ = try run("window open")
        let scanner = ScriptedSource()
        let agent = try #require(building.agent)
        let input = LineInput(ofPayloads: scanner, for: agent)
        input.start()
        scanner.send(Site.code(discriminator: 77) + "\n")
        building.sim.run(for: .seconds(300))
        let events = try building.records.events(limit: 20).reversed().map(\.text)
        #expect(
            events.prefix(2) == ["commissioned (by user 1000)", "removed (told) (by user 1000)"])
        let last = try #require(events.last)
        #expect(last.hasPrefix("not commissioned: looking for the device"))
        #expect(!last.contains("user"))
    }

    @Test("the dashboard is drawn at a console's terminal, by its size, until q")
    func dashboard() throws {
        _ = try building.device(1, name: "Lamp")
        let console = try begin("dashboard")
        building.sim.run(for: .seconds(3))
        #expect(console.isDrawn && console.code == nil)
        #expect(console.output.contains("Lamp"))
        #expect(console.output.contains("\u{1B}[40;1H"))
        console.client?.press(Array("q".utf8))
        building.sim.run(for: .seconds(1))
        #expect(!console.isDrawn && console.code == .ok)
        #expect(console.output.hasSuffix("\u{1B}[m\u{1B}[H\u{1B}[J"))
        #expect(server.count == 0)
    }

    @Test("at a console that stays lines are typed again after it, and it hides what is told")
    func dashboardOfConsole() throws {
        let console = try begin("console")
        console.client?.type(Secret(Array("dashboard".utf8).span))
        building.sim.run(for: .seconds(2))
        #expect(console.isDrawn)
        let before = console.output
        server.tell(Output(lines: ["Door is open"], document: .null))
        building.sim.run(for: .seconds(1))
        let drawn = console.output.dropFirst(before.count)
        #expect(drawn.contains("Door is open") && !drawn.contains("\n"))
        console.client?.press([0x03])
        building.sim.run(for: .seconds(1))
        #expect(!console.isDrawn)
        console.client?.type(Secret(Array("log".utf8).span))
        building.sim.run(for: .seconds(1))
        #expect(console.output.hasSuffix("info\n"))
    }

    @Test("the terminal is its user's again when the connection ends, or the command is cancelled")
    func dashboardCutOff() throws {
        let console = try begin("dashboard")
        let other = try begin("dashboard")
        building.sim.run(for: .seconds(2))
        other.client?.cancel()
        building.sim.run(for: .seconds(1))
        #expect(!other.isDrawn && other.code == .ok)
        server.stop()
        building.sim.run(for: .seconds(1))
        #expect(!console.isDrawn)
        #expect(console.output.hasSuffix("\u{1B}[m\u{1B}[H\u{1B}[J"))
    }

    @Test("without a terminal, once and as JSON the dashboard is plain lines")
    func dashboardOnce() throws {
        for (line, hasTerminal, hasScreen) in [
            ("dashboard", false, true), ("dashboard", true, false),
            ("dashboard --once", true, true),
        ] {
            let console = try connect().0
            console.surroundings.hasTerminal = hasTerminal
            console.hasScreen = hasScreen
            console.client?.start(try ConsoleLine.split(Array(line.utf8).span))
            building.sim.run(for: .seconds(2))
            #expect(console.output == "no device, 0 online\n")
            #expect(console.code == .ok && !console.isDrawn)
        }
        #expect(try run("dashboard --json").output.hasPrefix("{\"window_open\":false,"))
    }

    @Test("a terminal that is stopped gets no more frames, and costs the others nothing")
    func dashboardStalled() throws {
        let (console, stream) = try connect()
        console.client?.start([Array("dashboard".utf8)])
        building.sim.run(for: .seconds(2))
        stream.onReadable = nil
        _ = try building.device(1, name: "Lamp")
        let other = try begin("dashboard")
        building.sim.run(for: .seconds(600))
        for _ in 0..<200 {
            server.tell(Output(lines: ["told"], document: .null))
            server.tell(Output(lines: ["told again"], document: .null))
            building.sim.run(for: .milliseconds(100))
        }
        #expect(server.count == 2 && console.code == nil)
        #expect(stream.waitingCount < 4096)
        #expect(other.output.contains("told") && other.output.contains(" again"))
    }

    @Test("the level of the agent's log is shown and set")
    func logLevel() throws {
        let log = try #require(building.agent).log
        #expect(try run("log").output == "info\n")
        #expect(try run("log debug --json").output == "{\"level\":\"debug\"}\n")
        #expect(log.threshold == .debug)
        let wrong = try run("log loud")
        #expect(wrong.errors.hasPrefix("\"loud\" is no level of the log: there are error, war"))
        #expect(wrong.code == .usage)
        #expect(log.threshold == .debug)
    }

    @Test("there is a bound on consoles, and whoever says nothing gives its place up")
    func bound() throws {
        let silent = try (0..<ConsoleLimits.consoles).map { _ in try connect() }
        let refused = try run("devices")
        #expect(refused.errors == "16 consoles are connected already: close one of them\n")
        #expect(refused.code == .temporaryFailure)
        withExtendedLifetime(silent) { building.sim.run(for: .seconds(10)) }
        #expect(server.count == 0)
    }

    @Test("noise ends the connection with a word")
    func noise() throws {
        let (console, stream) = try connect()
        _ = stream.send([0xFF, 0xFF, 0xFF, 0xFF, 0xFF].span)
        console.client?.start([])
        building.sim.run(for: .seconds(1))
        #expect(console.errors.hasPrefix("the console and the agent do not understand"))
        #expect(console.code == .protocolError)
    }
}

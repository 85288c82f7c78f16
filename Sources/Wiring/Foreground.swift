internal import Base
internal import Crypto
package import Gateway
package import LinuxIO
internal import Matter
package import MatterNode

/// The agent in the foreground: the board, the standard input and the console on one loop, until
/// a signal or the end of the terminal's input.
package final class Foreground: @unchecked Sendable {
    /// What the agent runs on.
    package struct Surface {
        package let board: any Board
        package let screen: any Screen
        package let input: any LineSource
        /// Whether a maintainer sits at the input; else it gives payloads alone.
        package let isMaintainers: Bool
        /// Told of every event, before its words are shown.
        package let watch: (AgentEvent) -> Void

        package init(
            board: any Board, screen: any Screen, input: any LineSource, isMaintainers: Bool,
            watch: @escaping (AgentEvent) -> Void = { _ in }
        ) {
            self.board = board
            self.screen = screen
            self.input = input
            self.isMaintainers = isMaintainers
            self.watch = watch
        }
    }

    private let poll: PollLoop
    private let surface: Surface
    private let surroundings: Surroundings
    private let settings: ButtonWindow.Settings
    private var agent: Agent?
    private var console: MaintainerConsole?
    private var input: LineInput?
    private var consoles: ConsoleServer?
    private var socket: ConsoleSocket?
    private let consolePath: String
    private var isEnding = false
    private var isClosed = false
    private var erases = false
    private var exitCode = ExitCode.ok

    package init(
        _ options: GlobalOptions, windowSeconds: Int?, poll: PollLoop, surface: Surface
    ) {
        self.poll = poll
        self.surface = surface
        surroundings = Surroundings(options, poll: poll)
        consolePath = Wiring.consolePath(options)
        var settings = ButtonWindow.Settings()
        settings.openSeconds = windowSeconds ?? settings.openSeconds
        self.settings = settings
    }

    /// On a board without button and lamps, with standard input and output.
    nonisolated static func run(_ options: GlobalOptions, windowSeconds: Int?) -> Int32 {
        let poll = PollLoop()
        let surface = Surface(
            board: BareBoard(), screen: StreamScreen(),
            input: StreamSource(.input, on: poll), isMaintainers: Terminal.input.isTerminal)
        let foreground = Foreground(
            options, windowSeconds: windowSeconds, poll: poll, surface: surface)
        return foreground.run()
    }

    package func run() -> Int32 {
        poll.loop.spawn { @Sendable [self] in await begin() }
        let signals: Signals?
        do throws(Errno) {
            signals = try Signals(on: poll) { [weak self] _ in self?.signalled() }
        } catch {
            // Without them a signal ends the process at once, which loses nothing that is stored.
            signals = nil
        }
        defer { _ = signals }
        poll.run { isClosed }
        if erases { erase() }
        return exitCode.rawValue
    }

    private func begin() async {
        do throws(Explanation) {
            let gateway = try await surroundings.gateway()
            let agent = Agent(gateway: gateway, board: surface.board, settings: settings) {
                [weak self] event in self?.take(event)
            }
            self.agent = agent
            await agent.start()
            guard !isEnding else { return }
            attach(agent)
            listen(for: agent)
            let report = await gateway.prepare()
            if !report.isReady { show(PrepareOutput.report(report), isJSON: false) }
            surface.screen.write(greeting)
        } catch {
            surface.screen.writeError(error.line + "\n")
            exitCode = error.kind.exitCode
            end()
        }
    }

    private func attach(_ agent: Agent) {
        if surface.isMaintainers {
            let console = MaintainerConsole(
                agent: agent,
                surroundings: { [unowned self] in self.commandSurroundings(agent) },
                show: { [unowned self] output, isJSON in self.show(output, isJSON: isJSON) })
            self.console = console
            input = LineInput(
                surface.input, handler: { console.receive($0) },
                ended: { [weak self] in self?.end() })
            console.start()
        } else {
            input = LineInput(ofPayloads: surface.input, for: agent)
        }
        input?.start()
    }

    /// The store is open, so that no other agent has these consoles.
    private func listen(for agent: Agent) {
        let consoles = ConsoleServer(
            agent: agent, process: { [unowned self] in self.commandSurroundings(agent) })
        self.consoles = consoles
        do throws(Errno) {
            socket = try ConsoleSocket(
                consolePath, group: Wiring.consoleGroup, on: poll,
                accept: { consoles.accept($0) })
        } catch {
            surface.screen.writeError(
                "no console can connect to \(consolePath) (\(error.description))\n")
        }
    }

    private func commandSurroundings(_ agent: Agent) -> any CommandSurroundings {
        ForegroundSurroundings(
            surroundings, agent: agent, screen: surface.screen,
            asking: { [console] () async throws(CancellationError) -> Secret in
                guard let console else { throw CancellationError() }
                return try await console.ask()
            },
            erasing: { [unowned self] in
                erases = true
                end()
            })
    }

    private var greeting: String {
        surface.isMaintainers
            ? "Running. window open lets devices in; help lists the commands, Control-C ends.\n"
            : "Running.\n"
    }

    private func take(_ event: AgentEvent) {
        surface.watch(event)
        if let output = AgentOutput.event(event) {
            show(output, isJSON: false)
            consoles?.tell(output)
        }
        guard case .resetConfirmed = event else { return }
        erases = true
        end()
    }

    private func show(_ output: Output, isJSON: Bool) {
        let text = output.standardOutput(isJSON: isJSON)
        if !text.isEmpty { surface.screen.write(text) }
        if !output.notices.isEmpty { surface.screen.writeError(output.standardError) }
    }

    // MARK: The end

    /// Whoever asks twice does not wait for devices.
    private func signalled() {
        if isEnding { isClosed = true } else { end() }
    }

    private func end() {
        guard !isEnding else { return }
        isEnding = true
        input?.stop()
        console?.stop()
        socket = nil
        poll.loop.spawn { @Sendable [self] in
            await agent?.stop()
            consoles?.stop()
            await surroundings.close()
            isClosed = true
        }
    }

    private func erase() {
        // Nobody may hold the store any more.
        agent = nil
        console = nil
        consoles = nil
        input = nil
        do throws(Explanation) {
            try surroundings.eraseStore()
            surface.screen.write(
                "Everything is erased. Devices that were added need a reset of their own.\n")
        } catch {
            surface.screen.writeError(error.line + "\n")
            exitCode = error.kind.exitCode
        }
    }
}

/// A board that has neither a button nor a lamp.
private final class BareBoard: Board, @unchecked Sendable {
    var onButton: ((_ isPressed: Bool, _ at: Instant) -> Void)?
    let isButtonPressed = false
    let hasFaultLamp = false

    func show(_ lamp: Lamp, isOn: Bool) {}
}

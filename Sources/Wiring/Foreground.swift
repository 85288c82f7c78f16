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
        /// Further inputs, which give payloads alone.
        var scanners: [any LineSource] = []
        /// Serial lines at which maintainers may sit as well.
        var consoles: [SerialPort] = []

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

    /// Where a maintainer sits.
    private struct Seat {
        let console: MaintainerConsole
        let screen: any Screen
    }

    private let poll: PollLoop
    private let surface: Surface
    private let surroundings: Surroundings
    private let settings: ButtonWindow.Settings
    private var agent: Agent?
    private var seats: [Seat] = []
    private var inputs: [LineInput] = []
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
        var settings = ButtonWindow.Settings()
        settings.openSeconds = windowSeconds ?? settings.openSeconds
        self.settings = settings
    }

    /// With standard input and output, and what is wired to the board.
    nonisolated static func run(
        _ options: GlobalOptions, windowSeconds: Int?, board: BoardSettings
    ) -> Int32 {
        let poll = PollLoop()
        let screen = StreamScreen()
        let wired = WiredBoard(board, on: poll, screen: screen)
        var surface = Surface(
            board: wired.board, screen: screen, input: StreamSource(.input, on: poll),
            isMaintainers: Terminal.input.isTerminal)
        surface.scanners = wired.scanners
        surface.consoles = wired.consoles
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
            let report = await gateway.prepare()
            if !report.isReady { showEverywhere(PrepareOutput.report(report)) }
            if !surface.isMaintainers { surface.screen.write("Running.\n") }
            for seat in seats { seat.screen.write(Self.greeting) }
        } catch {
            surface.screen.writeError(error.line + "\n")
            exitCode = error.kind.exitCode
            end()
        }
    }

    private func attach(_ agent: Agent) {
        if surface.isMaintainers {
            seat(agent, at: surface.screen, surface.input) { [weak self] in self?.end() }
        } else {
            inputs.append(LineInput(ofPayloads: surface.input, for: agent))
        }
        // A serial line does not end; it is pulled out.
        for console in surface.consoles { seat(agent, at: console, console) {} }
        for scanner in surface.scanners {
            inputs.append(LineInput(ofPayloads: scanner, for: agent))
        }
        for input in inputs { input.start() }
    }

    private func seat(
        _ agent: Agent, at screen: any Screen, _ source: any LineSource,
        ended: @escaping () -> Void
    ) {
        let place = seats.count
        let console = MaintainerConsole(
            agent: agent,
            surroundings: { [unowned self] in commandSurroundings(agent, of: seats[place]) },
            show: { output, isJSON in Self.show(output, isJSON: isJSON, on: screen) })
        seats.append(Seat(console: console, screen: screen))
        inputs.append(LineInput(source, handler: { console.receive($0) }, ended: ended))
        console.start()
    }

    private func commandSurroundings(
        _ agent: Agent, of seat: Seat
    ) -> any CommandSurroundings {
        ForegroundSurroundings(
            surroundings, agent: agent, screen: seat.screen,
            asking: { () async throws(CancellationError) -> Secret in
                try await seat.console.ask()
            },
            erasing: { [unowned self] in
                erases = true
                end()
            })
    }

    private static let greeting =
        "Running. window open lets devices in; help lists the commands, Control-C ends.\n"

    private func take(_ event: AgentEvent) {
        surface.watch(event)
        if let output = AgentOutput.event(event) { showEverywhere(output) }
        guard case .resetConfirmed = event else { return }
        erases = true
        end()
    }

    private func showEverywhere(_ output: Output) {
        Self.show(output, isJSON: false, on: surface.screen)
        for console in surface.consoles { Self.show(output, isJSON: false, on: console) }
    }

    private static func show(_ output: Output, isJSON: Bool, on screen: any Screen) {
        let text = output.standardOutput(isJSON: isJSON)
        if !text.isEmpty { screen.write(text) }
        if !output.notices.isEmpty { screen.writeError(output.standardError) }
    }

    // MARK: The end

    /// Whoever asks twice does not wait for devices.
    private func signalled() {
        if isEnding { isClosed = true } else { end() }
    }

    private func end() {
        guard !isEnding else { return }
        isEnding = true
        for input in inputs { input.stop() }
        for seat in seats { seat.console.stop() }
        poll.loop.spawn { @Sendable [self] in
            await agent?.stop()
            await surroundings.close()
            isClosed = true
        }
    }

    private func erase() {
        // Nobody may hold the store any more.
        agent = nil
        seats = []
        inputs = []
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

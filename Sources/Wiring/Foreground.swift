internal import Base
internal import Crypto
package import Gateway
package import LinuxIO
internal import Matter
package import MatterNode

/// The agent in the foreground: the board, the standard input and the console on one loop, until
/// a signal or the end of the terminal's input. As a service it tells its manager how it is, and
/// reads its configuration again at SIGHUP.
package final class Foreground: @unchecked Sendable {
    /// What the agent runs on.
    package struct Surface {
        package let board: any Board
        package let screen: any Screen
        package let input: any LineSource
        /// Whether a maintainer sits at the input; else it gives payloads alone.
        package let isMaintainers: Bool
        /// Told of every event; true when it shows it by itself, so that its words are not.
        package let watch: (AgentEvent) -> Bool
        /// Nil for the board's own Bluetooth.
        package let radio: (any BluetoothRadio)?
        /// What of the agent's own telling goes to the screen.
        var log = AgentLog()
        /// Further inputs, which give payloads alone.
        var scanners: [any LineSource] = []
        /// Serial lines at which maintainers may sit as well.
        var consoles: [SerialPort] = []

        package init(
            board: any Board, screen: any Screen, input: any LineSource, isMaintainers: Bool,
            radio: (any BluetoothRadio)? = nil,
            watch: @escaping (AgentEvent) -> Bool = { _ in false }
        ) {
            self.radio = radio
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
    private let options: GlobalOptions
    private let windowSeconds: Int?
    private let pollInterval: Duration?
    private var configuration: Configuration
    private let notifier: ServiceNotifier?
    private var agent: Agent?
    private var recorder: HistoryRecorder?
    private var seats: [Seat] = []
    private var inputs: [LineInput] = []
    private var consoles: ConsoleServer?
    private var socket: ConsoleSocket?
    private var mqtt: MQTTService?
    private let consolePath: String
    private var isEnding = false
    private var isClosed = false
    private var erases = false
    private var exitCode = ExitCode.ok

    package init(
        _ options: GlobalOptions, windowSeconds: Int?, pollSeconds: Int?, poll: PollLoop,
        surface: Surface, configuration: Configuration = Configuration(),
        environment: ServiceEnvironment = .current
    ) {
        self.poll = poll
        self.surface = surface
        self.options = options
        self.windowSeconds = windowSeconds
        pollInterval = pollSeconds.map { .seconds($0) }
        self.configuration = configuration
        notifier = ServiceNotifier(environment, on: poll)
        let completed = options.completed(by: configuration)
        consolePath = Wiring.consolePath(completed)
        surroundings = Surroundings(completed, poll: poll, radio: surface.radio)
        surroundings.wiring.report = { [screen = surface.screen, log = surface.log] line in
            guard .warning <= log.threshold else { return }
            screen.tell(Output(lines: [], document: .null, notices: [line]), .warning)
        }
    }

    /// With standard input and output, and what is wired to the board.
    nonisolated static func run(
        _ options: GlobalOptions, windowSeconds: Int?, pollSeconds: Int?, board: BoardSettings
    ) -> Int32 {
        let environment = ServiceEnvironment.current
        let log = AgentLog()
        let screen: any Screen =
            environment.isService ? LogScreen(environment, log) : StreamScreen()
        let configuration: Configuration
        do throws(Explanation) {
            configuration = try ConfigurationFile.load(options.configuration)
        } catch {
            screen.tell(error.output, .error)
            return error.kind.exitCode.rawValue
        }
        log.threshold = configuration.logLevel
        let poll = PollLoop()
        let news = BoardNews { screen.tell($0, $1) }
        let wired = WiredBoard(
            board.completed(by: configuration.board), on: poll, news: news)
        var surface = Surface(
            board: wired.board, screen: screen, input: StreamSource(.input, on: poll),
            isMaintainers: Terminal.input.isTerminal)
        surface.log = log
        surface.scanners = wired.scanners
        surface.consoles = wired.consoles
        let foreground = Foreground(
            options, windowSeconds: windowSeconds, pollSeconds: pollSeconds, poll: poll,
            surface: surface, configuration: configuration, environment: environment)
        news.tell = { [weak foreground] in foreground?.showEverywhere($0, $1) }
        return foreground.run()
    }

    package func run() -> Int32 {
        poll.loop.spawn { @Sendable [self] in await begin() }
        let signals: Signals?
        do throws(Errno) {
            signals = try Signals(on: poll) { [weak self] signal in self?.receive(signal) }
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
            let agent = Agent(
                gateway: gateway, board: surface.board,
                settings: configuration.window(seconds: windowSeconds),
                keeping: Keeping(gateway: gateway, pollInterval: pollInterval),
                showsReadings: pollInterval != nil, log: surface.log
            ) { [weak self] event in self?.take(event) }
            self.agent = agent
            try await record(agent)
            await agent.start()
            guard !isEnding else { return }
            attach(agent)
            listen(for: agent)
            await connect(agent, gateway)
            let report = await gateway.prepare()
            if !report.isReady { showEverywhere(PrepareOutput.report(report), .warning) }
            if !surface.isMaintainers { surface.screen.write("Running.\n") }
            for seat in seats {
                if let lock = seat.lock { lock.start() } else { seat.screen.write(Self.greeting) }
            }
            notifier?.ready("running")
        } catch {
            surface.screen.tell(error.output, .error)
            exitCode = error.kind.exitCode
            end()
        }
    }

    /// Keeps what is read, from the first reading on.
    private func record(_ agent: Agent) async throws(Explanation) {
        let recorder = HistoryRecorder(try surroundings.history(), loop: poll.loop)
        self.recorder = recorder
        await agent.keeping?.observe { event in
            if case .reading(let reading, _) = event { recorder.record(reading) }
        }
        recorder.start()
    }

    private func attach(_ agent: Agent) {
        if surface.isMaintainers {
            seat(agent, at: surface.screen, surface.input) { [weak self] in self?.end() }
        } else {
            inputs.append(LineInput(ofPayloads: surface.input, for: agent))
        }
        // A serial line does not end; it is pulled out.
        for console in surface.consoles {
            seat(agent, at: LockableScreen(console), console, isSerial: true) {}
        }
        for scanner in surface.scanners {
            inputs.append(LineInput(ofPayloads: scanner, for: agent))
        }
        for seat in seats { seat.startInput() }
        for input in inputs { input.start() }
    }

    /// With the broker, where there is one.
    private func connect(_ agent: Agent, _ gateway: Gateway) async {
        mqtt = MQTTService(
            configuration.mqtt, gateway: gateway, on: poll, random: surroundings.random,
            perform: { [unowned self] command in
                await CommandRunner(commandSurroundings(agent, of: nil)).run(command)
            },
            show: { [weak self] output, level in self?.showEverywhere(output, level) })
        guard let mqtt else { return }
        await agent.use(mqtt)
        if let keeping = agent.keeping { await mqtt.follow(keeping) }
        mqtt.start(history: try? surroundings.history())
    }

    /// The store is open, so that no other agent has these consoles.
    private func listen(for agent: Agent) {
        let consoles = ConsoleServer(
            agent: agent, process: { [unowned self] in self.commandSurroundings(agent, of: nil) })
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

    private func seat(
        _ agent: Agent, at screen: any Screen, _ source: any LineSource,
        isSerial: Bool = false, ended: @escaping () -> Void
    ) {
        let place = seats.count
        let console = MaintainerConsole(
            agent: agent,
            surroundings: { [unowned self] in commandSurroundings(agent, of: seats[place]) },
            show: { output, isJSON in Self.show(output, isJSON: isJSON, on: screen) })
        let lock = isSerial ? self.lock(console, agent, at: screen) : nil
        let handler = lock.map { lock in { lock.receive($0) } } ?? { console.receive($0) }
        let input = LineInput(source, handler: handler, ended: ended)
        seats.append(Seat(console, at: screen, input, lock: lock))
        console.start()
    }

    /// Nil where the store cannot be had, with which nothing works.
    private func lock(
        _ console: MaintainerConsole, _ agent: Agent, at screen: any Screen
    ) -> GuardedConsole? {
        guard let store = try? surroundings.store() else { return nil }
        return GuardedConsole(
            console, agent: agent, store: store, say: { screen.writeError($0) },
            hide: { (screen as? LockableScreen)?.isLocked = $0 })
    }

    private func commandSurroundings(
        _ agent: Agent, of seat: Seat?
    ) -> any CommandSurroundings {
        ForegroundSurroundings(
            surroundings, agent: agent, screen: seat?.screen ?? surface.screen,
            showsPictures: !(seat?.isSerial ?? false),
            asking: { () async throws(CancellationError) -> Secret in
                guard let seat else { throw CancellationError() }
                return try await seat.console.ask()
            },
            erasing: { [unowned self] in
                erases = true
                end()
            },
            opening: { [loop = poll.loop] in seat?.openScreen(on: loop) })
    }

    private static let greeting =
        "Running. window open lets devices in; help lists the commands, Control-C ends.\n"

    private func take(_ event: AgentEvent) {
        let isShown = surface.watch(event)
        if let output = AgentOutput.event(event) ?? AgentOutput.detail(event) {
            showEverywhere(output, event.level, isShown: isShown)
            mqtt?.receive(event, output)
        }
        if let status = event.status, !isEnding { notifier?.status(status) }
        guard case .resetConfirmed = event else { return }
        erases = true
        end()
    }

    /// - Parameter isShown: the surface shows it by itself.
    private func showEverywhere(_ output: Output, _ level: LogLevel, isShown: Bool = false) {
        if !isShown, level <= surface.log.threshold { surface.screen.tell(output, level) }
        guard level != .debug else { return }
        for seat in seats where seat.screen !== surface.screen {
            Self.show(output, isJSON: false, on: seat.screen)
        }
        consoles?.tell(output)
    }

    private static func show(_ output: Output, isJSON: Bool, on screen: any Screen) {
        let text = output.standardOutput(isJSON: isJSON)
        if !text.isEmpty { screen.write(text) }
        if !output.notices.isEmpty { screen.writeError(output.standardError) }
    }

    // MARK: Signals

    private func receive(_ signal: Signals.Kind) {
        switch signal {
        // A maintainer's terminal has gone.
        case .hangUp where surface.isMaintainers: signalled()
        case .hangUp: poll.loop.spawn { @Sendable [self] in await reload() }
        case .interrupt, .terminate: signalled()
        }
    }

    /// Takes over what can change while devices are looked after; a file with faults changes
    /// nothing.
    private func reload() async {
        guard let agent, !isEnding else { return }
        notifier?.reloading()
        do throws(Explanation) {
            let new = try ConfigurationFile.load(options.configuration)
            let changed = configuration.changes(to: new)
            configuration = new
            surface.log.threshold = new.logLevel
            await agent.use(new.window(seconds: windowSeconds))
            surface.screen.write("the configuration was read again\n")
            for key in changed where !key.isReloadable {
                surroundings.wiring.report("\(key.rawValue) has changed: restart to use it")
            }
            notifier?.ready("running")
        } catch {
            surface.screen.tell(error.output, .error)
            notifier?.ready("running; the configuration has a fault and is not used")
        }
    }

    // MARK: The end

    /// Whoever asks twice does not wait for devices.
    private func signalled() {
        if isEnding { stopWaiting() } else { end() }
    }

    /// An erasure waits until nobody holds the store.
    private func stopWaiting() {
        if !erases { isClosed = true }
    }

    private func end() {
        guard !isEnding else { return }
        isEnding = true
        notifier?.stopping()
        notifier?.stopFeeding()
        _ = poll.loop.schedule(at: poll.loop.now + Self.endsWithin) { [weak self] in
            self?.stopWaiting()
        }
        let drawn = seats.filter { $0.isSerial && $0.isDrawn }
        for seat in seats { seat.stop() }
        for seat in seats where !seat.isSerial { seat.stopInput() }
        for input in inputs { input.stop() }
        socket = nil
        poll.loop.spawn { @Sendable [self] in
            await agent?.stop()
            recorder?.stop()
            consoles?.stop()
            await surroundings.close()
            // What a line still has to carry is lost when it is let go.
            if !drawn.isEmpty { try? await poll.loop.sleep(for: Self.farewell) }
            for seat in seats { seat.stopInput() }
            isClosed = true
        }
    }

    /// For devices to hear of the end. What is not done by then is completed or undone by the
    /// next start.
    private static let endsWithin = Duration.milliseconds(1500)
    /// For a line of 9600 bit/s to carry the last of a drawn screen.
    private static let farewell = Duration.milliseconds(200)

    private func erase() {
        // Nobody may hold the store any more.
        agent = nil
        recorder = nil
        seats = []
        inputs = []
        consoles = nil
        mqtt = nil
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

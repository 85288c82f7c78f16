internal import Base
internal import Crypto
internal import MatterNode

/// The agent's end of one console: carries out its command, or its lines while it stays.
final class ConsoleSession: @unchecked Sendable {
    private enum State {
        case waiting(TimerID)
        case command(LoopTask)
        /// It stays, types lines and is told what goes on.
        case console(MaintainerConsole)
        /// It has been told everything, and goes when it has taken it.
        case finished
        case ended
    }

    private let agent: Agent
    /// Nil where the system does not tell.
    private let user: UInt32?
    private let process: () -> any CommandSurroundings
    private let ended: (ConsoleSession) -> Void
    private var channel: ConsoleChannel?
    private var state = State.ended
    private var answer: LoopWait<ConsoleAnswer>?
    private(set) var hasTerminal = false
    /// While its terminal is drawn on.
    private var screen: KeyScreen?
    private var screenSize: (columns: Int, rows: Int)?
    /// Sent to be drawn, and not drawn yet as far as is known.
    private var undrawn = 0

    /// - Parameters:
    ///   - process: what commands are lent by the agent's process.
    ///   - ended: called once.
    init(
        _ stream: any ByteStream, agent: Agent,
        process: @escaping () -> any CommandSurroundings,
        ended: @escaping (ConsoleSession) -> Void
    ) {
        self.agent = agent
        user = stream.peerUser == UInt32.max ? nil : stream.peerUser
        self.process = process
        self.ended = ended
        channel = ConsoleChannel(
            stream, bodyLimit: ConsoleLimits.messageBytes,
            receive: { [unowned self] in receive($0) }, ended: { [unowned self] in end($0) })
    }

    func start() {
        let timer = agent.loop.schedule(
            at: agent.loop.now + ConsoleLimits.requestPatience
        ) { [weak self] in self?.end() }
        state = .waiting(timer)
        channel?.start()
    }

    /// Ends what it has begun, and the connection.
    func end(_ ending: ConsoleChannel.Ending = .closed) {
        if case .broken(let error) = ending { say(error) }
        switch state {
        case .waiting(let timer): agent.loop.cancel(timer)
        case .command(let task): task.cancel()
        case .console(let console): console.stop()
        case .finished: break
        case .ended: return
        }
        state = .ended
        screen?.close()
        answer?.resume(with: .failure(CancellationError()))
        channel?.close()
        ended(self)
    }

    /// Tells a console that stays what goes on.
    func tell(_ output: Output) {
        if let screen { return screen.tell(output) }
        if case .console = state { show(output, isJSON: false) }
    }

    func send(_ message: ConsoleMessage) { channel?.send(message) }

    /// Asks the console, and waits.
    func ask(_ question: ConsoleQuestion) async throws(Explanation) -> ConsoleAnswer {
        let wait = LoopWait<ConsoleAnswer>()
        answer = wait
        channel?.bodyLimit = ConsoleLimits.contentBytes
        defer {
            answer = nil
            channel?.bodyLimit = ConsoleLimits.messageBytes
        }
        send(.question(question))
        let answer: ConsoleAnswer
        do throws(CancellationError) { answer = try await wait.value() } catch {
            throw Explanation.cancelled
        }
        if case .refused(let explanation) = answer { throw explanation }
        return answer
    }

    /// Nil where the console has no terminal that could be drawn on.
    func openScreen() async throws(Explanation) -> KeyScreen? {
        guard hasTerminal, screen == nil, try await ask(.screen) == .truth(true) else {
            return nil
        }
        undrawn = 0
        let screen = KeyScreen(
            on: agent.loop,
            KeyScreen.Terminal(
                size: { [weak self] in self?.screenSize },
                isDrained: { [weak self] in self?.undrawn == 0 },
                draw: { [weak self] text in
                    self?.undrawn += 1
                    self?.send(.output(text))
                },
                close: { [weak self] in
                    self?.screen = nil
                    self?.send(.linesAgain)
                }))
        self.screen = screen
        return screen
    }

    // MARK: What the console says

    private func receive(_ message: ConsoleMessage) {
        switch (message, state) {
        case (.request(let request), .waiting(let timer)):
            agent.loop.cancel(timer)
            ConsoleUser.$current.withValue(user) { begin(request) }
        // One that comes late answers what was cancelled meanwhile.
        case (.answer(let answer), _): self.answer?.resume(returning: answer)
        case (.cancel, .finished), (.cancel, .console): break
        case (.cancel, .command(let task)): task.cancel()
        // Those that come late were meant for a screen that has gone.
        case (.keys(let octets), _): screen?.receive(keys: octets)
        case (.drawn(let columns, let rows), _):
            screenSize = columns > 0 && rows > 0 ? (columns, rows) : nil
            undrawn = max(0, undrawn - 1)
            screen?.drained()
        case (.line(let line), .console(let console)): console.receive(.line(line))
        default: end(.broken(.unexpected))
        }
    }

    private func begin(_ request: ConsoleRequest) {
        hasTerminal = request.hasTerminal
        let invocation: Invocation
        do throws(UsageError) { invocation = try CommandParser.parse(request.words) } catch {
            return finish(Explanation(error).output, isJSON: false)
        }
        var options = invocation.options
        // It has led here.
        options.state = nil
        guard !options.isOfTheProcess else {
            return finish(Explanation.optionsOfTheAgent.output, isJSON: false)
        }
        switch invocation.command {
        case .restore, .run: finish(Explanation.agentRuns.output, isJSON: false)
        case .console: stay()
        default: begin(invocation)
        }
    }

    private func begin(_ invocation: Invocation) {
        let task = agent.loop.spawn { @Sendable [self] in
            let surroundings = RemoteSurroundings(process(), console: self)
            let output = await CommandRunner(surroundings).run(invocation.command)
            finish(output, isJSON: invocation.options.isJSON)
        }
        state = .command(task)
    }

    private func stay() {
        let console = MaintainerConsole(
            agent: agent,
            surroundings: { [self] in RemoteSurroundings(process(), console: self) },
            show: { [weak self] output, isJSON in self?.show(output, isJSON: isJSON) })
        state = .console(console)
        console.start()
        send(.output(Self.greeting))
    }

    private func finish(_ output: Output, isJSON: Bool) {
        show(output, isJSON: isJSON)
        // It may have gone meanwhile.
        if case .ended = state { return }
        state = .finished
        send(.ended(output.exitCode))
    }

    private func show(_ output: Output, isJSON: Bool) {
        let text = output.standardOutput(isJSON: isJSON)
        if !text.isEmpty { send(.output(text)) }
        if !output.notices.isEmpty { send(.errorOutput(output.standardError)) }
    }

    private func say(_ error: ConsoleProtocolError) {
        send(.errorOutput(Explanation(error).line + "\n"))
        send(.ended(Explanation(error).kind.exitCode))
    }

    private static let greeting =
        "Connected. help lists the commands; Control-C ends this console, not the agent.\n"
}

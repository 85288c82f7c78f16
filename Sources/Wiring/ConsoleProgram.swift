internal import Base
internal import Crypto
internal import Gateway
internal import LinuxIO
internal import Matter
internal import MatterNode

/// This process as a console of the running agent: for one command, or for lines.
final class ConsoleProgram: @unchecked Sendable {
    private let poll: PollLoop
    private let screen = StreamScreen()
    private var client: ConsoleClient?
    private var input: LineInput?
    /// What the agent has asked for, while the next line is the answer.
    private var question: LoopWait<Secret>?
    private var exitCode: ExitCode?
    /// Lines are typed until its user ends it.
    private var stays = false

    private init(poll: PollLoop) {
        self.poll = poll
    }

    /// - Returns: nil when the command is not the agent's, or none runs.
    nonisolated static func run(_ words: [[UInt8]], _ invocation: Invocation) -> Int32? {
        guard invocation.command.isOfAgent else { return nil }
        let poll = PollLoop()
        let path = Wiring.consolePath(invocation.options)
        let stream: StreamSocket?
        do throws(Errno) { stream = try StreamSocket.connect(to: path, on: poll) } catch {
            let explanation = Explanation(
                unreachableAgent: path, error.description, isDenied: error.isDenial)
            StandardStreams.writeError(explanation.line + "\n")
            return explanation.kind.exitCode.rawValue
        }
        guard let stream else { return nil }
        return ConsoleProgram(poll: poll).run(words, invocation, stream)
    }

    private func run(
        _ words: [[UInt8]], _ invocation: Invocation, _ stream: StreamSocket
    ) -> Int32 {
        let process = Surroundings(invocation.options, poll: poll)
        stays = invocation.command == .console
        if stays, !Terminal.input.isTerminal {
            let explanation = Explanation.consoleWithoutTerminal
            StandardStreams.writeError(explanation.line + "\n")
            return explanation.kind.exitCode.rawValue
        }
        let lines = ForegroundSurroundings(
            process, agent: nil, screen: screen,
            asking: { [unowned self] () async throws(CancellationError) -> Secret in
                try await nextLine()
            }, erasing: {})
        let client = ConsoleClient(
            stream, loop: poll.loop, surroundings: stays ? lines : process, keyboard: keyboard,
            show: { [screen] text, isError in
                if isError { screen.writeError(text) } else { screen.write(text) }
            }, ended: { [unowned self] code in exitCode = code })
        self.client = client
        let signals = try? Signals(on: poll) { _ in
            if self.stays { client.end(.ok) } else { client.cancel() }
        }
        defer { _ = signals }
        client.start(words)
        if stays { read() }
        poll.run { exitCode != nil }
        input?.stop()
        _ = screen.takeKeys(nil)
        screen.hidesInput = false
        return (exitCode ?? .software).rawValue
    }

    /// The terminal while the agent draws on it.
    private var keyboard: ConsoleKeyboard {
        ConsoleKeyboard(
            begin: { [unowned self] in
                guard screen.takeKeys({ [screen] in screen.draw($0) }) else { return false }
                if input == nil { read() }
                input?.onKeys = { [unowned self] in client?.press($0) }
                return true
            },
            end: { [unowned self] in
                _ = screen.takeKeys(nil)
                input?.onKeys = nil
                if !stays { input?.stop() }
            },
            size: { [screen] in screen.size })
    }

    private func read() {
        let input = LineInput(
            StreamSource(.input, on: poll),
            handler: { [unowned self] event in take(event) },
            ended: { [unowned self] in client?.end(.ok) })
        self.input = input
        input.start()
    }

    private func take(_ event: SerialCodes.Event) {
        switch event {
        case .dropped(let fault): screen.writeError(Explanation(fault).line + "\n")
        case .line(let line):
            guard let question else { return client?.type(line) ?? () }
            self.question = nil
            question.resume(returning: line)
        }
    }

    private func nextLine() async throws(CancellationError) -> Secret {
        let wait = LoopWait<Secret>()
        question = wait
        return try await wait.value()
    }
}

extension Explanation {
    fileprivate static let consoleWithoutTerminal = Explanation(
        .usage, "console is for people at a terminal",
        remedy: "in scripts, give each command as arguments: matter-gateway devices --json")
}

internal import Base
package import Crypto
internal import MatterNode

/// A maintainer's console: lines of words are commands, payloads go the installer's way.
///
/// Lines are carried out in their order, one at a time; `cancel` alone does not wait for its
/// turn. A command that asks for something gets the next line.
package final class MaintainerConsole: @unchecked Sendable {
    private let agent: Agent
    private let surroundings: () -> any CommandSurroundings
    private let show: (Output, _ isJSON: Bool) -> Void
    private let lines: LoopQueue<SerialCodes.Event>
    private var question: LoopWait<Secret>?
    private var command: LoopTask?
    private var flow: LoopTask?

    /// Lines that wait for the command before them: a pasted list of commands.
    private static let waitingLines = 64

    /// - Parameters:
    ///   - surroundings: of the commands; `ask` is for its questions.
    ///   - show: shows what a command has to say.
    package init(
        agent: Agent, surroundings: @escaping () -> any CommandSurroundings,
        show: @escaping (Output, _ isJSON: Bool) -> Void
    ) {
        self.agent = agent
        self.surroundings = surroundings
        self.show = show
        lines = LoopQueue(on: agent.loop, bound: Self.waitingLines)
    }

    package func start() {
        flow = agent.loop.spawn { @Sendable [self] in await run() }
    }

    package func stop() {
        command?.cancel()
        flow?.cancel()
    }

    /// Waits for one line as the answer to a question that was shown.
    package func ask() async throws(CancellationError) -> Secret {
        let wait = LoopWait<Secret>()
        question = wait
        defer { question = nil }
        return try await wait.value()
    }

    package func receive(_ event: SerialCodes.Event) {
        if case .line(let line) = event {
            if let question {
                self.question = nil
                return question.resume(returning: line)
            }
            if line == Self.cancelLine {
                agent.loop.spawn { @Sendable [self] in await cancel() }
                return
            }
        }
        guard !lines.push(event) else { return }
        show(Self.tooManyLines.output, false)
    }

    private func cancel() async {
        let hadCommand = command != nil
        command?.cancel()
        let (hadRun, waiting) = await agent.cancel()
        show(AgentOutput.cancelled(hadRun: hadRun || hadCommand, waiting: waiting), false)
    }

    private func run() async {
        while let event = try? await lines.next(until: .distantFuture) {
            if await agent.receive(event) { continue }
            guard case .line(let line) = event else { continue }
            await perform(line)
        }
    }

    private func perform(_ line: Secret) async {
        let invocation: Invocation
        do throws(UsageError) {
            invocation = try CommandParser.parse(try ConsoleLine.split(line.span))
        } catch { return show(Explanation(error).output, false) }
        guard !invocation.options.isOfTheProcess else {
            return show(Self.optionsOfTheProcess.output, false)
        }
        if case .restore = invocation.command { return show(Self.restoring.output, false) }
        let result = CommandOutput()
        let task = agent.loop.spawn { @Sendable [self] in
            result.output = await CommandRunner(surroundings()).run(invocation.command)
        }
        command = task
        await task.value
        command = nil
        if let output = result.output { show(output, invocation.options.isJSON) }
    }

    private static let cancelLine = Secret(Array(CommandName.cancel.rawValue.utf8).span)
    private static let tooManyLines = Explanation(
        .busy, "too many lines wait for the command before them", remedy: "cancel ends it")
    private static let restoring = Explanation(
        .usage, "this program works with what restore replaces",
        remedy: "end it, and type matter-gateway restore FILE then")
    private static let optionsOfTheProcess = Explanation(
        .usage, "this option holds for the whole program", remedy: "give it to run")
}

extension GlobalOptions {
    /// Those that decide what is opened at the start.
    var isOfTheProcess: Bool {
        var ours = GlobalOptions()
        ours.isJSON = isJSON
        return self != ours
    }
}

/// Both sides are on the loop.
private final class CommandOutput: @unchecked Sendable {
    var output: Output?
}

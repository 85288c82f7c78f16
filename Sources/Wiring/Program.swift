internal import Base
internal import Crypto
internal import Gateway
internal import LinuxIO
internal import Matter
internal import MatterNode

/// One command from its words to its exit code.
package enum Program {
    package nonisolated static func run(_ words: [[UInt8]]) -> Int32 {
        protectProcess()
        let invocation: Invocation
        do throws(UsageError) { invocation = try CommandParser.parse(words) } catch {
            return finish(Explanation(error).output, isJSON: false)
        }
        if let code = invocation.command.typedCode {
            ProcessArguments.conceal([UInt8](code.span))
        }
        if case .run(let seconds, let pollSeconds, let board) = invocation.command {
            return Foreground.run(
                invocation.options, windowSeconds: seconds, pollSeconds: pollSeconds, board: board)
        }
        let complete: Invocation
        do throws(Explanation) { complete = try configured(invocation) } catch {
            return finish(error.output, isJSON: invocation.options.isJSON)
        }
        if let code = ConsoleProgram.run(words, complete) { return code }
        let output = perform(complete)
        return finish(output, isJSON: invocation.options.isJSON)
    }

    private nonisolated static func configured(
        _ invocation: Invocation
    ) throws(Explanation) -> Invocation {
        if invocation.command.needsNothing { return invocation }
        let configuration = try ConfigurationFile.load(invocation.options.configuration)
        return Invocation(
            command: invocation.command,
            options: invocation.options.completed(by: configuration))
    }

    /// To be called first by whatever holds secrets.
    package nonisolated static func protectProcess() {
        Signals.ignoreBrokenPipes()
        ProcessFacts.returnMemory()
        do throws(Errno) { try ProcessFacts.forbidDumps() } catch {
            StandardStreams.writeError(
                "matter-gateway: core files cannot be turned off (\(error.description))\n")
        }
    }

    private nonisolated static func finish(_ output: Output, isJSON: Bool) -> Int32 {
        StandardStreams.writeOutput(output.standardOutput(isJSON: isJSON))
        StandardStreams.writeError(output.standardError)
        return output.exitCode.rawValue
    }

    /// Runs the command's flow on the loop; a signal cancels it, and what it holds at devices is
    /// let go before the end.
    private nonisolated static func perform(_ invocation: Invocation) -> Output {
        let poll = PollLoop()
        let surroundings = Surroundings(invocation.options, poll: poll)
        let result = CommandResult()
        let loop = poll.loop
        let task = loop.spawn { @Sendable in
            result.output = await CommandRunner(surroundings).run(invocation.command)
            // On its own: a command that was cancelled takes its leave of devices as well.
            loop.spawn { @Sendable in
                await surroundings.close()
                result.isClosed = true
            }
        }
        let signals: Signals?
        do throws(Errno) {
            signals = try Signals(on: poll) { _ in task.cancel() }
        } catch {
            // Without them a signal ends the process at once, which loses nothing that is stored.
            signals = nil
        }
        defer { _ = signals }
        poll.run { result.isClosed }
        guard let output = result.output else { preconditionFailure("the flow has ended") }
        return output
    }
}

/// What the flow leaves behind; written and read on the loop's thread alone.
private final class CommandResult: @unchecked Sendable {
    var output: Output?
    var isClosed = false
}

internal import Gateway
internal import Glibc
internal import LinuxIO
internal import MatterNode
internal import Wiring

/// The agent on a board of which there is nothing but a terminal. It takes the options of `run`.
///
/// For trying it without hardware; it is not installed.
private func simulate(_ words: [[UInt8]]) -> Int32 {
    Program.protectProcess()
    let invocation: Invocation
    do throws(UsageError) {
        invocation = try CommandParser.parse([Array("run".utf8)] + words)
    } catch {
        StandardStreams.writeError(Explanation(error).line + "\n")
        return error.kind.exitCode.rawValue
    }
    guard case .run(let seconds, let pollSeconds, _) = invocation.command else {
        StandardStreams.writeOutput(CommandHelp.text(about: .run).standardOutput(isJSON: false))
        return ExitCode.ok.rawValue
    }
    let poll = PollLoop()
    let board = TerminalBoard(on: poll)
    let foreground = Foreground(
        invocation.options, windowSeconds: seconds, pollSeconds: pollSeconds, poll: poll,
        surface: Foreground.Surface(
            board: board, screen: board, input: board,
            isMaintainers: Terminal.input.isTerminal, watch: { board.watch($0) }))
    let exitCode = foreground.run()
    board.leave()
    return exitCode
}

exit(simulate(ProcessArguments.words))

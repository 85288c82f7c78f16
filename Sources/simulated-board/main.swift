internal import Gateway
internal import Glibc
internal import LinuxIO
internal import MatterNode
internal import VirtualAir
internal import Wiring

/// The agent on a board of which there is nothing but a terminal. It takes the options of `run`,
/// and `--air FOLDER`, in which local sockets stand for Bluetooth.
///
/// For trying it without hardware; it is not installed.
private func simulate(_ words: [[UInt8]]) -> Int32 {
    Program.protectProcess()
    var words = words
    let air: String?
    if let index = words.firstIndex(where: { $0.elementsEqual("--air".utf8) }),
        words.indices.contains(index + 1)
    {
        air = String(decoding: words[index + 1], as: UTF8.self)
        words.removeSubrange(index...index + 1)
    } else {
        air = nil
    }
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
    let radio: AirRadio?
    do throws(Errno) {
        radio = try air.map { path throws(Errno) in AirRadio(try AirFolder(path), on: poll) }
    } catch {
        StandardStreams.writeError("--air: \(error.description)\n")
        return EX_CANTCREAT
    }
    let board = TerminalBoard(on: poll)
    let foreground = Foreground(
        invocation.options, windowSeconds: seconds, pollSeconds: pollSeconds, poll: poll,
        surface: Foreground.Surface(
            board: board, screen: board, input: board,
            isMaintainers: Terminal.input.isTerminal, radio: radio, watch: { board.watch($0) }))
    let exitCode = foreground.run()
    board.leave()
    return exitCode
}

exit(simulate(ProcessArguments.words))

internal import Base
package import Crypto
package import MatterNode

/// A console's end: sends what is wanted, shows what comes, answers what the agent asks.
package final class ConsoleClient: @unchecked Sendable {
    private let loop: Loop
    private let surroundings: any CommandSurroundings
    private let show: (String, _ isError: Bool) -> Void
    private let ended: (ExitCode) -> Void
    private let keyboard: ConsoleKeyboard?
    /// The agent draws, and gets keys.
    private var isDrawn = false
    private var channel: ConsoleChannel?
    /// What a person typed last: the agent may ask for the files that it names, and no others.
    private var typed: [Secret] = []
    private var isCancelled = false

    /// - Parameters:
    ///   - surroundings: answer the agent's questions; their store is not opened.
    ///   - show: shows text as it comes.
    ///   - keyboard: nil where there is none.
    ///   - ended: called once.
    package init(
        _ stream: any ByteStream, loop: Loop, surroundings: any CommandSurroundings,
        keyboard: ConsoleKeyboard? = nil,
        show: @escaping (String, _ isError: Bool) -> Void,
        ended: @escaping (ExitCode) -> Void
    ) {
        self.loop = loop
        self.surroundings = surroundings
        self.show = show
        self.ended = ended
        self.keyboard = keyboard
        channel = ConsoleChannel(
            stream, bodyLimit: ConsoleLimits.contentBytes,
            receive: { [unowned self] in receive($0) }, ended: { [unowned self] in fail($0) })
    }

    /// - Parameter words: of the command line.
    package func start(_ words: [[UInt8]]) {
        typed = words.map { Secret($0.span) }
        channel?.start()
        send(.request(ConsoleRequest(words, hasTerminal: surroundings.hasTerminal)))
    }

    /// A line of a console that stays.
    package func type(_ line: Secret) {
        let words = (try? ConsoleLine.split(line.span)) ?? []
        typed = words.map { Secret($0.span) }
        send(.line(line))
    }

    /// Keys, while the agent draws.
    package func press(_ octets: [UInt8]) {
        if isDrawn { send(.keys(octets)) }
    }

    /// Ends the command; whoever asks twice does not wait for the agent.
    package func cancel() {
        if isCancelled { return end(.interrupted) }
        isCancelled = true
        send(.cancel)
    }

    package func end(_ code: ExitCode) {
        guard let channel else { return }
        leaveScreen()
        self.channel = nil
        channel.close()
        ended(code)
    }

    private func send(_ message: ConsoleMessage) { channel?.send(message) }

    private func receive(_ message: ConsoleMessage) {
        switch message {
        case .output(let text):
            show(text, false)
            if isDrawn { sendSize() }
        case .errorOutput(let text): show(text, true)
        case .question(let question):
            loop.spawn { @Sendable [self] in send(.answer(await answer(question))) }
        case .linesAgain: leaveScreen()
        case .ended(let code): end(code)
        case .request, .line, .answer, .cancel, .keys, .drawn: fail(.broken(.unexpected))
        }
    }

    private func fail(_ ending: ConsoleChannel.Ending) {
        let explanation =
            switch ending {
            case .closed: Explanation.agentGone
            case .broken(let error): Explanation(error)
            }
        leaveScreen()
        show(explanation.line + "\n", true)
        end(explanation.kind.exitCode)
    }

    // MARK: The screen

    private func enterScreen() -> Bool {
        guard let keyboard, keyboard.begin() else { return false }
        isDrawn = true
        sendSize()
        return true
    }

    /// However it ends: the terminal is its user's again.
    private func leaveScreen() {
        guard isDrawn else { return }
        isDrawn = false
        show(KeyScreen.farewell, false)
        keyboard?.end()
    }

    private func sendSize() {
        let size = keyboard?.size() ?? (columns: 0, rows: 0)
        send(.drawn(columns: size.columns, rows: size.rows))
    }

    // MARK: Answers

    private func answer(_ question: ConsoleQuestion) async -> ConsoleAnswer {
        do throws(Explanation) {
            return try await asked(question)
        } catch { return .refused(error) }
    }

    private func asked(_ question: ConsoleQuestion) async throws(Explanation) -> ConsoleAnswer {
        switch question {
        case .code: return try await surroundings.readCode().map { .secret($0) } ?? .nothing
        case .passphrase(let prompt):
            return .secret(try await surroundings.readPassphrase(prompt))
        case .text(let prompt): return .secret(try await surroundings.readText(prompt))
        case .boardNetwork(let ssid):
            let asked = Array(CommandOption.fromBoard.spelling.utf8)
            guard typed.contains(Secret(asked.span)) else {
                throw Explanation(ConsoleProtocolError.unexpected)
            }
            return .network(try await surroundings.boardNetwork(ssid))
        case .confirmation(let question):
            return .truth(try await surroundings.confirm(question))
        case .exists(let path):
            return .truth(try await surroundings.exists(try named(path)))
        case .files(let folder):
            return try await surroundings.files(inFolder: try named(folder)).map { .texts($0) }
                ?? .nothing
        case .read(let path, let limit):
            return .octets(try await surroundings.readFile(try named(path), limit: limit))
        case .write(let octets, let path):
            try await surroundings.writeFile(octets, to: try named(path))
            return .nothing
        case .screen: return .truth(enterScreen())
        case .picture(let text):
            return await surroundings.picture(of: text).map { .texts($0) } ?? .nothing
        }
    }

    /// The path, when it was typed here or is directly in a folder that was.
    private func named(_ path: String) throws(Explanation) -> String {
        let octets = Array(path.utf8)
        let folder = octets.lastIndex(of: UInt8(ascii: "/")).map { Array(octets[..<$0]) }
        let isNamed = typed.contains { word in
            var typed = [UInt8](word.span)
            if typed == octets { return true }
            while typed.count > 1, typed.last == UInt8(ascii: "/") { typed.removeLast() }
            return typed == folder
        }
        guard isNamed else { throw Explanation(ConsoleProtocolError.unexpected) }
        return path
    }
}

/// How a console's terminal is switched between lines and keys.
package struct ConsoleKeyboard {
    /// Keys come from now on; false where there is no terminal.
    let begin: () -> Bool
    /// Lines come again.
    let end: () -> Void
    /// Nil where it is not known.
    let size: () -> (columns: Int, rows: Int)?

    package init(
        begin: @escaping () -> Bool, end: @escaping () -> Void,
        size: @escaping () -> (columns: Int, rows: Int)?
    ) {
        self.begin = begin
        self.end = end
        self.size = size
    }
}

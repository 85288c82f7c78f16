internal import Base
internal import Gateway
internal import LinuxIO
internal import Matter
internal import MatterNode
internal import Wiring

/// A board whose lamp is drawn in the last line of the terminal, whose button is a key and whose
/// scanner is whatever is pasted. Where the input is no terminal it has no keys, and where the
/// output is none the lamp is not drawn.
final class TerminalBoard: Board, Screen, LineSource, @unchecked Sendable {
    var onButton: ((_ isPressed: Bool, _ at: Instant) -> Void)?
    let isButtonPressed = false
    let hasFaultLamp = false

    /// What is handed on of the input, and whether it has ended.
    var onReadable: (() -> Void)? {
        didSet { source.onReadable = onReadable == nil ? nil : { [weak self] in self?.take() } }
    }
    var hidesInput = false { didSet { draw() } }

    private let poll: PollLoop
    private let source: StreamSource
    private let modes: TerminalModes?
    private let isDrawn = Terminal.output.isTerminal
    private var editor = LineEditor()
    private var given: [UInt8] = []
    private var hasEnded = false
    private var isDown = false
    private var isOn = false
    private var state = "idle"
    /// Of each device what it said last, in the order of their rounds.
    private var readings: [(node: NodeID, text: String)] = []
    /// The beginning of a line that is told piece by piece.
    private var partial = ""

    init(on poll: PollLoop) {
        self.poll = poll
        source = StreamSource(.input, on: poll)
        modes = Terminal.input.isTerminal ? try? TerminalModes(.keys, of: .input) : nil
        if modes != nil {
            write(
                "Space presses the button, H holds it for 10 s. Paste or type a setup code, a"
                    + " label or a command, and Enter.\n")
        }
    }

    /// Leaves the terminal as it was found.
    func leave() {
        if isDrawn { StandardStreams.writeOutput(Self.clear) }
        withExtendedLifetime(modes) {}
    }

    // MARK: Input

    @_lifetime(buffer: copy buffer)
    func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        let count = min(given.count, buffer.count)
        guard count > 0 else { return hasEnded ? 0 : nil }
        for index in 0..<count { buffer[index] = given[index] }
        given.removeFirst(count)
        return count
    }

    private func take() {
        var bytes = [UInt8](repeating: 0, count: 512)
        var span = bytes.mutableSpan
        guard let count = source.receive(into: &span) else { return }
        bytes.removeLast(bytes.count - count)
        if count == 0 {
            hasEnded = true
            source.onReadable = nil
        } else if modes == nil {
            given += bytes
        } else {
            type(bytes)
        }
        if !given.isEmpty || hasEnded { onReadable?() }
    }

    private func type(_ bytes: [UInt8]) {
        switch editor.type(bytes) {
        case .press: press(for: .milliseconds(150))
        case .hold: press(for: .milliseconds(10_200))
        case .end: hasEnded = true
        case .lines(let lines): given += lines
        }
        draw()
    }

    private func press(for duration: Duration) {
        guard !isDown else { return }
        isDown = true
        onButton?(true, poll.loop.now)
        _ = poll.loop.schedule(at: poll.loop.now + duration) { [weak self] in
            guard let self else { return }
            isDown = false
            onButton?(false, poll.loop.now)
        }
    }

    // MARK: Output

    func show(_ lamp: Lamp, isOn: Bool) {
        self.isOn = isOn
        draw()
    }

    /// What the lamp means, and the readings beside it.
    /// - Returns: whether nothing else needs to be shown.
    func watch(_ event: AgentEvent) -> Bool {
        switch event {
        case .windowOpened: state = "window open"
        case .windowClosed: state = "idle"
        case .step(let step): state = step.title
        case .commissioned: state = "added"
        case .failed(let error, _):
            state = error.cause == .cancelled ? "cancelled" : "not added"
        case .resetArmed: state = "factory reset armed"
        case .resetCancelled: state = "factory reset cancelled"
        case .buttonFault: state = "button fault"
        case .nodes(let nodes): readings.removeAll { !nodes.contains($0.node) }
        case .readings(let reports, let node):
            // Those of a new device, which are said in full as well.
            keep(AgentOutput.brief(node, reports), of: node.nodeID)
        case .reading(_, let state):
            keep(StateOutput.brief(state), of: state.node.nodeID)
            draw()
            return isDrawn
        case .link(.offline, let node):
            keep(AgentOutput.brief(node, nil), of: node.nodeID)
            draw()
            return isDrawn
        case .link, .alert, .accepted, .repeated, .refused, .room, .name, .wiFi, .warning,
            .tookPlace,
            .resetConfirmed, .buttonFaultEnded:
            break
        }
        draw()
        return false
    }

    private func keep(_ text: String?, of node: NodeID) {
        guard let text else { return }
        if let index = readings.firstIndex(where: { $0.node == node }) {
            readings[index].text = text
        } else {
            readings.append((node, text))
        }
    }

    func write(_ text: String) { print(text, StandardStreams.writeOutput) }
    func writeError(_ text: String) { print(text, StandardStreams.writeError) }

    private func print(_ text: String, _ stream: (String) -> Void) {
        guard isDrawn else { return stream(text) }
        partial += text
        guard let end = partial.lastIndex(of: "\n") else { return draw() }
        let lines = partial[...end]
        partial = String(partial[partial.index(after: end)...])
        StandardStreams.writeOutput(Self.clear)
        stream(String(lines))
        draw()
    }

    private func draw() {
        guard isDrawn else { return }
        let typed = hidesInput ? "" : editor.text
        let beginning = "\(isOn ? "●" : "○") \(partial.isEmpty ? state : partial)"
        var beside = ""
        if typed.isEmpty, partial.isEmpty, !readings.isEmpty {
            beside = " | " + readings.map(\.text).joined(separator: " | ")
            let room = columns - width(beginning) - width(Self.prompt)
            if width(beside) > room { beside = String(beside.prefix(max(0, room - 2))) + "…" }
        }
        let line = beginning + beside + Self.prompt + typed
        StandardStreams.writeOutput(Self.clear + fitting(line.escapingControls))
    }

    /// The end of a line that is too wide for the terminal: what is being typed is there.
    private func fitting(_ line: String) -> String {
        let columns = columns
        var width = 0
        var start = line.endIndex
        while start > line.startIndex {
            let before = line.index(before: start)
            width += Self.width(of: line[before])
            if width > columns { break }
            start = before
        }
        return String(line[start...])
    }

    private var columns: Int { (Terminal.output.size?.columns ?? 80) - 1 }

    private func width(_ text: String) -> Int {
        text.reduce(0) { $0 + Self.width(of: $1) }
    }

    /// Where a character is wide is the terminal's to say.
    private static func width(of character: Character) -> Int { character.isASCII ? 1 : 2 }

    private static let prompt = "  > "
    /// To the beginning of the line, and nothing in it.
    private static let clear = "\r\u{1B}[K"
}

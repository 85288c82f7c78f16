package import Base
package import Gateway
internal import LinuxIO

/// Where the agent's texts go.
package protocol Screen: AnyObject, Sendable {
    /// What a command or the agent has to say; whole lines.
    func write(_ text: String)
    /// Warnings, failures, questions, and what commands tell on their way.
    func writeError(_ text: String)
    /// What the agent tells of its own.
    func tell(_ output: Output, _ level: LogLevel)
    /// Whether what is typed is shown.
    var hidesInput: Bool { get set }
}

extension Screen {
    /// To people, who see the details in the lamp and in `status`.
    package func tell(_ output: Output, _ level: LogLevel) {
        let text = output.standardOutput(isJSON: false)
        if !text.isEmpty { write(text) }
        if !output.notices.isEmpty { writeError(output.standardError) }
    }
}

/// A screen that can be drawn on, at a keyboard that gives each key as it is typed.
package protocol DrawableScreen: Screen {
    /// Takes keys from now on, and texts go to `told` instead of the screen; nil is back to
    /// lines.
    /// - Returns: false where it is no terminal.
    func takeKeys(_ told: ((String) -> Void)?) -> Bool
    func draw(_ text: String)
    /// Characters; nil where it is not known.
    var size: (columns: Int, rows: Int)? { get }
    /// Whether nothing waits that was drawn before.
    var isDrained: Bool { get }
    /// What the line carries; nil is more than anybody draws.
    var octetsPerSecond: Int? { get }
}

/// Standard output and standard error, as they are.
package final class StreamScreen: DrawableScreen, @unchecked Sendable {
    private var modes: TerminalModes?
    private var told: ((String) -> Void)?

    package init() {}

    package func write(_ text: String) {
        if let told { told(text) } else { StandardStreams.writeOutput(text) }
    }
    package func writeError(_ text: String) {
        if let told { told(text) } else { StandardStreams.writeError(text) }
    }

    package var hidesInput = false { didSet { setModes() } }

    package func takeKeys(_ told: ((String) -> Void)?) -> Bool {
        guard Terminal.input.isTerminal, Terminal.output.isTerminal else { return false }
        self.told = told
        setModes()
        return true
    }

    package func draw(_ text: String) { StandardStreams.writeOutput(text) }
    package var size: (columns: Int, rows: Int)? { Terminal.output.size }
    package var isDrained: Bool { Terminal.output.isWritable }
    package var octetsPerSecond: Int? { nil }

    private func setModes() {
        // Those that were found come back first: new ones are set out from them.
        modes = nil
        // A terminal that cannot hide what is typed shows it to whoever types it.
        if told != nil {
            modes = try? TerminalModes(.keys, of: .input)
        } else if hidesInput {
            modes = try? TerminalModes(.hidden, of: .input)
        }
    }
}

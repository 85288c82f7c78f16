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

/// Standard output and standard error, as they are.
package final class StreamScreen: Screen, @unchecked Sendable {
    private var modes: TerminalModes?

    package init() {}
    package func write(_ text: String) { StandardStreams.writeOutput(text) }
    package func writeError(_ text: String) { StandardStreams.writeError(text) }

    package var hidesInput: Bool {
        get { modes != nil }
        // A terminal that cannot hide it shows it to whoever types it.
        set { modes = newValue ? try? TerminalModes(.hidden, of: .input) : nil }
    }
}

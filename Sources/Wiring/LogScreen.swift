internal import Base
internal import Gateway
internal import LinuxIO

/// The log of a service: everything goes to standard error, one event a line.
final class LogScreen: Screen, @unchecked Sendable {
    private var format: LogFormat
    private let log: AgentLog

    init(_ environment: ServiceEnvironment, _ log: AgentLog) {
        format = LogFormat(isJournal: environment.isJournal)
        self.log = log
    }

    func tell(_ output: Output, _ level: LogLevel) {
        for line in output.lines + output.notices { write(level, line) }
    }

    func write(_ text: String) { write(.info, lines: text) }
    func writeError(_ text: String) { write(.warning, lines: text) }

    /// Nobody types here.
    var hidesInput: Bool {
        get { false }
        set {}
    }

    private func write(_ level: LogLevel, lines text: String) {
        for line in text.split(separator: "\n") { write(level, String(line)) }
    }

    private func write(_ level: LogLevel, _ line: String) {
        format.threshold = log.threshold
        if let line = format.line(level, line) { StandardStreams.writeError(line) }
    }
}

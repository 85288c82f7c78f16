internal import Base
internal import Gateway
internal import LinuxIO

/// The log of a service: everything goes to standard error, one event a line.
final class LogScreen: Screen, @unchecked Sendable {
    private var format: LogFormat

    init(_ environment: ServiceEnvironment) {
        format = LogFormat(isJournal: environment.isJournal)
    }

    var threshold: LogLevel {
        get { format.threshold }
        set { format.threshold = newValue }
    }

    func tell(_ output: Output, _ level: LogLevel) {
        for line in output.lines + output.notices { log(level, line) }
    }

    func write(_ text: String) { log(.info, lines: text) }
    func writeError(_ text: String) { log(.warning, lines: text) }

    /// Nobody types here.
    var hidesInput: Bool {
        get { false }
        set {}
    }

    private func log(_ level: LogLevel, lines text: String) {
        for line in text.split(separator: "\n") { log(level, String(line)) }
    }

    private func log(_ level: LogLevel, _ line: String) {
        if let line = format.line(level, line) { StandardStreams.writeError(line) }
    }
}

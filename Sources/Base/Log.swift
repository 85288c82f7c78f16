/// How much a line of the log matters; the raw values are syslog's severities, RFC 5424 §6.2.1.
package enum LogLevel: Int, CaseIterable, Comparable, Sendable {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7

    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The word for it, in the configuration file and before a line.
    package var word: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .info: "info"
        case .debug: "debug"
        }
    }

    package init?(word: String) {
        guard let level = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = level
    }
}

/// What a line of the log looks like: one event, one line, its level before it.
///
/// It takes text alone; a `Secret` has none.
package struct LogFormat: Equatable, Sendable {
    /// What matters less is not written.
    package var threshold = LogLevel.info
    /// The journal takes the level from `<6>` and adds the time itself.
    package var isJournal: Bool

    package init(isJournal: Bool) {
        self.isJournal = isJournal
    }

    /// The line with its end, or nil when it is not to be written. What others say in it is
    /// harmless to a terminal, and ends no line.
    package func line(_ level: LogLevel, _ text: String) -> String? {
        guard level <= threshold else { return nil }
        let mark = isJournal ? "<\(level.rawValue)>" : "\(level.word): "
        return mark + text.escapingControls + "\n"
    }
}

package import Base

/// What a command has to say in the end: the same as text and as JSON, and the exit code.
///
/// Nothing here writes; the executable prints one of the two to standard output, and `notices`
/// to standard error.
package struct Output: Equatable, Sendable {
    /// Without line ends.
    package var lines: [String]
    package var document: JSONValue
    /// For standard error in either form: warnings, and the one line of a failure.
    package var notices: [String]
    package var exitCode: ExitCode

    package init(
        lines: [String], document: JSONValue, notices: [String] = [], exitCode: ExitCode = .ok
    ) {
        self.lines = lines
        self.document = document
        self.notices = notices
        self.exitCode = exitCode
    }

    /// What goes to standard output, each line with its end; empty when there is nothing to say.
    package func standardOutput(isJSON: Bool) -> String {
        if isJSON { return document == .null ? "" : document.text + "\n" }
        return Self.text(lines)
    }

    /// What goes to standard error.
    package var standardError: String { Self.text(notices) }

    private static func text(_ lines: [String]) -> String {
        var text = ""
        for line in lines { text += line + "\n" }
        return text
    }
}

internal import Base

/// What a person reads when something did not work: why, and what to do about it.
///
/// Every error of the rooms below has its words in this folder, a file for each boundary.
package struct Explanation: Equatable, Sendable {
    package let kind: FailureKind
    /// Without a full stop; it may be device's words and is escaped when shown.
    package let cause: String
    /// Without a full stop.
    package let remedy: String

    package init(_ kind: FailureKind, _ cause: String, remedy: String) {
        self.kind = kind
        self.cause = cause
        self.remedy = remedy
    }

    /// `cause: remedy`, harmless to a terminal.
    package var line: String { "\(cause): \(remedy)".escapingControls }

    /// A command that failed: one line on standard error, nothing on standard output.
    package var output: Output {
        Output(lines: [], document: .null, notices: [line], exitCode: kind.exitCode)
    }

    /// The same with where it happened before it.
    package func at(_ place: String) -> Explanation {
        Explanation(kind, "\(place): \(cause)", remedy: remedy)
    }
}

/// Remedies that several failures share.
enum Remedy {
    static let tryAgain = "try again"
    static let checkPower =
        "check that it has power and that it and this gateway are on the same network"
    static let restartDevice =
        "restart the device and try again; if it stays so, update it with its maker's app"
    static let reportBug = "this is a fault of the gateway: please report it"
    static let resetDevice = "reset the device as its leaflet says, then pair it again"
}

extension Duration {
    /// `42 ms`, `0.4 s`, `12.3 s`.
    var secondsText: String {
        if milliseconds < 100 { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// Whole seconds, at least 1, for "try again in 5 s".
    var waitText: String { "\(max(1, (milliseconds + 999) / 1000)) s" }
}

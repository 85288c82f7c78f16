internal import Base

/// What `prepare` says: each check with what to do about it.
package enum PrepareOutput {
    package static func report(_ report: PrepareReport) -> Output {
        let lines = report.checks.map { line($0).escapingControls }
        let checks = report.checks.map { document($0) }
        let whole = JSONValue.object([
            ("ready", .boolean(report.isReady)), ("checks", .array(checks)),
        ])
        let last = report.isReady ? "Ready to add devices." : "Not ready: see the errors above."
        return Output(
            lines: lines + [last], document: whole,
            exitCode: report.isReady ? .ok : FailureKind.notConfigured.exitCode)
    }

    private static func line(_ check: PrepareReport.Check) -> String {
        let (level, text, remedy) = parts(check.outcome)
        let padding = String(repeating: " ", count: longestLevel - level.count)
        return "\(level)\(padding)  \(check.name): \(text)" + (remedy.map { ": \($0)" } ?? "")
    }

    private static func document(_ check: PrepareReport.Check) -> JSONValue {
        let (level, text, remedy) = parts(check.outcome)
        return .object([
            ("name", .string(check.name)), ("level", .string(level)), ("text", .string(text)),
            ("remedy", remedy.map { JSONValue.string($0) } ?? .null),
        ])
    }

    private static func parts(
        _ outcome: PrepareReport.Outcome
    ) -> (level: String, text: String, remedy: String?) {
        switch outcome {
        case .ok(let text): ("ok", text, nil)
        case .warning(let text, let remedy): ("warning", text, remedy)
        case .error(let text, let remedy): ("error", text, remedy)
        }
    }

    private static let longestLevel = 7
}

package import Base
package import MatterNode

/// The steps of a pairing as they are shown on standard error: one line each, complete when the
/// step has ended.
///
/// `[ 3/20] connecting with the passcode … 0.4 s`
package struct PairingProgress: Sendable {
    private var began: Instant?

    package init() {}

    /// - Returns: the end of the line before, and the beginning of this step's.
    package mutating func begin(_ step: CommissioningStep, at now: Instant) -> String {
        let before = end(at: now)
        began = now
        let steps = CommissioningStep.allCases
        let total = steps.count
        let number = String((steps.firstIndex(of: step) ?? 0) + 1)
        let digits = String(total).count
        let padding = String(repeating: " ", count: max(0, digits - number.count))
        return "\(before)[\(padding)\(number)/\(total)] \(step.title) … "
    }

    /// - Returns: what ends the line of a step that went well; empty when none is open.
    package mutating func end(at now: Instant) -> String {
        guard let began else { return "" }
        self.began = nil
        return "\((now - began).secondsText)\n"
    }

    /// - Returns: what ends the line of a step that failed; empty when none is open.
    package mutating func fail() -> String {
        guard began != nil else { return "" }
        began = nil
        return "failed\n"
    }
}

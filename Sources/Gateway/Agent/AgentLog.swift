package import Base

/// How much the running agent's log tells; people may change it while it runs.
package final class AgentLog: @unchecked Sendable {
    /// What matters less is not told. Set on the loop alone.
    package var threshold: LogLevel

    package init(_ threshold: LogLevel = .info) {
        self.threshold = threshold
    }
}

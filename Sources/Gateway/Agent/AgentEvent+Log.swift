package import Base
internal import MatterNode

extension AgentEvent {
    /// How much it matters in the log.
    package var level: LogLevel {
        switch self {
        case .windowOpened, .windowClosed, .accepted, .room, .name, .wiFi, .commissioned,
            .tookPlace, .readings, .reading, .resetCancelled, .buttonFaultEnded:
            .info
        case .repeated, .refused, .warning, .resetArmed, .resetConfirmed, .buttonFault:
            .warning
        case .alert(let alert): alert.isRaised ? .warning : .info
        case .link(.left, _): .warning
        case .failed: .error
        case .step, .nodes, .link: .debug
        }
    }

    /// One line for the service manager; nil when things stay as they are.
    package var status: String? {
        switch self {
        case .windowOpened(let seconds): "window open for \(seconds) s"
        case .windowClosed: "window closed"
        case .step(let step): "adding a device: \(step.title)"
        case .commissioned: "a device was added"
        case .failed: "a device was not added"
        case .accepted, .repeated, .refused, .room, .name, .wiFi, .warning, .tookPlace,
            .readings, .reading, .nodes, .link, .alert, .resetArmed, .resetCancelled,
            .resetConfirmed, .buttonFault, .buttonFaultEnded:
            nil
        }
    }
}

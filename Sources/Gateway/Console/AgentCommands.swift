internal import Base
internal import MatterNode

/// Commands that need a running agent.
extension CommandRunner {
    func window(_ action: WindowAction) async throws(Explanation) -> Output {
        let agent = try agent()
        switch action {
        case .open(let seconds):
            await agent.openWindow(seconds: seconds)
            return AgentOutput.window(isOpen: true, wasOpen: true)
        case .close:
            return AgentOutput.window(isOpen: false, wasOpen: await agent.closeWindow())
        }
    }

    func status() async throws(Explanation) -> Output {
        let agent = try agent()
        let devices = try nodes().count
        let store = try surroundings.store()
        let failure = try stored { () throws(StoreError) in
            try store.events(limit: ConsoleLimits.eventsLookedAt).first { $0.kind == .failed }
        }
        return AgentOutput.status(
            await agent.status, devices: devices, failure: failure,
            memory: surroundings.machine.privateBytes)
    }

    func cancel() async throws(Explanation) -> Output {
        let (hadRun, waiting) = await (try agent()).cancel()
        return AgentOutput.cancelled(hadRun: hadRun, waiting: waiting)
    }

    func log(_ level: LogLevel?) throws(Explanation) -> Output {
        let log = try agent().log
        if let level { log.threshold = level }
        let word = log.threshold.word
        return Output(
            lines: [level == nil ? word : "the log tells \(word) from now on"],
            document: .object([("level", .string(word))]))
    }

    func agent() throws(Explanation) -> Agent {
        guard let agent = surroundings.agent else { throw Explanation.noAgent }
        return agent
    }
}

extension ConsoleCommand {
    /// What the agent that keeps devices read has to hear of.
    var changesWhatIsKept: Bool {
        switch self {
        case .name, .room, .settings(_, .some), .poll: true
        default: false
        }
    }

    /// Whether the running agent carries it out, when there is one. What asks nobody needs none,
    /// and what cannot be done while one runs finds the state file taken.
    package var isOfAgent: Bool {
        switch self {
        case .help, .version, .selfTest, .tlv, .labels, .run, .restore: false
        case .pair, .devices, .show, .history, .name, .room, .rooms, .read, .write, .on, .off,
            .toggle, .level, .thermostat, .fan, .identify, .fabrics, .share, .stopSharing,
            .authorities, .addAuthorities, .removeAuthority, .alert, .poll, .discover, .prepare,
            .doctor, .remove, .replace, .window, .status, .dashboard, .log, .console, .cancel,
            .wiFi, .thread, .setPIN, .clearPIN, .settings, .backup, .factoryReset:
            true
        }
    }
}

package enum WindowAction: Equatable, Sendable {
    /// - Parameter seconds: nil is the setting.
    case open(seconds: Int?)
    case close
}

extension CommandSurroundings {
    /// A command line has none.
    package var agent: Agent? { nil }
}

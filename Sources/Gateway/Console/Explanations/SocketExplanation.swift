// The connection between a console and the agent.

extension Explanation {
    package init(_ error: ConsoleProtocolError) {
        switch error {
        case .otherVersion, .unknownKind:
            self.init(
                .unavailable, "the running agent is of another version than this program",
                remedy: "restart the agent: systemctl restart matter-gateway")
        case .tooLong, .malformed, .unexpected:
            self.init(
                .protocolViolation, "the console and the agent do not understand each other",
                remedy: Remedy.reportBug)
        }
    }

    static let agentGone = Explanation(
        .unavailable, "the agent has ended the connection",
        remedy: "it was stopped, or what it said was not read in time: status tells")
    static let tooManyConsoles = Explanation(
        .busy, "\(ConsoleLimits.consoles) consoles are connected already",
        remedy: "close one of them")
    static let optionsOfTheAgent = Explanation(
        .usage, "an agent runs and has its own --interface, --paa and --allow-test-devices",
        remedy: "leave them out here")
    static let agentRuns = Explanation(
        .busy, "the running agent works with the state file",
        remedy: "stop it first: systemctl stop matter-gateway")
    static let isConsole = Explanation(
        .usage, "this is a console already", remedy: "help lists what can be typed here")

    /// The agent is there, and does not let this user in.
    /// - Parameter reason: the system's words.
    package init(unreachableAgent path: String, _ reason: String, isDenied: Bool) {
        self.init(
            isDenied ? .notPermitted : .unavailable,
            "an agent runs, and its console \(path) cannot be used (\(reason))",
            remedy: isDenied
                ? "be a member of the group matter-gateway, or root" : "restart the agent")
    }
}

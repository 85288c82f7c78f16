/// How the process ends: the numbers of BSD's sysexits.h, and 130 as shells have it.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case ok = 0
    case usage = 64
    case dataError = 65
    case noInput = 66
    case noHost = 68
    case unavailable = 69
    case software = 70
    case operatingSystem = 71
    case cannotCreate = 73
    case inputOutput = 74
    case temporaryFailure = 75
    case protocolError = 76
    case noPermission = 77
    case configuration = 78
    case interrupted = 130
}

/// What went wrong, as far as a script cares. Every failure that a person sees has one, and it
/// alone decides the exit code.
package enum FailureKind: CaseIterable, Sendable {
    /// Words that are no command.
    case usage
    /// A setup code, a value or bytes that cannot be what they should be.
    case malformedInput
    /// Standard input held nothing.
    case missingInput
    /// The words fit no device, or several.
    case unknownNode
    /// A device, or a part of it, is not there or does not answer.
    case unavailable
    /// A fault of the gateway itself.
    case ownFault
    /// The operating system refused something the gateway needs.
    case operatingSystem
    /// The store cannot be made or opened.
    case storeNotOpened
    /// The store cannot be read or written.
    case storeFailed
    /// Something is busy; later it may work.
    case busy
    /// A device answered against the protocol, or refused a step.
    case protocolViolation
    /// Not trusted, or not allowed.
    case notPermitted
    /// The gateway or its network is not set up as it needs.
    case notConfigured
    /// Cancelled, by a person or a signal.
    case interrupted

    /// The one table from failures to exit codes.
    package var exitCode: ExitCode {
        switch self {
        case .usage: .usage
        case .malformedInput: .dataError
        case .missingInput: .noInput
        case .unknownNode: .noHost
        case .unavailable: .unavailable
        case .ownFault: .software
        case .operatingSystem: .operatingSystem
        case .storeNotOpened: .cannotCreate
        case .storeFailed: .inputOutput
        case .busy: .temporaryFailure
        case .protocolViolation: .protocolError
        case .notPermitted: .noPermission
        case .notConfigured: .configuration
        case .interrupted: .interrupted
        }
    }
}

extension ExitCode {
    /// What `help` says of it.
    package var meaning: String {
        switch self {
        case .ok: "done"
        case .usage: "the command or an option is wrong"
        case .dataError: "a setup code, value or hexadecimal text is malformed"
        case .noInput: "standard input held nothing, or a file cannot be read"
        case .noHost: "no such device, or several fit"
        case .unavailable: "the device, or what was asked of it, is not there or does not answer"
        case .software: "a fault of the gateway itself"
        case .operatingSystem: "the operating system refused something"
        case .cannotCreate: "the state file cannot be made or opened"
        case .inputOutput: "the state file cannot be read or written"
        case .temporaryFailure: "busy: try again later"
        case .protocolError: "the device answered wrongly, or refused a step"
        case .noPermission: "wrong passcode, not trusted, or not allowed"
        case .configuration: "the gateway or its network is not set up: see prepare"
        case .interrupted: "cancelled"
        }
    }
}

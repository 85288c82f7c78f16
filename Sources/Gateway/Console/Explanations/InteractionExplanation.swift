package import Matter
package import MatterNode

// What a device answers to a question or a command, and when it does not.

extension Explanation {
    package init(_ error: PeerError) {
        switch error {
        case .exchange(let error): self.init(error)
        case .interaction(let error): self.init(error)
        }
    }

    package init(_ error: ExchangeError) {
        switch error {
        case .unreachable:
            self.init(.unavailable, "it does not answer", remedy: Remedy.checkPower)
        case .noAnswer:
            self.init(
                .unavailable, "it took the message and never answered",
                remedy: Remedy.restartDevice)
        case .sessionEnded:
            self.init(.busy, "it ended the connection", remedy: Remedy.tryAgain)
        case .cancelled: self = .cancelled
        case .foreignProtocol(let id):
            self = .malformedAnswer(
                "a message of protocol \(NumberText.hexadecimal(id.rawValue, digits: 4))")
        case .message(let error): self.init(error)
        }
    }

    /// Both a person at the console and a signal may have done it.
    static let cancelled = Explanation(
        .interrupted, "cancelled", remedy: "nothing was left half-done")

    private init(_ error: MessageError) {
        switch error {
        case .noRoom:
            self.init(
                .busy, "too many devices are talked to at once", remedy: Remedy.tryAgain)
        case .tooLong:
            self.init(
                .malformedInput, "it does not fit one message", remedy: "ask or send less at once")
        case .malformedHeader, .unknownSession, .unsupported, .notAuthentic, .duplicate,
            .unknownExchange:
            self.init(
                .ownFault, "a message was refused (\(error))", remedy: Remedy.reportBug)
        }
    }

    package init(_ error: InteractionError) {
        switch error {
        case .status(let status, let clusterStatus):
            self.init(status, clusterStatus: clusterStatus)
        case .malformed(let error): self = .malformedAnswer(TLVText.words(error))
        case .unexpectedOpcode(let opcode):
            self = .malformedAnswer(
                "message \(NumberText.hexadecimal(opcode.rawValue, digits: 2)) out of turn")
        case .unexpectedPath, .unexpectedSubscription:
            self = .malformedAnswer("it is about something else")
        case .missingResponse: self = .malformedAnswer("it lacks the result")
        case .strayListItem(let path):
            self = .malformedAnswer("an item without its list at \(path)")
        case .tooLarge:
            self.init(
                .malformedInput, "it does not fit one message", remedy: "ask or send less at once")
        case .tooMuch:
            self.init(
                .unavailable, "the answer is longer than this gateway takes",
                remedy: "ask for less at once")
        }
    }

    private static func malformedAnswer(_ detail: String) -> Explanation {
        Explanation(
            .protocolViolation, "its answer is malformed (\(detail))",
            remedy: Remedy.restartDevice)
    }

    /// A refusal in the specification's terms.
    package init(_ status: InteractionStatus, clusterStatus: UInt8?) {
        let detail = clusterStatus.map { " (the cluster's status \($0))" } ?? ""
        let (kind, remedy) = Self.advice(status)
        self.init(kind, status.text + detail, remedy: remedy)
    }

    /// A device that has the cluster, but not this command of it.
    /// - Parameter list: where the device says which commands it has.
    static func noCommand(_ name: StaticString, _ list: ConcreteAttributePath) -> Explanation {
        Explanation(
            .unavailable, "it does not know the command \(name)",
            remedy: "read NODE \(list) lists the numbers of those it knows")
    }

    private static func advice(_ status: InteractionStatus) -> (FailureKind, remedy: String) {
        switch status {
        case .unsupportedAccess, .accessRestricted:
            (
                .notPermitted,
                "see its access control list (0/access-control/acl); it may limit this gateway"
            )
        case .unsupportedEndpoint, .unsupportedCluster, .unsupportedAttribute,
            .unsupportedCommand, .unsupportedEvent, .unsupportedRead, .notFound:
            (.unavailable, "show lists what it has")
        case .unsupportedWrite: (.notPermitted, "read it instead")
        case .constraintError, .invalidDataType, .invalidCommand:
            (.malformedInput, "give another value")
        case .busy, .resourceExhausted, .pathsExhausted, .timeout, .dataVersionMismatch:
            (.busy, "try again in a while")
        case .invalidInState, .failsafeRequired:
            (.busy, "see what it is doing now, then try again")
        default: (.protocolViolation, Remedy.restartDevice)
        }
    }

    package init(_ error: ConnectionError) {
        switch error {
        case .notFound:
            self.init(
                .unavailable, "it does not announce itself, nor answer where it was last",
                remedy: Remedy.checkPower)
        case .handshake(let failure): self.init(failure)
        case .cancelled: self = .cancelled
        }
    }

    package init(_ failure: HandshakeFailure) {
        switch failure {
        case .exchange(let error): self.init(error)
        case .pase(let error): self.init(error)
        case .operational(let error): self.init(error)
        }
    }
}

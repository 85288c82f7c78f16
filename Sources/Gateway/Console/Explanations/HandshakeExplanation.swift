package import Matter

// The two ways to a session: by passcode and by certificate.

extension Explanation {
    package init(_ error: PASEError) {
        switch error {
        case .statusReport(let report):
            self.init(.protocolViolation, report: report, remedy: Remedy.restartDevice)
        case .busy(let wait): self = .busy(wait)
        case .wrongPasscode:
            self.init(
                .notPermitted, "the passcode is not this device's",
                remedy: "compare the code with the label; if an app opened the device for"
                    + " pairing, it shows another code, which is the one to use")
        case .unexpected(let opcode):
            self = .malformedHandshake("message \(HandshakeText.hexadecimal(opcode)) out of turn")
        case .oversized(let bytes): self = .malformedHandshake("\(bytes) octets in a message")
        case .malformed(let error): self = .malformedHandshake(TLVText.words(error))
        case .randomMismatch: self = .malformedHandshake("it answers another request")
        case .zeroSessionID: self = .malformedHandshake("no session id")
        case .unknownPasscodeID(let id): self = .malformedHandshake("passcode id \(id)")
        case .missingPBKDFParameters: self = .malformedHandshake("no key parameters")
        case .iterationsOutOfRange(let count): self = .malformedHandshake("\(count) iterations")
        case .saltOutOfRange(let bytes):
            self = .malformedHandshake("a salt of \(bytes) octets")
        case .invalidPoint: self = .malformedHandshake("an invalid key")
        }
    }

    package init(_ error: CASEError) {
        switch error {
        case .statusReport(let report):
            if report.secureChannelCode == .noSharedTrustRoots {
                self = .forgotten
            } else {
                self.init(.protocolViolation, report: report, remedy: Remedy.restartDevice)
            }
        case .busy(let wait): self = .busy(wait)
        case .noSharedTrustRoots: self = .forgotten
        case .certificate(let error):
            self.init(
                .notPermitted, "its identity is refused: \(CertificateText.words(error))",
                remedy: "see whether the gateway's clock is right; else "
                    + Remedy.resetDevice)
        case .wrongFabric(let fabric):
            self.init(
                .notPermitted,
                "it has an identity of another fabric, 0x"
                    + NumberText.digits16(fabric.rawValue),
                remedy: Remedy.resetDevice)
        case .wrongNode(let node):
            self.init(
                .notPermitted, "another device answered, \(node.text)", remedy: Remedy.tryAgain)
        case .authenticationFailed, .invalidSignature, .resumptionFailed:
            self.init(
                .notPermitted, "it could not prove its identity",
                remedy: "try again; if it stays so, somebody may pose as it: "
                    + Remedy.resetDevice)
        case .unexpected(let opcode):
            self = .malformedHandshake("message \(HandshakeText.hexadecimal(opcode)) out of turn")
        case .oversized(let bytes): self = .malformedHandshake("\(bytes) octets in a message")
        case .malformed(let error): self = .malformedHandshake(TLVText.words(error))
        case .zeroSessionID: self = .malformedHandshake("no session id")
        case .invalidPoint: self = .malformedHandshake("an invalid key")
        case .incompleteResumption: self = .malformedHandshake("half of a resumption")
        }
    }

    /// The device left our fabric without our doing.
    private static let forgotten = Explanation(
        .notPermitted, "it does not know this gateway any more",
        remedy: "it was reset, or removed by another app: remove NODE --force, then pair it again")

    static func busy(_ wait: Duration) -> Explanation {
        Explanation(
            .busy, "it is busy with something else", remedy: "try again in \(wait.waitText)")
    }

    private static func malformedHandshake(_ detail: String) -> Explanation {
        Explanation(
            .protocolViolation, "its answer is malformed (\(detail))",
            remedy: Remedy.restartDevice)
    }

    private init(_ kind: FailureKind, report: StatusReport, remedy: String) {
        self.init(kind, "it refused (\(HandshakeText.words(report)))", remedy: remedy)
    }
}

enum HandshakeText {
    static func hexadecimal(_ opcode: SecureChannelOpcode) -> String {
        NumberText.hexadecimal(opcode.rawValue, digits: 2)
    }

    static func words(_ report: StatusReport) -> String {
        switch report.secureChannelCode {
        case .sessionEstablishmentSuccess: return "success out of turn"
        case .noSharedTrustRoots: return "no shared trust roots"
        case .invalidParameter: return "invalid parameter"
        case .closeSession: return "it ended the session"
        case .busy: return "busy"
        case .sessionNotFound: return "it knows no such session"
        default:
            let protocolID = NumberText.hexadecimal(report.protocolID.rawValue, digits: 4)
            return "status \(report.generalCode.rawValue), code \(report.protocolCode)"
                + " of protocol \(protocolID)"
        }
    }
}

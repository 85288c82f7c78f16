internal import Matter
package import MatterNode

// Why a device was not added, for the person on the ladder.

extension Explanation {
    /// `looking for the device: no device with this code is to be found: check that ...`
    /// - Parameter hint: what the setup payload says must be done first (`SetupPayload.hint`).
    package init(_ error: CommissioningError, hint: String? = nil) {
        self = Explanation(error.cause, hint: hint).at(error.step.title)
    }

    /// What is said beside the success.
    package init(_ warning: CommissioningWarning) {
        let label = "the device was added, but has no label for this site"
        switch warning {
        case .fabricLabelRefused(let status):
            let isTaken = status == OpenEnum(.labelConflict)
            self.init(
                .protocolViolation,
                "\(label) (\(isTaken ? "another of its owners has that one" : status.name))",
                remedy: isTaken
                    ? "set another with settings site-name before the next device is added"
                    : "nothing depends on it")
        case .fabricLabelFailed(let error):
            self.init(
                .protocolViolation, "\(label) (\(Explanation(error).cause))",
                remedy: "nothing depends on it")
        case .networkNotSeen, .networkSecurity, .networkWeak, .bluetooth, .otherNetworkWanted:
            self.init(ofNetwork: warning)
        }
    }

    private init(_ cause: CommissioningError.Cause, hint: String?) {
        switch cause {
        case .notFound:
            self.init(
                .unavailable, "no device with this code is to be found",
                remedy: hint ?? "check that it has power, is ready to be added as its leaflet"
                    + " says, and is on the same network; discover shows what is there")
        case .noAnswer:
            self.init(
                .unavailable, "it is there, but none of its addresses answers",
                remedy: "see whether a firewall or the access point's client isolation stands"
                    + " between")
        case .wrongPasscode(let devices) where devices > 1:
            self.init(
                .notPermitted, "the passcode is that of none of the \(devices) devices found",
                remedy: Self(PASEError.wrongPasscode).remedy)
        case .wrongPasscode: self.init(PASEError.wrongPasscode)
        case .handshake(let failure): self.init(failure)
        case .interaction(let error): self.init(error)
        case .refused(let code, let detail): self.init(code.known, "\(code.name)", detail)
        case .attestation(let error): self.init(error)
        case .credentials(let status, let detail):
            self.init(status.known, "\(status.name)", detail)
        case .alreadyCommissioned(let node):
            self.init(
                .notPermitted, "it is one of this gateway's devices already, \(node.text)",
                remedy: "use it, or remove it first")
        case .network(let failure): self.init(failure)
        case .noNetworkCredentials(let wiFi, let thread):
            self.init(NetworkFailure.noCredentials(wiFi: wiFi, thread: thread))
        case .bluetooth(let failure): self.init(failure)
        case .store(let error): self.init(error)
        case .cancelled: self = .cancelled
        case .notPrepared(let problems):
            self.init(
                .notConfigured, problems.joined(separator: "; "),
                remedy: "prepare shows all checks")
        }
    }

    /// A device's own answer. Core §11.10.5.1.
    private init(
        _ code: GeneralCommissioning.CommissioningError?, _ name: String, _ detail: String
    ) {
        let detail = detail.isEmpty ? "" : " (\"\(detail)\")"
        switch code {
        case .busyWithOtherAdmin:
            self.init(
                .busy, "another app or gateway is adding it just now\(detail)",
                remedy: "let that one finish, or wait a few minutes, and try again")
        case .noFailSafe:
            self.init(
                .protocolViolation, "it undid everything, for it took too long\(detail)",
                remedy: Remedy.tryAgain)
        case .requiredTCNotAccepted, .tcAcknowledgementsNotReceived, .tcMinVersionNotMet:
            self.init(
                .notPermitted, "its maker wants terms and conditions accepted first\(detail)",
                remedy: "add it with its maker's app, and share it from there")
        case .ok, .valueOutsideRange, .invalidAuthentication, nil:
            self.init(
                .protocolViolation, "it refused with \(name)\(detail)",
                remedy: Remedy.restartDevice)
        }
    }

    /// Core §11.18.4.3.
    private init(
        _ status: OperationalCredentials.NodeOperationalCertStatus?, _ name: String,
        _ detail: String
    ) {
        let detail = detail.isEmpty ? "" : " (\"\(detail)\")"
        switch status {
        case .tableFull:
            self.init(
                .notPermitted, "it has as many owners as it can have\(detail)",
                remedy: "remove it from another app, or reset it")
        case .fabricConflict:
            self.init(
                .notPermitted, "it belongs to this gateway already\(detail)",
                remedy: Remedy.resetDevice)
        case .invalidNOC:
            self.init(
                .protocolViolation, "it does not accept the identity given to it\(detail)",
                remedy: Remedy.resetDevice + "; if it stays so, update it with its maker's app")
        case .ok, .invalidPublicKey, .invalidNodeOpID, .missingCSR, .invalidAdminSubject,
            .labelConflict, .invalidFabricIndex, nil:
            self.init(
                .protocolViolation, "it refused with \(name)\(detail)",
                remedy: Remedy.restartDevice)
        }
    }
}

internal import Matter
package import MatterNode

extension LampPattern.FailureCode {
    /// What the lamp flashes about a run that failed; nil for one that a person ended.
    package init?(_ error: CommissioningError) {
        switch error.cause {
        case .cancelled: return nil
        case .store, .notPrepared: self = .gateway
        case .wrongPasscode: self = .passcode
        case .attestation: self = .attestation
        case .network, .noNetworkCredentials: self = .network
        case .bluetooth(.radio(let error)) where !error.isOfLink: self = .gateway
        case .bluetooth: self = .notFound
        case .notFound, .noAnswer, .handshake, .interaction, .refused, .credentials,
            .alreadyCommissioned:
            self = Self(at: error.step)
        }
    }

    /// Before it has its identity a device that is away or refuses is to be made ready anew;
    /// afterwards it is its place in the network that is wrong.
    private init(at step: CommissioningStep) {
        switch step {
        case .prepare, .store: self = .gateway
        case .discover, .establishPASE, .readCommissioningInfo, .armFailSafe,
            .configureRegulatory, .configureTime, .verifyAttestation, .requestCSR,
            .addTrustedRoot, .addNOC:
            self = .notFound
        case .scanNetworks, .addNetwork, .connectNetwork: self = .network
        case .findOperational, .establishCASE, .commissioningComplete, .interview,
            .updateFabricLabel:
            self = .notReachableAfterwards
        }
    }
}

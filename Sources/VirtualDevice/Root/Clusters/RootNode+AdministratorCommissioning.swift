internal import Base
internal import Crypto
internal import Matter

/// Core §11.19: windows for other administrators.
extension RootNode {
    private typealias Cluster = AdministratorCommissioning

    mutating func administratorCommissioning(
        _ invocation: CommandInvocation, at now: Instant
    ) throws(RootRefusal) -> InvocationAnswer {
        switch invocation.command {
        case Cluster.OpenCommissioningWindow.id: try openEnhanced(invocation, at: now)
        case Cluster.OpenBasicCommissioningWindow.id:
            let command = try invocation.decoded(as: Cluster.OpenBasicCommissioningWindow.self)
            let administrator = try administrator(
                invocation.accessor, seconds: command.commissioningTimeout)
            openWindow(
                by: administrator, for: .seconds(Int(command.commissioningTimeout)), at: now)
        case Cluster.RevokeCommissioning.id: try revoke(at: now)
        default: throw RootRefusal(.unsupportedCommand)
        }
        return .success
    }

    /// Opens the basic window: the passcode on the label.
    mutating func openWindow(
        by administrator: CommissioningWindow.Administrator?, for length: Duration,
        at now: Instant
    ) {
        window.open(
            CommissioningWindow.Opening(
                end: now + length,
                passcode: PasscodeVerifier(settings.passcode, random: random),
                discriminator: settings.discriminator, isEnhanced: false,
                administrator: administrator))
        add(.note(.window(.basicWindowOpen)))
    }

    /// Closes whatever window is open.
    mutating func closeWindow() {
        guard window.isOpen else { return }
        window.close()
        add(.note(.window(.windowNotOpen)))
    }

    private mutating func openEnhanced(
        _ invocation: CommandInvocation, at now: Instant
    ) throws(RootRefusal) {
        let command = try invocation.decoded(as: Cluster.OpenCommissioningWindow.self)
        let administrator = try administrator(
            invocation.accessor, seconds: command.commissioningTimeout)
        guard (1_000...100_000).contains(command.iterations),
            (16...32).contains(command.salt.bytes.count), command.discriminator <= 0xFFF,
            let verifier = try? SPAKE2PlusVerifier(command.pakePasscodeVerifier.span)
        else { throw refusal(.pakeParameterError) }
        window.open(
            CommissioningWindow.Opening(
                end: now + .seconds(Int(command.commissioningTimeout)),
                passcode: PasscodeVerifier(
                    verifier: verifier, iterations: command.iterations,
                    salt: command.salt.bytes),
                discriminator: command.discriminator, isEnhanced: true,
                administrator: administrator))
        add(.note(.window(.enhancedWindowOpen)))
    }

    private func administrator(
        _ accessor: Accessor, seconds: UInt16
    ) throws(RootRefusal) -> CommissioningWindow.Administrator {
        guard !window.isOpen, failSafe == nil else { throw refusal(.busy) }
        guard Limits.windowSeconds.contains(seconds) else { throw RootRefusal(.invalidCommand) }
        return CommissioningWindow.Administrator(
            fabricIndex: accessor.fabricIndex,
            vendorID: fabrics[accessor.fabricIndex]?.vendorID ?? VendorID(0))
    }

    /// Core §11.19.8.3: who is at it over PASE is thrown out too.
    private mutating func revoke(at now: Instant) throws(RootRefusal) {
        guard window.isOpen else { throw refusal(.windowNotOpen) }
        closeWindow()
        if let failSafe, failSafe.fabricIndex == nil { expireFailSafe(at: now) }
    }

    private func refusal(_ status: AdministratorCommissioning.ClusterStatus) -> RootRefusal {
        RootRefusal(.failure, cluster: status.rawValue)
    }
}

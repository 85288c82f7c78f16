internal import Base
internal import Crypto
internal import Matter
internal import MatterNode

/// An enhanced commissioning window that is open. Core §11.19.8.1
package struct DeviceWindow: Sendable {
    package let discriminator: UInt16
    package let iterations: UInt32
    package let salt: [UInt8]
    let verifier: SPAKE2PlusVerifier
    let timer: TimerID
}

/// What a device does for Administrator Commissioning.
extension ScriptedDevice {
    func open(_ command: AdministratorCommissioning.OpenCommissioningWindow) -> CommandAnswer {
        guard window == nil, failSafe == nil else { return refuse(.busy) }
        guard (180...900).contains(command.commissioningTimeout),
            let verifier = try? SPAKE2PlusVerifier(command.pakePasscodeVerifier.span),
            Limits.pbkdfIterations.contains(command.iterations),
            Limits.pbkdfSaltBytes.contains(command.salt.bytes.count),
            command.discriminator <= 0xFFF
        else { return refuse(.pakeParameterError) }
        let end = loop.now + .seconds(Int(command.commissioningTimeout))
        window = DeviceWindow(
            discriminator: command.discriminator, iterations: command.iterations,
            salt: command.salt.bytes, verifier: verifier,
            timer: loop.schedule(at: end) { [weak self] in self?.closeWindow() })
        put(AdministratorCommissioning.windowStatus, OpenEnum(.enhancedWindowOpen))
        put(AdministratorCommissioning.adminVendorID, .value(VendorID(0xFFF1)))
        openWindow()
        return .status(.success)
    }

    func revoke() -> CommandAnswer {
        guard window != nil else { return refuse(.windowNotOpen) }
        closeWindow()
        return .status(.success)
    }

    /// Nothing when none is open.
    func closeWindow() {
        answerer.withdraw(commissionable)
        guard let window else { return }
        loop.cancel(window.timer)
        self.window = nil
        put(AdministratorCommissioning.windowStatus, OpenEnum(.windowNotOpen))
        put(AdministratorCommissioning.adminVendorID, .null)
    }

    private func refuse(_ status: AdministratorCommissioning.ClusterStatus) -> CommandAnswer {
        .status(.failure, clusterStatus: status.rawValue)
    }
}

internal import Base
internal import Crypto
package import Matter
package import MatterNode

/// A commissioning window that is open for others. Core §11.19.8.1
package struct SharedWindow: Sendable {
    /// What another administrator needs, its passcode among it.
    package let payload: SetupPayload
    /// From when it was opened.
    package let seconds: Int
}

/// Why a device was not opened for others, or not closed.
package enum SharingError: Error, Equatable {
    /// It lacks the cluster or its commands.
    case unsupported
    /// A window is open already; who opened it, as far as the device says.
    case isOpen(VendorID?)
    /// Another administrator has its fail-safe armed.
    case busy
    /// It takes none of our parameters.
    case refusedParameters
    /// There is nothing to close.
    case notOpen
}

extension Gateway {
    /// PBKDF2 runs so often for each try at the passcode: ten times the least that is allowed,
    /// which costs a board 30 ms once and lets the slowest commissioner keep up. The window's
    /// end, not this, keeps the passcode safe.
    private static let iterations = 10_000

    /// Opens an enhanced commissioning window with a passcode and a discriminator that are new.
    /// - Parameter seconds: `ConsoleLimits.shareSeconds`.
    package func share(
        _ record: NodeRecord, seconds: Int
    ) async throws(GatewayError) -> SharedWindow {
        precondition(
            ConsoleLimits.shareSeconds.contains(seconds), "Core §11.19.8.1 bounds the time")
        let hasProduct = record.productID.rawValue != 0 && record.vendorID.rawValue <= 0xFFF4
        let payload = SetupPayload(
            vendorID: hasProduct ? record.vendorID : nil,
            productID: hasProduct ? record.productID : nil, flow: .standard,
            discoveryCapabilities: .onNetwork,
            discriminator: .long(random.drawUInt16() & 0xFFF),
            passcode: Passcode.secret(drawn: random.drawUInt64()))
        let command = openCommand(payload, seconds: seconds)
        do throws(GatewayError) {
            try await invoke(command, on: .root, of: record)
        } catch {
            throw await explained(error, record)
        }
        note(.shared, record.nodeID, "opened for others for \(seconds) s")
        return SharedWindow(payload: payload, seconds: seconds)
    }

    /// Closes the window, whoever opened it. Core §11.19.8.3
    package func stopSharing(_ record: NodeRecord) async throws(GatewayError) {
        do throws(GatewayError) {
            try await invoke(
                AdministratorCommissioning.RevokeCommissioning(), on: .root, of: record)
        } catch {
            throw await explained(error, record)
        }
        note(.shared, record.nodeID, "closed for others")
    }

    private func openCommand(
        _ payload: SetupPayload, seconds: Int
    ) -> AdministratorCommissioning.OpenCommissioningWindow {
        let drawn: FixedBytes<32> = random.drawBytes()
        let salt = [UInt8](drawn)
        let verifier = SPAKE2PlusVerifier(
            SPAKE2PlusSecrets(
                passcode: payload.passcode, salt: salt.span, iterations: Self.iterations))
        var command = AdministratorCommissioning.OpenCommissioningWindow()
        command.commissioningTimeout = UInt16(seconds)
        command.pakePasscodeVerifier = verifier.serialized
        if case .long(let discriminator) = payload.discriminator {
            command.discriminator = discriminator
        }
        command.iterations = UInt32(Self.iterations)
        command.salt = Octets(salt)
        return command
    }

    /// The refusal in the cluster's terms. Core §11.19.6.1
    private func explained(
        _ error: GatewayError, _ record: NodeRecord
    ) async -> GatewayError {
        guard case .peer(.interaction(.status(let status, let clusterStatus))) = error else {
            return error
        }
        switch clusterStatus.flatMap(AdministratorCommissioning.ClusterStatus.init) {
        case .busy: return .sharing(await busy(record))
        case .pakeParameterError: return .sharing(.refusedParameters)
        case .windowNotOpen: return .sharing(.notOpen)
        case nil: break
        }
        switch status {
        case .unsupportedEndpoint, .unsupportedCluster, .unsupportedCommand:
            return .sharing(.unsupported)
        default: return error
        }
    }

    /// Why it is busy, as far as it says.
    private func busy(_ record: NodeRecord) async -> SharingError {
        guard let peer = try? await connect(record),
            let reports = try? await peer.report([
                AttributePath(AdministratorCommissioning.windowStatus, endpoint: .root),
                AttributePath(AdministratorCommissioning.adminVendorID, endpoint: .root),
            ]),
            let status = try? reports.value(AdministratorCommissioning.windowStatus, .root),
            status.known != .windowNotOpen
        else { return .busy }
        let vendor = try? reports.value(AdministratorCommissioning.adminVendorID, .root)
        return .isOpen(vendor?.value)
    }
}

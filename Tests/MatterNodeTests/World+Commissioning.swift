import Base
import Crypto
import Matter
import MatterNode
import Simulation
import Testing

/// What a commissioning has made.
struct Commissioned: Sendable {
    let node: NodeRecord
    let peer: Peer
}

typealias CommissioningFlow = SimulatedLoop.Flow<Commissioned, CommissioningError>

extension World {
    static let unixSeconds: Int64 = 1_777_000_000

    func commissioner(
        verifier: AttestationVerifier = DeviceAttestation.shared.verifier,
        fabricLabel: String = ""
    ) -> Commissioner {
        Commissioner(
            node: node, resolver: resolver, store: store, fabric: fabric, verifier: verifier,
            clock: CommissioningClock(
                unixSeconds: { Self.unixSeconds },
                certificateTime: { ScriptedDevice.certificateTime }),
            random: random, fabricLabel: fabricLabel,
            progress: { [self] step in steps.append(step) },
            warning: { [self] warning in warnings.append(warning) },
            undoing: { [self] task in undoing.append(task) })
    }

    static func request(
        _ passcode: UInt32 = 20_202_021, _ discriminator: Discriminator = .long(3840)
    ) -> CommissioningRequest {
        CommissioningRequest(
            payload: SetupPayload(
                vendorID: nil, productID: nil, flow: .standard, discoveryCapabilities: .onNetwork,
                discriminator: discriminator, passcode: .passcode(passcode)))
    }

    func commission(
        _ request: CommissioningRequest = World.request(), with commissioner: Commissioner? = nil
    ) -> CommissioningFlow {
        let commissioner = commissioner ?? self.commissioner()
        return sim.start { () async throws(CommissioningError) -> Commissioned in
            let (node, peer) = try await commissioner.commission(request)
            return Commissioned(node: node, peer: peer)
        }
    }

    func connector() -> OperationalConnector {
        OperationalConnector(
            node: node, resolver: resolver, fabric: fabric,
            resumptions: StoredResumptions(store),
            certificateTime: { ScriptedDevice.certificateTime })
    }
}

extension ScriptedDevice {
    /// The device is as it was before anybody tried to commission it.
    var isUntouched: Bool { fabrics.isEmpty && !isArmed }
    /// What the fail-safe was armed for last was nothing.
    var wasDisarmed: Bool { armings.last == 0 && failSafeExpiries == 0 }
}

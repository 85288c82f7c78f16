import Base
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Commissioner: refusals")
struct CommissionerRefusalTests {
    struct Refusal: CustomTestStringConvertible, Sendable {
        let step: CommissioningStep
        let request: DeviceRequest
        let reaction: DeviceReaction
        /// Which of the requests of this kind.
        var number = 1
        var tellsFabricIndex = true
        /// The device may hold something of ours when it refuses.
        var isArmed = true

        var testDescription: String { "\(step): \(reaction)" }
    }

    static let refusals: [Refusal] = {
        let failed = DeviceReaction.report(StatusReport(.failure, .invalidParameter))
        let arm = DeviceRequest.invoke(GeneralCommissioning.ArmFailSafe.self)
        let regulatory = DeviceRequest.invoke(GeneralCommissioning.SetRegulatoryConfig.self)
        let time = DeviceRequest.invoke(TimeSynchronization.SetUTCTime.self)
        let chain = DeviceRequest.invoke(OperationalCredentials.CertificateChainRequest.self)
        let attestation = DeviceRequest.invoke(OperationalCredentials.AttestationRequest.self)
        let csr = DeviceRequest.invoke(OperationalCredentials.CSRRequest.self)
        let root = DeviceRequest.invoke(OperationalCredentials.AddTrustedRootCertificate.self)
        let noc = DeviceRequest.invoke(OperationalCredentials.AddNOC.self)
        let complete = DeviceRequest.invoke(GeneralCommissioning.CommissioningComplete.self)
        var list = [
            Refusal(
                step: .establishPASE, request: .handshake(.pbkdfParamRequest), reaction: failed,
                isArmed: false),
            Refusal(
                step: .establishPASE, request: .handshake(.pake3), reaction: failed,
                isArmed: false),
            Refusal(
                step: .readCommissioningInfo, request: .read, reaction: .status(.failure),
                isArmed: false),
            Refusal(
                step: .readCommissioningInfo, request: .read, reaction: .garbage, isArmed: false),
            Refusal(step: .armFailSafe, request: arm, reaction: .code(4), isArmed: false),
            Refusal(step: .armFailSafe, request: arm, reaction: .status(.busy), isArmed: false),
            Refusal(step: .configureRegulatory, request: regulatory, reaction: .code(1)),
            Refusal(step: .configureTime, request: time, reaction: .garbage),
            Refusal(step: .configureTime, request: time, reaction: .closeSession),
            Refusal(step: .verifyAttestation, request: chain, reaction: .code(1), number: 2),
            Refusal(step: .addNOC, request: noc, reaction: .code(5)),
            Refusal(
                step: .establishCASE, request: .handshake(.sigma1), reaction: failed, number: 0),
            Refusal(
                step: .establishCASE, request: .handshake(.sigma3), reaction: failed, number: 0),
            Refusal(step: .commissioningComplete, request: complete, reaction: .code(1)),
            Refusal(
                step: .interview, request: .read, reaction: .status(.failure), number: 2,
                tellsFabricIndex: false, isArmed: false),
        ]
        for (step, request) in [
            (CommissioningStep.configureRegulatory, regulatory), (.verifyAttestation, chain),
            (.verifyAttestation, attestation), (.requestCSR, csr), (.addTrustedRoot, root),
            (.addNOC, noc), (.commissioningComplete, complete),
        ] {
            for reaction in [DeviceReaction.status(.failure), .garbage, .mute] {
                list.append(Refusal(step: step, request: request, reaction: reaction))
            }
        }
        return list
    }()

    @Test(
        "a refusal at a step names the step, and leaves device and store as they were",
        arguments: refusals)
    func refusal(_ refusal: Refusal) throws {
        let world = World()
        let device = world.device()
        device.tellsFabricIndex = refusal.tellsFabricIndex
        var count = 0
        device.react = { request in
            guard request == refusal.request else { return .proceed }
            count += 1
            return refusal.number == 0 || count == refusal.number ? refusal.reaction : .proceed
        }
        let flow = world.commission()
        world.sim.finish(flow, within: .seconds(300))
        let error = try #require(flow.error)
        #expect(error.step == refusal.step, "\(error)")
        #expect(world.steps.last == refusal.step)
        #expect(world.store.storedNodes.isEmpty)
        #expect(world.store.storedRuns.isEmpty)
        #expect(world.leftovers() == .init())
        #expect(device.isUntouched)
        if case .closeSession = refusal.reaction { return }
        #expect(device.sessionCount == 0)
        if refusal.isArmed { #expect(device.wasDisarmed, "\(device.armings)") }
    }

    @Test("the cause says what the device said")
    func causes() {
        func cause(_ request: DeviceRequest, _ reaction: DeviceReaction) -> CommissioningError? {
            let world = World()
            let device = world.device()
            device.react = { $0 == request ? reaction : .proceed }
            let flow = world.commission()
            world.sim.finish(flow, within: .seconds(300))
            return flow.error
        }
        #expect(
            cause(.invoke(GeneralCommissioning.ArmFailSafe.self), .code(4))
                == CommissioningError(
                    .armFailSafe, .refused(OpenEnum(.busyWithOtherAdmin), detail: "")))
        #expect(
            cause(.invoke(OperationalCredentials.AddNOC.self), .code(5))
                == CommissioningError(
                    .addNOC, .credentials(OpenEnum(.tableFull), detail: "")))
        #expect(
            cause(.invoke(OperationalCredentials.CSRRequest.self), .status(.busy))
                == CommissioningError(
                    .requestCSR,
                    .interaction(.interaction(.status(.busy, clusterStatus: nil)))))
        #expect(
            cause(.invoke(OperationalCredentials.CSRRequest.self), .vanish)
                == CommissioningError(
                    .requestCSR, .interaction(.exchange(.unreachable))))
    }

    @Test("a device that never tells its new name is not found, and is disarmed")
    func notAnnounced() {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.announcesIdentity = false
        let device = world.device(1, settings)
        let flow = world.commission()
        world.sim.finish(flow, within: .seconds(180))
        #expect(flow.error == CommissioningError(.findOperational, .notFound))
        #expect(device.wasDisarmed && device.isUntouched)
        #expect(world.store.storedNodes.isEmpty && world.store.storedRuns.isEmpty)
        #expect(world.leftovers() == .init())
    }

    @Test(
        "a store that fails at its Nth call leaves neither a node nor a device that knows us",
        arguments: 1...5)
    func store(number: Int) {
        let world = World()
        let device = world.device()
        world.store.failing = [number]
        let flow = world.commission()
        world.sim.finish(flow, within: .seconds(120))
        #expect(flow.error == CommissioningError(.store, .store(.full)))
        #expect(world.store.storedNodes.isEmpty && world.store.storedRuns.isEmpty)
        #expect(world.store.storedRemovals.isEmpty)
        #expect(world.leftovers() == .init())
        #expect(device.isUntouched)
        #expect(device.failSafeExpiries == 0)
        #expect(device.sessionCount == 0)
    }

    @Test(
        "a store that fails from its Nth call on keeps no more than the trace of the run",
        arguments: 1...5)
    func storeForGood(number: Int) {
        let world = World()
        let device = world.device()
        world.store.failing = Set(number...20)
        let flow = world.commission()
        world.sim.finish(flow, within: .seconds(120))
        #expect(flow.error != nil)
        #expect(world.store.storedNodes.isEmpty)
        #expect(world.store.storedRuns.count == (number == 1 ? 0 : 1))
        #expect(world.leftovers() == .init())
        #expect(device.isUntouched)
    }
}

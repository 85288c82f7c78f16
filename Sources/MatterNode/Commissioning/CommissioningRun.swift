internal import Base
internal import Crypto
internal import Matter

/// One device on its way from a passcode to its record: the steps of Core §5.5 in their order.
struct CommissioningRun {
    let commissioner: Commissioner
    private let found: FoundDevice
    let peer: Peer
    var failSafe: FailSafe?
    /// The device in the session with its new identity.
    private var operational: Peer?
    /// Of the session with the new identity.
    private let resumption = HeldResumption()
    /// Our place in the device's fabric table, once it told.
    private var fabricIndex: FabricIndex?
    /// The device was asked to keep us for good, and did not refuse.
    private var mayBeComplete = false
    /// What a device without a network can be given; nil for one that has one.
    var interfaces: NetworkInterfaces?
    var networks = DeviceNetworks()
    /// How long it may still be joining after it did not say that it had.
    var joiningTime = Duration.zero
    /// What is kept in the store while the run lasts.
    private var record: RunRecord?

    init(_ commissioner: Commissioner, found: FoundDevice) {
        self.commissioner = commissioner
        self.found = found
        peer = Peer(node: commissioner.node, session: found.session.handle)
    }

    mutating func complete(
        _ request: CommissioningRequest
    ) async throws(CommissioningError) -> (NodeRecord, Peer) {
        let info = try await readCommissioningInfo()
        if let ours = info.membership(in: commissioner.fabric) {
            return try await adopt(newRecord(ours.nodeID, info, request))
        }
        if found.isOverBluetooth { try await readNetworkInterfaces(request.networks) }
        try await armFailSafe(info)
        try await configureRegulatory(info)
        try await configureTime(info)
        let attestation = try await verifyAttestation(info, request)
        let publicKey = try await requestCSR(attestation.key)
        let nodeID = newNodeID()
        var run = newRecord(nodeID, info, request)
        run.isAttested = attestation.isProved
        try note(run, before: .addTrustedRoot)
        try await addTrustedRoot()
        try note(run, before: .addNOC)
        fabricIndex = try await addNOC(publicKey, nodeID)
        try await joinNetwork()
        let operational = try await connectHolding(nodeID)
        self.operational = operational
        run.lastAddress = await operational.socketAddress ?? run.lastAddress
        try note(run, before: .commissioningComplete)
        try await commissioningComplete(operational)
        try await updateFabricLabel(operational)
        let node = try await keep(try await interview(operational, info, run), run)
        if let held = resumption.held { StoredResumptions(commissioner.store).keep(held) }
        return (node, operational)
    }

    /// Undoes at the device what a failed run did there, ends the sessions with it, and the trace
    /// in the store. A crash meanwhile leaves nothing that does not end by itself: a device that
    /// was not asked to keep us for good gives up with its fail-safe, and one that was is told
    /// until it knows.
    func undo() async {
        if mayBeComplete, let record {
            await leave(record)
        } else if let record {
            try? commissioner.store.endRun(record.nodeID)
        }
        if failSafe != nil {
            var disarm = GeneralCommissioning.ArmFailSafe()
            disarm.expiryLengthSeconds = 0
            // A link over Bluetooth may be gone while the device is on its network.
            let isGone = await !commissioner.node.isOpen(peer.session)
            let told = isGone ? operational ?? peer : peer
            _ = try? await told.invoke(disarm, processing: .seconds(1))
        }
        if let operational { await operational.close() }
        await peer.close()
        await commissioner.node.detach(found.address)
    }

    /// The device must not stay in a fabric that has forgotten it. Where the store takes nothing,
    /// the run stays in it and is resumed.
    private func leave(_ run: RunRecord) async {
        let store = commissioner.store
        try? store.save(
            PendingRemoval(
                run, fabricIndex: fabricIndex, since: commissioner.clock.unixSeconds() ?? 0))
        guard let operational, await operational.removeFabric(fabricIndex) else { return }
        try? store.endRemoval(run.nodeID)
        try? store.endRun(run.nodeID)
    }

    // MARK: Steps

    private func readCommissioningInfo() async throws(CommissioningError) -> CommissioningInfo {
        commissioner.progress(.readCommissioningInfo)
        let info: CommissioningInfo
        do throws(PeerError) {
            let reports = try await peer.report(CommissioningInfo.paths, isFabricFiltered: false)
            info = try CommissioningInfo(reports)
        } catch { throw Self.failure(.readCommissioningInfo, error) }
        return info
    }

    /// The device is in our fabric already. When the store knows nothing of it, a run that was
    /// lost or an older backup left it there: it is kept as the node that it is.
    private func adopt(
        _ found: RunRecord
    ) async throws(CommissioningError) -> (NodeRecord, Peer) {
        var run = found
        run.step = CommissioningStep.commissioningComplete.rawValue
        let outcome: RunOutcome?
        do throws(StoreError) {
            if try commissioner.store.nodes().contains(where: { $0.nodeID == run.nodeID }) {
                outcome = nil
            } else {
                commissioner.progress(.findOperational)
                try commissioner.store.save(run)
                outcome = try await commissioner.settle(run, seenAt: commissioner.node.loop.now)
            }
        } catch { throw CommissioningError(.store, .store(error)) }
        switch outcome {
        case nil:
            throw CommissioningError(.readCommissioningInfo, .alreadyCommissioned(run.nodeID))
        case .kept(let node, let operational)?:
            await peer.close()
            return (node, operational)
        case .open(let cause)?: throw CommissioningError(.findOperational, cause)
        case .rolledBack?: throw CommissioningError(.findOperational, .notFound)
        }
    }

    private mutating func armFailSafe(
        _ info: CommissioningInfo
    ) async throws(CommissioningError) {
        commissioner.progress(.armFailSafe)
        failSafe = FailSafe(info.basicInfo, at: commissioner.node.loop.now)
        try await arm(.armFailSafe)
    }

    /// Arms the fail-safe, or arms it anew for as long again. Core §11.10.7.2.
    /// - Parameter least: for what takes longer than the device recommends.
    mutating func arm(
        _ step: CommissioningStep, least: Duration = .zero
    ) async throws(CommissioningError) {
        let now = commissioner.node.loop.now
        guard let length = failSafe?.extend(at: now, least: least) else { return }
        var command = GeneralCommissioning.ArmFailSafe()
        command.expiryLengthSeconds = length
        command.breadcrumb = UInt64(step.rawValue)
        let response = try await invoke(command, step)
        guard response.errorCode == .ok else {
            // A device that is armed for somebody else holds nothing of ours.
            failSafe = nil
            throw CommissioningError(
                step, .refused(response.errorCode, detail: response.debugText))
        }
    }

    /// At the beginning of a step that goes on under the fail-safe.
    mutating func keepArmed(_ step: CommissioningStep) async throws(CommissioningError) {
        commissioner.progress(step)
        try await stayArmed(step)
    }

    /// Before each command: keeps the device from giving up while we are still at it.
    private mutating func stayArmed(_ step: CommissioningStep) async throws(CommissioningError) {
        if failSafe?.isHalfSpent(at: commissioner.node.loop.now) ?? false { try await arm(step) }
    }

    private mutating func configureRegulatory(
        _ info: CommissioningInfo
    ) async throws(CommissioningError) {
        try await keepArmed(.configureRegulatory)
        var command = GeneralCommissioning.SetRegulatoryConfig()
        command.newRegulatoryConfig = info.regulatoryConfig
        command.countryCode = "XX"
        command.breadcrumb = UInt64(CommissioningStep.configureRegulatory.rawValue)
        let response = try await invoke(command, .configureRegulatory)
        guard response.errorCode == .ok else {
            throw CommissioningError(
                .configureRegulatory, .refused(response.errorCode, detail: response.debugText))
        }
    }

    /// A device without a clock is told the time; one that does not want it keeps its own.
    private mutating func configureTime(
        _ info: CommissioningInfo
    ) async throws(CommissioningError) {
        guard info.hasTimeSynchronization, let now = commissioner.clock.unixSeconds() else {
            return
        }
        try await keepArmed(.configureTime)
        var command = TimeSynchronization.SetUTCTime()
        command.utcTime = UInt64(max(0, MatterTime(unixSeconds: now).seconds)) * 1_000_000
        command.granularity = OpenEnum(.secondsGranularity)
        do throws(PeerError) {
            _ = try await peer.invoke(command, processing: Self.processing)
        } catch .interaction(.status) {
            // It has a better clock than ours.
        } catch { throw Self.failure(.configureTime, error) }
    }

    /// Core §6.2.3: asks for what proves the device's origin, and checks it.
    private mutating func verifyAttestation(
        _ info: CommissioningInfo, _ request: CommissioningRequest
    ) async throws(CommissioningError) -> Attestation {
        try await keepArmed(.verifyAttestation)
        let pai = try await certificate(.paiCertificate)
        let dac = try await certificate(.dacCertificate)
        try await stayArmed(.verifyAttestation)
        var command = OperationalCredentials.AttestationRequest()
        command.attestationNonce = commissioner.random.drawBytes()
        let response = try await invoke(command, .verifyAttestation)
        let evidence = AttestationEvidence(
            dac: dac, pai: pai,
            response: SignedElements(
                elements: response.attestationElements.bytes,
                signature: response.attestationSignature),
            challenge: found.session.attestationChallenge, nonce: command.attestationNonce,
            vendorID: info.vendorID, productID: info.productID)
        do throws(AttestationError) {
            return try prove(evidence, request)
        } catch { throw CommissioningError(.verifyAttestation, .attestation(error)) }
    }

    /// - Throws: also for a device that is accepted without proof, when not even its key can be
    ///   read: what it says next could not be checked.
    private func prove(
        _ evidence: AttestationEvidence, _ request: CommissioningRequest
    ) throws(AttestationError) -> Attestation {
        do throws(AttestationError) {
            let device = try commissioner.verifier.verify(
                evidence, at: commissioner.clock.certificateTime())
            return Attestation(key: device.publicKey, isProved: true)
        } catch {
            guard request.acceptsUnattested else { throw error }
            let certificate = try AttestationCertificate(evidence.dac.span, as: .device)
            return Attestation(key: certificate.publicKey, isProved: false)
        }
    }

    private struct Attestation {
        /// The device signs its request for an identity with it.
        let key: P256.PublicKey
        let isProved: Bool
    }

    private mutating func certificate(
        _ type: OperationalCredentials.CertificateChainType
    ) async throws(CommissioningError) -> [UInt8] {
        try await stayArmed(.verifyAttestation)
        var command = OperationalCredentials.CertificateChainRequest()
        command.certificateType = OpenEnum(type)
        return try await invoke(command, .verifyAttestation).certificate.bytes
    }

    /// Core §11.18.6.5: the device makes the key pair of its identity and asks for a certificate.
    private mutating func requestCSR(
        _ attestationKey: P256.PublicKey
    ) async throws(CommissioningError) -> P256.PublicKey {
        try await keepArmed(.requestCSR)
        var command = OperationalCredentials.CSRRequest()
        command.csrNonce = commissioner.random.drawBytes()
        let response = try await invoke(command, .requestCSR, processing: Self.keyProcessing)
        do throws(AttestationError) {
            return try NOCSRElements.verify(
                SignedElements(
                    elements: response.nocsrElements.bytes,
                    signature: response.attestationSignature),
                challenge: found.session.attestationChallenge, nonce: command.csrNonce,
                key: attestationKey)
        } catch { throw CommissioningError(.requestCSR, .attestation(error)) }
    }

    private mutating func addTrustedRoot() async throws(CommissioningError) {
        try await keepArmed(.addTrustedRoot)
        var command = OperationalCredentials.AddTrustedRootCertificate()
        command.rootCACertificate = Octets(commissioner.fabric.record.rootCertificate)
        _ = try await invoke(command, .addTrustedRoot)
    }

    /// - Returns: our place in the device's fabric table, when it tells.
    private mutating func addNOC(
        _ publicKey: P256.PublicKey, _ nodeID: NodeID
    ) async throws(CommissioningError) -> FabricIndex? {
        try await keepArmed(.addNOC)
        let fabric = commissioner.fabric
        var random = commissioner.random
        let certificate = fabric.authority.issueNOC(
            publicKey: publicKey, nodeID: nodeID, using: &random)
        var command = OperationalCredentials.AddNOC()
        command.nocValue = Octets(certificate.tlv())
        command.ipkValue = fabric.record.epochKey
        command.caseAdminSubject = fabric.record.nodeID
        command.adminVendorId = fabric.record.adminVendorID
        let response = try await invoke(command, .addNOC, processing: Self.keyProcessing)
        guard response.statusCode == .ok else {
            throw CommissioningError(
                .addNOC, .credentials(response.statusCode, detail: response.debugText ?? ""))
        }
        return response.fabricIndex
    }

    /// Finds the device by its new name and connects with its new identity. The fail-safe is
    /// extended over the passcode's session where it would not last until a try has ended.
    private mutating func connect(_ nodeID: NodeID) async throws(CommissioningError) -> Peer {
        let timeToAppear = Self.timeToAppear + joiningTime
        let connector = OperationalConnector(
            node: commissioner.node, resolver: commissioner.resolver,
            fabric: commissioner.fabric, resumptions: resumption,
            certificateTime: commissioner.clock.certificateTime)
        var tries = 0
        while true {
            tries += 1
            commissioner.progress(.findOperational)
            if !(failSafe?.lasts(Self.timeToConnect, at: commissioner.node.loop.now) ?? true) {
                try await armToConnect()
            }
            commissioner.progress(.establishCASE)
            do throws(ConnectionError) {
                return try await connector.connect(
                    to: nodeID, hint: nil, within: timeToAppear)
            } catch .cancelled {
                throw CommissioningError(.establishCASE, .cancelled)
            } catch {
                guard tries < Self.operationalTries else { throw error.commissioningError }
            }
        }
    }

    /// Silence over Bluetooth is no reason to part with the device meanwhile.
    private mutating func connectHolding(
        _ nodeID: NodeID
    ) async throws(CommissioningError) -> Peer {
        let link = await commissioner.node.hold(peer.session)
        defer { link?.endWaiting() }
        return try await connect(nodeID)
    }

    /// A device that has joined a network may have left Bluetooth, and cannot be told then.
    private mutating func armToConnect() async throws(CommissioningError) {
        do throws(CommissioningError) { try await arm(.findOperational) } catch {
            guard found.isOverBluetooth, error.cause != .cancelled else { throw error }
            switch error.cause {
            case .interaction(.exchange): break
            default: throw error
            }
        }
    }

    private mutating func commissioningComplete(
        _ operational: Peer
    ) async throws(CommissioningError) {
        commissioner.progress(.commissioningComplete)
        mayBeComplete = true
        let response = try await invoke(
            GeneralCommissioning.CommissioningComplete(), .commissioningComplete,
            processing: Self.keyProcessing, at: operational)
        guard response.errorCode == .ok else {
            mayBeComplete = false
            throw CommissioningError(
                .commissioningComplete,
                .refused(response.errorCode, detail: response.debugText))
        }
        // From here on nothing expires; what follows only reads and stores.
        failSafe = nil
    }

    /// Core §11.18.6.11. The label is for people: without it the device is ours all the same.
    private func updateFabricLabel(_ operational: Peer) async throws(CommissioningError) {
        guard !commissioner.fabricLabel.isEmpty else { return }
        commissioner.progress(.updateFabricLabel)
        var command = OperationalCredentials.UpdateFabricLabel()
        command.label = commissioner.fabricLabel
        do throws(PeerError) {
            let response = try await operational.invoke(command)
            guard response.statusCode == .ok else {
                return commissioner.warning(.fabricLabelRefused(response.statusCode))
            }
        } catch .exchange(.cancelled) {
            throw CommissioningError(.updateFabricLabel, .cancelled)
        } catch { commissioner.warning(.fabricLabelFailed(error)) }
    }

    // MARK: The record

    private func newNodeID() -> NodeID {
        var random = commissioner.random
        return NodeID.random(using: &random)
    }

    private func newRecord(
        _ nodeID: NodeID, _ info: CommissioningInfo, _ request: CommissioningRequest
    ) -> RunRecord {
        var run = RunRecord(
            nodeID: nodeID, step: CommissioningStep.addTrustedRoot.rawValue,
            startedAt: commissioner.clock.unixSeconds() ?? 0)
        let cumulative = info.basicInfo?.maxCumulativeFailsafeSeconds ?? 0
        if cumulative > 0 { run.failSafeSeconds = cumulative }
        run.vendorName = info.vendorName
        run.productName = info.productName
        run.serialNumber = info.serialNumber
        run.name = request.name
        run.room = request.room
        run.replaces = request.replaces
        if case .udp(let address) = found.address { run.lastAddress = address }
        return run
    }

    /// Notes the run before the device can know us, and again before what cannot be told from
    /// outside afterwards, so that a crash leaves a trace to go on from.
    private mutating func note(
        _ run: RunRecord, before step: CommissioningStep
    ) throws(CommissioningError) {
        var run = run
        run.step = step.rawValue
        do throws(StoreError) { try commissioner.store.save(run) } catch {
            throw CommissioningError(.store, .store(error))
        }
        record = run
    }

    private func interview(
        _ operational: Peer, _ info: CommissioningInfo, _ run: RunRecord
    ) async throws(CommissioningError) -> NodeRecord {
        commissioner.progress(.interview)
        do throws(PeerError) {
            let index: FabricIndex
            if let fabricIndex {
                index = fabricIndex
            } else {
                index = try await operational.currentFabricIndex()
            }
            var node = info.node(run, index)
            node.commissionedAt = commissioner.clock.unixSeconds() ?? 0
            return node
        } catch { throw Self.failure(.interview, error) }
    }

    private mutating func keep(
        _ node: NodeRecord, _ run: RunRecord
    ) async throws(CommissioningError) -> NodeRecord {
        commissioner.progress(.store)
        let kept = try await commissioner.keep(node, ending: run)
        record = nil
        return kept
    }

    // MARK: Asking

    func invoke<Invoked: Command>(
        _ command: Invoked, _ step: CommissioningStep,
        processing: Duration = CommissioningRun.processing, at operational: Peer? = nil
    ) async throws(CommissioningError) -> Invoked.Response {
        do throws(PeerError) {
            return try await (operational ?? peer).invoke(command, processing: processing)
        } catch { throw Self.failure(step, error) }
    }

    static func failure(
        _ step: CommissioningStep, _ error: PeerError
    ) -> CommissioningError {
        CommissioningError(
            step, error == .exchange(.cancelled) ? .cancelled : .interaction(error))
    }

    /// While the fail-safe is armed a command may take this long at the device.
    static let processing = Duration.seconds(30)
    /// Making a key pair or checking a chain on a slow core comes on top.
    private static let keyProcessing = Duration.seconds(37)
    /// How long a device may take to announce its new name.
    private static let timeToAppear = Duration.seconds(30)
    /// The same and a handshake.
    static let timeToConnect = Duration.seconds(45)
    static let operationalTries = 3
}

extension AttributeReports {
    func valueOrPeerError<Value>(
        _ attribute: Attribute<Value>, _ endpoint: EndpointID
    ) throws(PeerError) -> Value? {
        do throws(InteractionError) { return try value(attribute, endpoint) } catch {
            throw .interaction(error)
        }
    }
}

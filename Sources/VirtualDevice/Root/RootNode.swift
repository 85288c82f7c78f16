internal import Base
internal import Crypto
internal import Matter

/// What a node is apart from what its other endpoints do: its fabrics, who may do what, how it is
/// commissioned. Endpoint 0, as a value.
///
/// Scope: the commands and writes of endpoint 0 and the time that passes. Not scope: sessions,
/// messages, services; the owner does what `nextEffect` says. The clusters are in files of
/// their own.
struct RootNode: Sendable {
    let settings: DeviceSettings
    let attestation: DeviceAttestationCredentials
    let random: SharedRandom
    let started: Instant
    /// All endpoints above this one.
    let parts: [EndpointID]

    /// What is saved, but for what stands below in a form that is easier to use.
    var stored: StoredState
    var fabrics: FabricTable
    var networks: NetworkTable
    var failSafe: FailSafe?
    var window = CommissioningWindow()
    var breadcrumb: UInt64 = 0
    /// What is left of ConnectNetwork and ScanNetworks.
    var networking: Networking?
    var lastNetworking = LastNetworking()
    var isInterfaceEnabled = true
    var clock: NodeClock
    private var effects: [RootEffect] = []

    /// - Parameter saved: what the device kept; nil for a new one.
    init(
        _ settings: DeviceSettings, saved: [UInt8]?, parts: [EndpointID], random: SharedRandom,
        at now: Instant
    ) {
        self.settings = settings
        self.random = random
        self.parts = parts
        started = now
        clock = NodeClock()
        var stored = saved.flatMap(StoredState.read) ?? StoredState()
        let declaration = settings.declaration ?? ExampleDeclaration.cms
        var source = random
        let known = stored.attestation.credentials(declaration: declaration)
        attestation =
            known
            ?? DeviceAttestationCredentials(
                vendorID: settings.vendorID, productID: settings.productID,
                declaration: declaration, using: &source)
        if known == nil {
            stored.attestation = StoredAttestation(attestation)
            stored.uniqueID = Hex.upper(random.drawUInt64())
        } else {
            stored.rebootCount = stored.rebootCount == .max ? .max : stored.rebootCount + 1
        }
        fabrics = FabricTable(
            fabrics: stored.fabrics.compactMap(\.fabric), nextIndex: stored.nextFabricIndex)
        networks = NetworkTable(stored.networks, connected: stored.connectedNetwork)
        self.stored = stored
        if settings.network == .ethernet { networks = .ethernet }
        if fabrics.isEmpty { openWindow(by: nil, for: Limits.announcement, at: now) }
    }

    mutating func add(_ effect: RootEffect) { effects.append(effect) }

    mutating func nextEffect() -> RootEffect? {
        effects.isEmpty ? nil : effects.removeFirst()
    }

    /// What would be there after a loss of power now: nothing of what a fail-safe covers.
    var toSave: [UInt8] {
        var state = stored
        var kept = fabrics
        var networks = networks
        if let failSafe {
            networks = failSafe.networks
            switch failSafe.change {
            case .added(let index):
                _ = kept.remove(index)
                state.remove(index)
            case .updated(let before): kept.restore(before)
            case nil: break
            }
        }
        state.fabrics = kept.fabrics.map(StoredFabric.init)
        state.nextFabricIndex = kept.nextIndex
        if settings.network != .ethernet {
            state.networks = networks.networks
            state.connectedNetwork = networks.connected
        }
        return state.written()
    }

    // MARK: Time

    var nextDeadline: Instant? {
        [failSafe?.end, window.nextDeadline, networking?.end].compactMap { $0 }.min()
    }

    mutating func advance(to now: Instant) {
        if let failSafe, failSafe.isExpired(at: now) { expireFailSafe(at: now) }
        let wasOpen = window.isOpen
        window.advance(to: now)
        if wasOpen, !window.isOpen { add(.note(.window(.windowNotOpen))) }
        if let networking, networking.end <= now { finish(networking) }
    }

    // MARK: Commands and writes

    /// - Parameter session: what the owner knows of the session.
    /// - Returns: nil when the answer comes later, as an effect.
    mutating func invoke(
        _ invocation: CommandInvocation, _ session: NodeSession, at now: Instant
    ) -> InvocationAnswer? {
        do throws(RootRefusal) {
            switch invocation.cluster {
            case GeneralCommissioning.id:
                return try generalCommissioning(invocation, at: now)
            case OperationalCredentials.id:
                return try operationalCredentials(invocation, session, at: now)
            case AdministratorCommissioning.id:
                return try administratorCommissioning(invocation, at: now)
            case NetworkCommissioning.id:
                return try networkCommissioning(invocation, at: now)
            case GroupKeyManagement.id: return try groupKeyManagement(invocation)
            case TimeSynchronization.id: return try timeSynchronization(invocation, at: now)
            case GeneralDiagnostics.id: return try generalDiagnostics(invocation, at: now)
            default: return .status(.unsupportedCommand)
            }
        } catch { return .status(error.status, cluster: error.clusterStatus) }
    }

    mutating func write(_ write: RootWrite) -> InteractionStatus {
        do throws(RootRefusal) {
            switch write.path.cluster {
            case AccessControl.id: try accessControl(write)
            case GeneralCommissioning.id:
                breadcrumb = try write.decoded(GeneralCommissioning.breadcrumb)
            case BasicInformation.id: try basicInformation(write)
            case NetworkCommissioning.id: try networkCommissioning(write)
            case GroupKeyManagement.id: try groupKeyManagement(write)
            default: return .unsupportedWrite
            }
            return .success
        } catch { return error.status }
    }
}

/// What the owner of a `RootNode` is to do.
enum RootEffect: Sendable {
    case note(DeviceNote)
    /// The session is of this fabric from now on. Core §11.18.6.8.
    case joined(SessionHandle, FabricIndex)
    /// Ends the sessions and subscriptions of a fabric, the asking one after its answer.
    case removed(FabricIndex)
    /// Ends the sessions by passcode.
    case endPASE
    /// The radio turns to the network, and there is no other. Core §11.10.6.5.
    case leavesBluetooth
    /// The answer to a command that was asked earlier.
    case answer(InvocationID, InvocationAnswer)
    case event(RootEvent)
}

enum RootEvent: Sendable {
    case leave(FabricIndex)
    case accessControlEntryChanged(AccessControlEntryChanged)
}

/// A session as the node's logic needs it.
struct NodeSession: Sendable {
    let attestationChallenge: Secret
    /// Nil after PASE.
    let peer: OperationalIdentity?
    var fabricIndex: FabricIndex?
}

/// Why a command or a write is not carried out.
struct RootRefusal: Error, Equatable {
    let status: InteractionStatus
    let clusterStatus: UInt8?

    init(_ status: InteractionStatus, cluster: UInt8? = nil) {
        self.status = status
        clusterStatus = cluster
    }
}

extension CommandInvocation {
    func decoded<Fields: Command>(
        as type: Fields.Type = Fields.self
    ) throws(RootRefusal) -> Fields {
        do throws(TLVError) { return try fields.decoded(as: type) } catch {
            throw RootRefusal(.invalidCommand)
        }
    }
}

/// An attribute that is to be as `result` has it, other fabrics' items of a list included.
struct RootWrite: Sendable {
    let path: ConcreteAttributePath
    let accessor: Accessor
    let result: EncodedElement

    func decoded<Value>(_ attribute: Attribute<Value>) throws(RootRefusal) -> Value {
        do throws(TLVError) { return try result.decoded(as: Value.self) } catch {
            throw RootRefusal(.invalidDataType)
        }
    }
}

extension StoredState {
    /// Forgets all that belongs to a fabric, but for the fabric itself.
    mutating func remove(_ fabric: FabricIndex) {
        acl.removeAll { $0.fabricIndex == fabric }
        extensions.removeAll { $0.fabricIndex == fabric }
        groupKeyMap.removeAll { $0.fabricIndex == fabric }
        groupKeySets.removeAll { $0.fabricIndex == fabric }
        resumptions.removeAll { $0.fabricIndex == fabric }
    }
}

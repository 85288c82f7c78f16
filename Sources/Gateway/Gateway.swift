package import Base
internal import Crypto
package import Matter
package import MatterNode

/// The gateway: what people and programs can ask of it.
///
/// Scope: the fabric, its devices, and the operations on them. Not scope: words and pictures
/// (`Console`), descriptors (`LinuxIO`).
package actor Gateway {
    package nonisolated let loop: Loop
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    private let node: Node
    let resolver: Resolver
    /// Nil where the program was started without.
    let bluetooth: Bluetooth?
    let store: any Store
    let fabric: Fabric
    private let verifier: AttestationVerifier
    let clock: CommissioningClock
    let random: SharedRandom
    private let facts: @Sendable () -> SystemFacts
    /// Open sessions; a node is asked again in the session that it has.
    var peers: [NodeID: Peer] = [:]
    /// What cancelled runs still undo at their devices.
    private var undoing: [LoopTask] = []
    /// The one commissioning in progress, whoever asked for it.
    var run: LoopTask?
    /// Told of every run.
    var runObserver: (@Sendable (RunEvent) -> Void)?
    /// Told when a node came, went or is called differently.
    var nodesObserver: (@Sendable () -> Void)?
    /// Sessions that are being established, with those that wait for the same.
    private var connecting: [NodeID: [LoopWait<Result<Peer, GatewayError>>]] = [:]
    /// Those that want to commission next.
    var runWaits: [LoopWait<Void>] = []
    private var expectsDevices = false
    /// While devices are expected.
    private var looking: Bluetooth.Listener?
    /// How long a device that has not joined its network is kept waiting for another one. Zero
    /// where nobody could give one.
    package var timeForOtherNetworks = Duration.zero
    /// Once `beginSettling` was called.
    var settlement: Settlement?

    /// How long a node may take to be found before it counts as unreachable.
    private static let timeToFind = Duration.seconds(10)
    /// A device that hears the word lets go at once; another lets its fail-safe expire. The
    /// program is to end within two seconds of being told.
    private static let timeToUndo = Duration.milliseconds(1500)

    package init(
        node: Node, resolver: Resolver, store: any Store, fabric: Fabric,
        verifier: AttestationVerifier, clock: CommissioningClock,
        random: SharedRandom, facts: @escaping @Sendable () -> SystemFacts,
        bluetooth: Bluetooth? = nil
    ) {
        loop = node.loop
        self.node = node
        self.resolver = resolver
        self.store = store
        self.fabric = fabric
        self.verifier = verifier
        self.clock = clock
        self.random = random
        self.facts = facts
        self.bluetooth = bluetooth
    }

    // MARK: Commissioning

    /// Checks what a commissioning needs, and says what to do where it is missing.
    package func prepare() async -> PrepareReport {
        var report = checks()
        await report.check(bluetooth, networks())
        if run != nil {
            report.checks.append(
                PrepareReport.Check(
                    "run", .error(PrepareReport.otherRun, remedy: PrepareReport.otherRunRemedy)))
        }
        return report
    }

    private func checks() -> PrepareReport {
        var report = PrepareReport()
        report.checks.append(
            PrepareReport.Check("fabric", .ok(Hex.upper(fabric.record.fabricID.rawValue))))
        do throws(StoreError) {
            try store.checkWritable()
            report.checks.append(PrepareReport.Check("store", .ok("writable")))
        } catch {
            report.checks.append(
                PrepareReport.Check(
                    "store",
                    .error(
                        "it cannot be written (\(error))",
                        remedy: "see the disk's space and the rights of the state folder")))
        }
        report.check(facts())
        if let unfinished = try? unfinished() { report.check(unfinished) }
        return report
    }

    /// One commissioning, as the run that `commission` has made room for.
    func perform(
        _ request: CommissioningRequest,
        progress: @escaping @Sendable (CommissioningStep) -> Void,
        warning: @escaping @Sendable (CommissioningWarning) -> Void = { _ in },
        tookPlace: @escaping @Sendable (NodeRecord) -> Void = { _ in }
    ) async throws(CommissioningError) -> NodeRecord {
        progress(.prepare)
        var request = request
        if request.networks.isEmpty { request.networks = networks() }
        var report = checks()
        if request.payload.isOnlyOverBluetooth {
            await report.checkRadio(bluetooth, isNeeded: true)
        }
        let problems = report.errors
        guard problems.isEmpty else {
            throw CommissioningError(
                .prepare, .notPrepared(problems.map(PrepareReport.words)))
        }
        await settleForAWhile()
        do throws(CommissioningError) {
            let commissioner = commissioner(progress, warning, tookPlace)
            let (record, peer) = try await commissioner.commission(request)
            peers[record.nodeID] = peer
            note(.commissioned, record.nodeID, "commissioned")
            await endSessionsOfStrangers()
            return record
        } catch {
            let explanation = Explanation(error, hint: request.payload.hint)
            note(.failed, nil, "not commissioned: \(explanation.line)")
            throw error
        }
    }

    /// A store that fails here fails the run later, where that is told.
    private var siteName: String {
        guard let settings = try? Settings(store) else { return "" }
        return settings.siteName
    }

    /// Commissions a device in the place of another, which is given up: name, room and history go
    /// to the new one.
    /// - Returns: the new node, and what became of telling the old device.
    package func replace(
        _ old: NodeRecord, with request: CommissioningRequest,
        progress: @escaping @Sendable (CommissioningStep) -> Void
    ) async throws(CommissioningError) -> (NodeRecord, RemovalOutcome) {
        var request = request
        request.replaces = old.nodeID
        let record = try await commission(request, progress: progress)
        note(.removed, old.nodeID, "replaced")
        let removals = (try? store.removals()) ?? []
        guard let removal = removals.first(where: { $0.nodeID == old.nodeID }) else {
            return (record, .told)
        }
        return (record, (try? await tell(removal)) ?? .pending)
    }

    func commissioner(
        _ progress: @escaping @Sendable (CommissioningStep) -> Void,
        _ warning: @escaping @Sendable (CommissioningWarning) -> Void = { _ in },
        _ tookPlace: @escaping @Sendable (NodeRecord) -> Void = { _ in }
    ) -> Commissioner {
        let warn: @Sendable (CommissioningWarning) -> Void = { [weak self] cause in
            warning(cause)
            self?.assumeIsolated { $0.note(.warning, nil, Explanation(cause).line) }
        }
        return Commissioner(
            node: node, resolver: resolver, bluetooth: bluetooth, store: store, fabric: fabric,
            verifier: verifier, clock: clock, random: random, fabricLabel: siteName,
            progress: progress, warning: warn,
            undoing: { [weak self] task in self?.assumeIsolated { $0.undoing.append(task) } },
            tookPlace: tookPlace,
            networkFailed: { [weak self] failure in
                await self?.otherNetworks(after: failure, warn)
            })
    }

    private func endSessionsOfStrangers() async {
        guard let known = try? store.nodes().map(\.nodeID) else { return }
        for (nodeID, peer) in peers where !known.contains(nodeID) {
            peers[nodeID] = nil
            await peer.close()
        }
    }

    // MARK: Devices

    package func nodes() throws(GatewayError) -> [NodeRecord] {
        do throws(StoreError) { return try store.nodes() } catch { throw .store(error) }
    }

    package func save(_ record: NodeRecord) throws(GatewayError) {
        do throws(StoreError) { try store.save(record) } catch { throw .store(error) }
        note(.renamed, record.nodeID, "named \"\(record.name)\" in \"\(record.room)\"")
    }

    package func read(
        _ paths: [AttributePath], of record: NodeRecord
    ) async throws(GatewayError) -> [AttributeReport] {
        try await ask(record) { peer throws(PeerError) in try await peer.read(paths) }
    }

    /// Writes one attribute.
    /// - Throws: `dropsOwnAdministration` for an access control list without us.
    package func write(
        _ value: EncodedElement, to path: ConcreteAttributePath, of record: NodeRecord
    ) async throws(GatewayError) {
        var value = value
        if path == AccessControl.acl.path(path.endpoint) {
            guard AccessControl.administers(fabric.record.nodeID, value) else {
                throw .dropsOwnAdministration
            }
            value = AccessControl.ownFirst(fabric.record.nodeID, value)
        }
        let data = AttributeDataIB(path: AttributePath(path), data: value)
        try await ask(record) { peer throws(PeerError) in try await peer.write([data]) }
    }

    @discardableResult
    package func invoke<Invoked: Matter.Command>(
        _ command: Invoked, on endpoint: EndpointID, of record: NodeRecord
    ) async throws(GatewayError) -> Invoked.Response {
        try await ask(record, again: Invoked.isRepeatable) { peer throws(PeerError) in
            try await peer.invoke(command, on: endpoint)
        }
    }

    package enum Removal: Sendable, Equatable {
        /// The device has let go of us.
        case told
        /// The device says that it does not know us.
        case unknownToDevice
        /// The device is not there; it is told when it is there again.
        case pending
        /// Forgotten here alone, and the device is not told any more.
        case forgotten
    }

    /// Takes the device out of our fabric and forgets it. One that is not there is told later.
    /// - Parameter isForced: forget it also when it refuses, and do not tell it later.
    package func remove(
        _ record: NodeRecord, isForced: Bool
    ) async throws(GatewayError) -> Removal {
        let removal = try await tell(record, isForced: isForced)
        if let peer = peers.removeValue(forKey: record.nodeID) { await node.end(peer.session) }
        do throws(StoreError) {
            if removal == .pending {
                try store.save(PendingRemoval(record, since: clock.unixSeconds() ?? 0))
            } else {
                try store.removeNode(record.nodeID)
            }
        } catch { throw .store(error) }
        note(.removed, record.nodeID, "removed (\(removal))")
        if removal == .pending { await settlement?.begin() }
        return removal
    }

    private func tell(
        _ record: NodeRecord, isForced: Bool
    ) async throws(GatewayError) -> Removal {
        do throws(GatewayError) {
            var command = OperationalCredentials.RemoveFabric()
            command.fabricIndex = record.fabricIndex
            let response = try await invoke(command, on: .root, of: record)
            guard response.statusCode == .ok else { throw .notRemoved(response.statusCode) }
            return .told
        } catch {
            if case .connection(let error) = error, error.isOfStranger {
                // At an address that is lent, another device may have said so.
                return record.lastAddress?.address.isIPv4 ?? false ? .pending : .unknownToDevice
            }
            if isForced { return .forgotten }
            guard error.isOfAbsence else { throw error }
            return .pending
        }
    }

    /// What a look around found over Bluetooth.
    package struct BluetoothFound: Sendable {
        package var devices: [HeardDevice] = []
        /// Why there may be more than was found.
        package var problem: BluetoothError?
    }

    /// Looks for everything that Matter has on the link, and over Bluetooth.
    /// - Parameter found: called for each on the link as it is found or changes.
    package func discover(
        for time: Duration, _ found: @escaping @Sendable (ServiceRecord) -> Void
    ) async throws(CancellationError) -> BluetoothFound {
        let listener = await bluetooth?.listen()
        do throws(CancellationError) { try await browse(for: time, found) } catch {
            if let listener { await bluetooth?.stop(listener) }
            throw error
        }
        var heard = BluetoothFound()
        guard let bluetooth, let listener else { return heard }
        heard.devices = await bluetooth.devices
        heard.problem = await bluetooth.problem
        await bluetooth.stop(listener)
        return heard
    }

    /// Looks over Bluetooth as long as devices are expected, so that those that wait are known
    /// when their codes come.
    func expectDevices(_ isWanted: Bool) async {
        expectsDevices = isWanted
        guard let bluetooth else { return }
        if isWanted, looking == nil {
            let listener = await bluetooth.listen()
            // Called off meanwhile, or begun by another.
            guard expectsDevices, looking == nil else { return await bluetooth.stop(listener) }
            looking = listener
        } else if !isWanted, let listener = looking {
            looking = nil
            await bluetooth.stop(listener)
        }
    }

    private func browse(
        for time: Duration, _ found: @escaping @Sendable (ServiceRecord) -> Void
    ) async throws(CancellationError) {
        let deadline = loop.now + time
        let queries: [MDNSQuery] = [
            .commissionableNodes, .commissioners, .operationalNodes, .borderRouters,
        ]
        var browsers: [Resolver.Browser] = []
        for query in queries {
            if let browser = try? await resolver.browse(query) { browsers.append(browser) }
        }
        defer {
            let browsers = browsers
            loop.spawn { [resolver] in
                for browser in browsers { await resolver.stop(browser) }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for browser in browsers {
                group.addTask {
                    // A cancelled wait ends the listing, and so does the deadline.
                    while let record = try? await browser.next(until: deadline) { found(record) }
                }
            }
        }
        if Task.isCancelled { throw CancellationError() }
    }

    /// Whether an operational node is one of ours.
    package func isOurs(_ name: OperationalName) -> Bool {
        name.compressedFabricID == fabric.compressedID
    }

    /// Ends all sessions with a word to their devices, which hold few, and gives cancelled runs
    /// a moment to undo what they did.
    package func close() async {
        await settlement?.end()
        for peer in peers.values { await peer.close() }
        peers = [:]
        let unfinished = undoing
        undoing = []
        await loop.wait(
            for: loop.spawn { for task in unfinished { await task.value } },
            atMost: Self.timeToUndo)
    }

    /// Asks a node in the session that it has. When nothing comes back there, the device has
    /// moved or was without power: that session is over, and the next request begins a new one.
    /// - Parameter isRepeatable: whether the same may be asked again at once, though the device
    ///   may have heard it.
    func ask<Answer: Sendable>(
        _ record: NodeRecord, again isRepeatable: Bool = true,
        _ body: (Peer) async throws(PeerError) -> Answer
    ) async throws(GatewayError) -> Answer {
        let isOld = peers[record.nodeID] != nil
        let peer = try await connect(record)
        do throws(PeerError) { return try await body(peer) } catch {
            guard error.isOfLostSession else { throw .peer(error) }
            peers[record.nodeID] = nil
            await node.end(peer.session)
            guard isOld, isRepeatable else { throw .peer(error) }
        }
        let newPeer = try await connect(record)
        do throws(PeerError) { return try await body(newPeer) } catch { throw .peer(error) }
    }

    /// The session that a node has, or a new one. Those who want one at the same time share it.
    func connect(_ record: NodeRecord) async throws(GatewayError) -> Peer {
        while true {
            if let peer = peers[record.nodeID], await node.isOpen(peer.session) { return peer }
            guard connecting[record.nodeID] != nil else { break }
            let wait = LoopWait<Result<Peer, GatewayError>>()
            connecting[record.nodeID]?.append(wait)
            let result: Result<Peer, GatewayError>
            do throws(CancellationError) { result = try await wait.value() } catch {
                throw .connection(.cancelled)
            }
            // Whoever went ahead may have given up.
            if case .failure(.connection(.cancelled)) = result { continue }
            return try result.get()
        }
        connecting[record.nodeID] = []
        let result: Result<Peer, GatewayError>
        do throws(GatewayError) { result = .success(try await establish(record)) } catch {
            result = .failure(error)
        }
        for wait in connecting.removeValue(forKey: record.nodeID) ?? [] {
            wait.resume(returning: result)
        }
        return try result.get()
    }

    private func establish(_ record: NodeRecord) async throws(GatewayError) -> Peer {
        let connector = OperationalConnector(
            node: node, resolver: resolver, fabric: fabric,
            resumptions: StoredResumptions(store),
            certificateTime: clock.certificateTime)
        do throws(ConnectionError) {
            let peer = try await connector.connect(
                to: record.nodeID, hint: record.lastAddress, within: Self.timeToFind)
            peers[record.nodeID] = peer
            return peer
        } catch { throw .connection(error) }
    }

    /// Events are for people who look back; a store that takes none is reported by `prepare`.
    func note(_ kind: EventRecord.Kind, _ nodeID: NodeID?, _ text: String) {
        try? store.note(kind, nodeID, text, at: clock.unixSeconds() ?? 0)
        switch kind {
        case .commissioned, .removed, .renamed, .restored: nodesObserver?()
        default: break
        }
    }
}

extension PrepareReport {
    /// A failed check in one line.
    static func words(_ check: Check) -> String {
        switch check.outcome {
        case .ok(let text): "\(check.name): \(text)"
        case .warning(let text, let remedy), .error(let text, let remedy):
            "\(check.name): \(text): \(remedy)"
        }
    }
}

internal import Base
internal import Matter
internal import MatterNode

// What keeping a node read asks of it. The session is the one that commands use as well.

extension Gateway {
    /// - Parameter observer: called on the loop when nodes came, went or are called differently.
    func observeNodes(_ observer: @escaping @Sendable () -> Void) {
        nodesObserver = observer
    }

    /// - Parameter observer: called on the loop with each node of ours that tells the network
    ///   that it is there.
    func observeAnnouncements(_ observer: @escaping @Sendable (NodeID) -> Void) async {
        let fabric = fabric.compressedID
        await resolver.observeAnnouncements { name in
            if name.compressedFabricID == fabric { observer(name.nodeID) }
        }
    }

    /// Subscribes in the session that there is, or in a new one.
    /// - Parameters:
    ///   - isSleepy: whether the node sleeps; it is asked for how long it does.
    ///   - subscriber: made for each subscription, of the paths that it is to.
    func subscribe(
        _ record: NodeRecord, isSleepy: Bool,
        _ subscriber: @Sendable ([AttributePath]) -> Subscriber
    ) async throws(GatewayError) -> KeptSubscription {
        let paths = KeptAttribute.paths(of: record)
        return try await ask(record) { peer throws(PeerError) in
            let ceiling = isSleepy ? try await peer.longestSilence() : nil
            return try await peer.subscribe(to: paths, ceiling: ceiling, subscriber)
        }
    }

    /// Reads what is kept of a node, in the session that there is.
    /// - Throws: when there is none; a session in which nothing comes back is ended.
    func check(_ record: NodeRecord) async throws(GatewayError) -> [AttributeReport] {
        guard let peer = peers[record.nodeID] else { throw .peer(.exchange(.sessionEnded)) }
        do throws(PeerError) {
            return try await peer.read(KeptAttribute.paths(of: record))
        } catch {
            if error.isOfLostSession || error == .exchange(.noAnswer) { await forget(peer, record) }
            throw .peer(error)
        }
    }

    /// Ends the session of a node that does not know us any more.
    func endSession(of record: NodeRecord) async {
        if let peer = peers[record.nodeID] { await forget(peer, record) }
    }

    private func forget(_ peer: Peer, _ record: NodeRecord) async {
        if peers[record.nodeID]?.session == peer.session { peers[record.nodeID] = nil }
        await peer.node.end(peer.session)
    }

    /// Keeps where a node was heard last, when that is news. Names may have changed meanwhile.
    func keepAddress(of known: NodeRecord) async -> NodeRecord? {
        let nodeID = known.nodeID
        guard let peer = peers[nodeID],
            case .udp(let address)? = await peer.node.address(of: peer.session),
            known.lastAddress != address,
            var record = (try? store.nodes())?.first(where: { $0.nodeID == nodeID }),
            record.lastAddress != address
        else { return nil }
        record.lastAddress = address
        do throws(StoreError) { try store.save(record) } catch { return nil }
        return record
    }
}

/// What a node agreed to.
struct KeptSubscription: Sendable {
    /// It wants to say less often what it could have been asked for: it sleeps.
    let isSleepy: Bool
    /// Its subscriptions are to everything that was asked for.
    fileprivate(set) var isWhole: Bool

    init(_ handle: SubscriptionHandle, _ request: SubscribeRequest, isWhole: Bool) {
        self.isWhole = isWhole
        isSleepy = handle.maxInterval > .seconds(Int64(request.maxIntervalCeilingSeconds))
    }
}

extension Peer {
    /// How long the node sleeps without a break. Core §9.17.6.1.
    fileprivate func longestSilence() async throws(PeerError) -> UInt16 {
        let attribute = ICDManagement.idleModeDuration
        let reports = try await report([AttributePath(attribute, endpoint: .root)])
        let seconds = (try? reports.value(attribute, .root)) ?? nil
        let silence = UInt16(clamping: seconds ?? 0)
        return min(
            max(silence, KeepingLimits.maxIntervalSeconds),
            KeepingLimits.sleepyMaxIntervalSeconds)
    }

    /// One subscription to everything where the node takes it; else as many of three paths as
    /// every node takes.
    fileprivate func subscribe(
        to paths: [AttributePath], ceiling: UInt16?,
        _ subscriber: @Sendable ([AttributePath]) -> Subscriber
    ) async throws(PeerError) -> KeptSubscription {
        var leave = EventPath()
        leave.endpoint = .root
        leave.cluster = BasicInformation.id
        leave.event = BasicInformation.Leave.id
        var request = SubscribeRequest()
        request.minIntervalFloorSeconds = KeepingLimits.minIntervalSeconds
        request.maxIntervalCeilingSeconds = ceiling ?? KeepingLimits.maxIntervalSeconds
        let all = Array(paths.prefix(KeepingLimits.pathsPerSubscription))
        request.attributeRequests = all
        if paths.isEmpty { request.attributeRequests = nil }
        request.eventRequests = [leave]
        do throws(PeerError) {
            return try await KeptSubscription(
                subscribe(request, subscriber(all)), request, isWhole: all.count == paths.count)
        } catch {
            guard error.isOfTooManyPaths, paths.count >= Limits.pathsPerSubscription else {
                throw error
            }
        }
        let first = Array(paths.prefix(Limits.pathsPerSubscription - 1))
        request.attributeRequests = first
        var made = try await KeptSubscription(
            subscribe(request, subscriber(first)), request, isWhole: false)
        var rest = paths.dropFirst(first.count)
        request.keepSubscriptions = true
        request.eventRequests = nil
        for _ in 1..<KeepingLimits.subscriptionsPerNode where !rest.isEmpty {
            let next = Array(rest.prefix(Limits.pathsPerSubscription))
            request.attributeRequests = next
            do throws(PeerError) { _ = try await subscribe(request, subscriber(next)) } catch {
                guard error.isOfTooManyPaths else { throw error }
                // What it has no room for is not told, and is asked for instead.
                return made
            }
            rest = rest.dropFirst(Limits.pathsPerSubscription)
        }
        made.isWhole = rest.isEmpty
        return made
    }
}

extension PeerError {
    /// Core §8.5.3.
    fileprivate var isOfTooManyPaths: Bool {
        guard case .interaction(.status(let status, _)) = self else { return false }
        return status == .pathsExhausted || status == .resourceExhausted
    }
}

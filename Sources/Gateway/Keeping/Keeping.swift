internal import Base
package import Matter
package import MatterNode

/// Keeps all devices read, for as long as the agent runs.
///
/// Scope: which nodes there are, what is known of each, who is told. Not scope: when a node is
/// asked (`NodeWatch`), what a value means (`KeptAttribute`), what is kept of values over time.
package actor Keeping {
    package nonisolated let loop: Loop
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    let gateway: Gateway
    private let pollInterval: Duration?
    private let turns = KeepingTurns(KeepingLimits.connectingAtOnce)
    /// In the order in which their nodes were commissioned.
    private var keepers: [NodeKeeper] = []
    private var observers: [@Sendable (KeepingEvent) -> Void] = []
    var alerts = AlertTable()
    var alertTimer: (id: TimerID, deadline: Instant)?
    private var isStopped = false

    /// - Parameter pollInterval: nil is what `settings` says.
    package init(gateway: Gateway, pollInterval: Duration? = nil) {
        loop = gateway.loop
        self.gateway = gateway
        self.pollInterval = pollInterval
    }

    /// - Parameter observer: called on the loop while a node may be at work: it takes what it is
    ///   given and asks nothing of the gateway before its call has ended.
    package func observe(_ observer: @escaping @Sendable (KeepingEvent) -> Void) {
        observers.append(observer)
    }

    /// Begins to keep every stored node read.
    package func start() async {
        await gateway.observeNodes { [weak self] in
            guard let self else { return }
            loop.spawn { @Sendable [self] in await look() }
        }
        await gateway.observeAnnouncements { [weak self] nodeID in
            self?.assumeIsolated { $0.keeper(nodeID)?.announced() }
        }
        await look()
    }

    package func stop() {
        isStopped = true
        for keeper in keepers { keeper.stop() }
        keepers = []
        if let alertTimer { loop.cancel(alertTimer.id) }
        alertTimer = nil
    }

    /// Looks again at what is stored: nodes came, went or are called differently, and people may
    /// have set something.
    package func look() async {
        guard !isStopped, let nodes = try? await gateway.nodes(),
            let settings = try? Settings(gateway.store)
        else { return }
        let before = keepers.map(\.record)
        var kept: [NodeKeeper] = []
        for node in nodes {
            let seconds = settings.pollSeconds(ofPlace: node.historyID) ?? settings.pollSeconds
            let interval = pollInterval ?? .seconds(seconds)
            if let keeper = keeper(node.nodeID) {
                keeper.use(node, pollInterval: interval)
                kept.append(keeper)
            } else {
                kept.append(newKeeper(node, interval))
            }
        }
        for keeper in keepers where !kept.contains(where: { $0 === keeper }) { keeper.stop() }
        keepers = kept
        // Those of places that nobody is in any more end here, as limits do.
        for interval in settings.pollIntervals
        where !nodes.contains(where: { $0.historyID == interval.place }) {
            try? gateway.store.removeSetting(interval.record.key)
        }
        lookAtAlerts(nodes, offlineLimit: .seconds(settings.offlineMinutes * 60))
        if before != nodes { tell(.nodes(nodes.map(\.nodeID))) }
    }

    private func newKeeper(_ node: NodeRecord, _ interval: Duration) -> NodeKeeper {
        let keeper = NodeKeeper(node, gateway: gateway, turns: turns, pollInterval: interval) {
            [weak self] keeper, told in
            self?.assumeIsolated { $0.take(told, of: keeper) }
        }
        keeper.start()
        return keeper
    }

    private func keeper(_ nodeID: NodeID) -> NodeKeeper? {
        keepers.first { $0.record.nodeID == nodeID }
    }

    // MARK: What is known

    /// Of every stored node, in the order in which they were commissioned.
    package func states() -> [NodeState] { keepers.map(\.state) }

    package func state(of nodeID: NodeID) -> NodeState? { keeper(nodeID)?.state }

    /// How many answer, and how many do not or have left.
    package var presence: AgentStatus.Presence {
        var (online, offline) = (0, 0)
        for keeper in keepers {
            switch keeper.watch.link {
            case .unknown: break
            case .online: online += 1
            case .offline, .left: offline += 1
            }
        }
        return AgentStatus.Presence(online: online, offline: offline)
    }

    /// The most nodes that were connected with at once.
    package var mostConnecting: Int { turns.most }

    // MARK: What happens

    private func take(_ told: NodeKeeper.Told, of keeper: NodeKeeper) {
        guard !isStopped else { return }
        let nodeID = keeper.record.nodeID
        switch told {
        case .reading(let reading):
            tell(.reading(reading, of: nodeID))
            receive(reading)
        case .link:
            switch keeper.watch.link {
            case .unknown: break
            case .online: tell(.online(nodeID))
            case .offline: tell(.offline(nodeID))
            case .left: tell(.left(nodeID))
            }
            receive(keeper.watch.link, of: keeper.record)
        }
    }

    func tell(_ event: KeepingEvent) {
        note(event)
        for observer in observers { observer(event) }
    }

    func record(_ nodeID: NodeID) -> NodeRecord? { keeper(nodeID)?.record }
    func record(ofHistory historyID: NodeID) -> NodeRecord? {
        keepers.first { $0.record.historyID == historyID }?.record
    }
}

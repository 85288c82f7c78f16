internal import Base
internal import Matter
internal import MatterNode

// Limits of values, and of how long a node may be away.

extension Keeping {
    /// Those that people made, and those of nodes that are away for too long.
    package func alertStates() -> [AlertState] {
        alerts.watches.filter { $0.rule.id != 0 || $0.isRaised }.map { state($0) }
    }

    /// Whether anything needs a person.
    package var isAnyAlertRaised: Bool { alerts.isAnyRaised }

    /// Those that are passed for too long.
    package var raisedAlerts: Int { alerts.watches.count(where: \.isRaised) }

    /// For people who look back.
    func note(_ event: KeepingEvent) {
        switch event {
        case .reading, .online, .offline, .nodes: return
        case .left(let nodeID): note(.left, nodeID, "it has left the fabric")
        case .raised(let alert), .cleared(let alert):
            note(.alert, alert.node?.nodeID, AlertOutput.text(alert))
        }
    }

    private func note(_ kind: EventRecord.Kind, _ nodeID: NodeID?, _ text: String) {
        gateway.assumeIsolated { $0.note(kind, nodeID, text) }
    }

    func lookAtAlerts(_ nodes: [NodeRecord], offlineLimit: Duration) {
        // A store that cannot be read now leaves them as they are.
        let before = alerts.watches
        let known = before.map(\.rule)
        let stored: [AlertRule] = storedAlerts(of: nodes) ?? known.filter { $0.id != 0 }
        alerts.use(AlertTable.rules(stored, of: nodes, offlineLimit: offlineLimit))
        let states = states()
        for index in alerts.watches.indices {
            let rule = alerts.watches[index].rule
            guard !before.contains(where: { $0.rule == rule }),
                let state = states.first(where: { $0.node.historyID == rule.historyID })
            else { continue }
            alerts.watches[index].receive(state.link, at: loop.now)
            for reading in state.readings { alerts.watches[index].receive(reading) }
        }
        for watch in before where watch.isRaised {
            guard !alerts.watches.contains(where: { $0.rule == watch.rule }) else { continue }
            tell(.cleared(state(watch)))
        }
        settleAlerts()
    }

    /// Those of places that nobody is in any more end here.
    private func storedAlerts(of nodes: [NodeRecord]) -> [AlertRule]? {
        guard let records = try? gateway.store.alerts() else { return nil }
        var rules: [AlertRule] = []
        for record in records {
            if nodes.contains(where: { $0.historyID == record.historyID }) {
                rules.append(AlertRule(record))
            } else {
                try? gateway.store.removeAlert(record.id)
            }
        }
        return rules
    }

    func receive(_ reading: Reading) {
        for index in alerts.watches.indices { alerts.watches[index].receive(reading) }
        settleAlerts()
    }

    func receive(_ link: NodeState.Link, of node: NodeRecord) {
        for index in alerts.watches.indices
        where alerts.watches[index].rule.historyID == node.historyID {
            alerts.watches[index].receive(link, at: loop.now)
        }
        settleAlerts()
    }

    /// Tells what has come of it, and sets the one timer of all limits.
    private func settleAlerts() {
        for index in alerts.watches.indices {
            while let event = alerts.watches[index].nextEvent() {
                let state = state(alerts.watches[index])
                tell(event == .raised ? .raised(state) : .cleared(state))
            }
        }
        let deadline = alerts.nextDeadline
        guard deadline != alertTimer?.deadline else { return }
        if let alertTimer { loop.cancel(alertTimer.id) }
        alertTimer = deadline.map { deadline in
            let id = loop.schedule(at: deadline) { [weak self] in
                self?.assumeIsolated { $0.alertsDue() }
            }
            return (id, deadline)
        }
    }

    private func alertsDue() {
        alertTimer = nil
        for index in alerts.watches.indices { alerts.watches[index].advance(to: loop.now) }
        settleAlerts()
    }

    private func state(_ watch: AlertWatch) -> AlertState {
        AlertState(
            rule: watch.rule, node: record(ofHistory: watch.rule.historyID),
            isRaised: watch.isRaised, since: watch.since, value: watch.value)
    }
}

internal import Base
internal import Matter
internal import MatterNode

extension CommandRunner {
    func alert(_ order: AlertOrder) async throws(Explanation) -> Output {
        switch order {
        case .list: return try await alertList()
        case .clear(let selector, let id): return try await clear(selector, id)
        case .add(let selector, let condition, let seconds):
            return try await add(selector, condition, seconds)
        }
    }

    private func alertList() async throws(Explanation) -> Output {
        if let keeping = surroundings.agent?.keeping {
            return AlertOutput.list(await keeping.alertStates(), at: surroundings.now)
        }
        let nodes = try nodes()
        let store = try surroundings.store()
        let records = try stored { () throws(StoreError) in try store.alerts() }
        return AlertOutput.list(
            records.map { record in
                AlertState(
                    rule: AlertRule(record),
                    node: nodes.first { $0.historyID == record.historyID }, isRaised: false,
                    since: nil, value: nil)
            }, at: nil)
    }

    private func add(
        _ selector: NodeSelector, _ condition: AlertRule.Condition, _ seconds: Int64
    ) async throws(Explanation) -> Output {
        let (record, endpoint) = try node(selector)
        if case .value(let word, _, _) = condition, !record.tells(word, on: endpoint) {
            throw Explanation(
                .unavailable, "\(DeviceOutput.callName(record)) tells no \(word)",
                remedy: "show lists what it has")
        }
        let store = try surroundings.store()
        let alerts = try stored { () throws(StoreError) in try store.alerts() }
        let same = alerts.first {
            let rule = AlertRule($0)
            return rule.historyID == record.historyID && rule.endpoint == endpoint
                && rule.condition == condition
        }
        guard same != nil || alerts.count < KeepingLimits.alerts else {
            throw Explanation(
                .unavailable, "there are \(alerts.count) limits already",
                remedy: "alert NODE clear takes those of a device away")
        }
        let rule = AlertRule(
            id: same?.id ?? (alerts.map(\.id).max() ?? 0) + 1, historyID: record.historyID,
            endpoint: endpoint, condition: condition, duration: .seconds(seconds))
        try stored { () throws(StoreError) in try store.save(rule.record) }
        await surroundings.agent?.keeping?.look()
        return AlertOutput.added(rule, to: record)
    }

    private func clear(
        _ selector: NodeSelector, _ id: UInt32?
    ) async throws(Explanation) -> Output {
        let record = try node(selector).node
        let store = try surroundings.store()
        let alerts = try stored { () throws(StoreError) in try store.alerts() }
        let gone = alerts.filter {
            $0.historyID == record.historyID && (id == nil || $0.id == id)
        }
        guard !gone.isEmpty else {
            throw Explanation(
                .unavailable, "\(DeviceOutput.callName(record)) has no such limit",
                remedy: "alert list shows all")
        }
        for alert in gone {
            try stored { () throws(StoreError) in try store.removeAlert(alert.id) }
        }
        await surroundings.agent?.keeping?.look()
        return DeviceOutput.done(
            record, gone.count == 1 ? "a limit is gone" : "\(gone.count) limits are gone")
    }
}

extension NodeRecord {
    /// Whether it may tell what people call so; one that was not asked what it has may.
    fileprivate func tells(_ word: String, on endpoint: EndpointID?) -> Bool {
        if endpoints.isEmpty { return true }
        let clusters = KeptAttribute.all.filter { $0.word == word }.map(\.cluster)
        return endpoints.contains { record in
            (endpoint == nil || record.endpoint == endpoint)
                && record.clusters.contains { clusters.contains($0) }
        }
    }
}

extension AlertRule {
    init(_ record: AlertRecord) {
        self.init(
            id: record.id, historyID: record.historyID, endpoint: record.endpoint,
            condition: record.word.isEmpty
                ? .offline
                : .value(word: record.word, isAbove: record.isAbove, limit: record.limit),
            duration: .seconds(record.seconds))
    }

    var record: AlertRecord {
        var record = AlertRecord(
            id: id, historyID: historyID, endpoint: endpoint,
            seconds: duration.components.seconds)
        if case .value(let word, let isAbove, let limit) = condition {
            (record.word, record.isAbove, record.limit) = (word, isAbove, limit)
        }
        return record
    }
}

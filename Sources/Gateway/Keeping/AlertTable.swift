internal import Base
internal import Matter
internal import MatterNode

/// All limits and how each stands.
struct AlertTable: Sendable {
    var watches: [AlertWatch] = []

    /// Whether one is passed.
    var isAnyRaised: Bool { watches.contains(where: \.isRaised) }

    var nextDeadline: Instant? { watches.lazy.compactMap(\.nextDeadline).min() }

    /// Goes on with those that are as before.
    mutating func use(_ rules: [AlertRule]) {
        let before = watches
        watches = rules.map { rule in
            before.first { $0.rule == rule } ?? AlertWatch(rule)
        }
    }

    /// The rules that hold: those that people made, and for every other node that it must not be
    /// away for too long.
    static func rules(
        _ stored: [AlertRule], of nodes: [NodeRecord], offlineLimit: Duration
    ) -> [AlertRule] {
        stored
            + nodes.compactMap { node in
                let hasOwn = stored.contains {
                    $0.historyID == node.historyID && $0.condition == .offline
                }
                guard !hasOwn else { return nil }
                return AlertRule(
                    id: 0, historyID: node.historyID, condition: .offline,
                    duration: offlineLimit)
            }
    }
}

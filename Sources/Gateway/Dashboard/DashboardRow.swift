package import Base
package import Matter
internal import MatterNode

/// One device on the dashboard, in words.
package struct DashboardRow: Equatable, Sendable {
    package let nodeID: NodeID
    package let room: String
    package let name: String
    package let kind: String
    /// What it measures.
    package let value: String
    /// Of the value, or since it was heard.
    package let age: String
    package let link: String

    package init(_ state: NodeState, at now: Instant) {
        let node = state.node
        nodeID = node.nodeID
        room = node.room.escapingControls
        name = DeviceOutput.callName(node).escapingControls
        kind = DeviceOutput.kind(node).escapingControls
        let measured = state.readings.filter { reading in
            KeptAttribute.of(reading.source.cluster, reading.source.attribute)?.isMeasured ?? false
        }
        value = measured.map(StateOutput.text).joined(separator: ", ").escapingControls
        let latest = measured.map(\.at).max() ?? state.heardAt
        age = latest.map { Self.age(now - $0) } ?? ""
        link =
            switch state.link {
            case .unknown: "unheard"
            case .online: "online"
            case .offline: "OFFLINE"
            case .left: "LEFT"
            }
    }

    /// In the largest unit alone: `42 s`, `3 min`, `5 h`, `4 d`.
    static func age(_ duration: Duration) -> String {
        let seconds = max(0, duration.milliseconds / 1000)
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min" }
        return seconds < 86_400 ? "\(seconds / 3600) h" : "\(seconds / 86_400) d"
    }
}

/// What the dashboard shows at one moment.
package struct DashboardContent: Equatable, Sendable {
    package var title: String
    /// By room, in the order in which `rooms` lists them.
    package var rows: [DashboardRow]

    package init(title: String, rows: [DashboardRow]) {
        self.title = title
        self.rows = rows
    }

    /// - Parameter states: of all nodes, in any order.
    package init(_ states: [NodeState], _ status: AgentStatus, at now: Instant) {
        var known: [NodeID: NodeState] = [:]
        for state in states { known[state.node.nodeID] = state }
        let nodes = RoomOutput.inOrder(states.map(\.node))
        rows = nodes.compactMap { known[$0.nodeID].map { DashboardRow($0, at: now) } }
        title = Self.title(states, status)
    }

    private static func title(_ states: [NodeState], _ status: AgentStatus) -> String {
        let online = states.count { StateOutput.isOnline($0.link) }
        var parts = ["\(KeepingOutput.devices(states.count)), \(online) online"]
        let alerts = status.alerts
        if alerts > 0 { parts.append(alerts == 1 ? "1 alert" : "\(alerts) alerts") }
        if let left = status.windowLeft {
            parts.append("window open for \((left.milliseconds + 999) / 1000) s")
        }
        if let step = status.step { parts.append("adding: \(step.title)") }
        if status.waiting > 0 { parts.append("\(status.waiting) waiting") }
        if status.isResetArmed { parts.append("FACTORY RESET ARMED") }
        return parts.joined(separator: "; ")
    }
}

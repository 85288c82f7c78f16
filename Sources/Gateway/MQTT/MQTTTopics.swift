internal import Base
package import Matter
package import MatterNode

/// Where things are at the broker. Everything of one gateway is below its base, so that an access
/// list needs one line.
package struct MQTTTopics: Equatable, Sendable {
    /// `matter-gateway/NAME`
    package let base: String
    /// The gateway's name in topics.
    package let name: String

    package init(name: String) {
        self.name = name
        base = "matter-gateway/\(name)"
    }

    /// Retained: `online`, or `offline` when the gateway has gone, which its will tells.
    package var status: String { "\(base)/status" }
    /// What happened, as consoles are told.
    package var event: String { "\(base)/event" }
    /// Limits that are passed, or not any more.
    package var alert: String { "\(base)/alert" }
    /// Every reading once, in order.
    package var history: String { "\(base)/history" }
    package var commission: String { "\(base)/commission" }
    package var anySetting: String { "\(base)/node/+/set" }
    package var anyNode: String { "\(base)/node/#" }

    package func node(_ node: NodeID) -> String { "\(base)/node/\(node.text)" }
    /// Retained, everything that is known.
    package func state(_ node: NodeID) -> String { self.node(node) + "/state" }
    /// Retained: `online` or `offline`.
    package func availability(_ node: NodeID) -> String { self.node(node) + "/availability" }
    package func setting(_ node: NodeID) -> String { self.node(node) + "/set" }
    /// Retained, one value.
    package func value(_ source: ReadingSource, of node: NodeID) -> String {
        "\(self.node(node))/\(source.path)"
    }

    /// Retained, for Home Assistant.
    package func discovery(_ node: NodeID) -> String {
        "homeassistant/device/\(identifier(node))/config"
    }

    /// Of a device in Home Assistant, where ids are letters, digits, - and _.
    package func identifier(_ node: NodeID) -> String {
        "matter-gateway_\(name.map { $0 == "." ? "-" : $0 }.map(String.init).joined())_\(node.text)"
    }

    package enum Received: Equatable, Sendable {
        case setting(NodeID)
        case commission
        /// Anything else of a node: a value or a state.
        case ofNode(NodeID)
    }

    /// Nil for what is none of ours.
    package func parse(_ topic: String) -> Received? {
        if topic == commission { return .commission }
        let start = "\(base)/node/"
        guard topic.hasPrefix(start) else { return nil }
        let rest = topic.dropFirst(start.count)
        guard let slash = rest.firstIndex(of: "/"),
            let number = IdentifierText.number(rest[..<slash], max: .max),
            NodeID(number).text == rest[..<slash]
        else { return nil }
        let node = NodeID(number)
        return rest[slash...] == "/set" ? .setting(node) : .ofNode(node)
    }
}

extension ReadingSource {
    var path: ConcreteAttributePath {
        ConcreteAttributePath(endpoint: endpoint, cluster: cluster, attribute: attribute)
    }
}

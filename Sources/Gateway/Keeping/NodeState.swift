package import Base
package import MatterNode

/// What is known of a node now, for consoles and for MQTT.
package struct NodeState: Sendable {
    package enum Link: Equatable, Sendable {
        /// Nothing was heard yet since the start.
        case unknown
        case online(since: Instant)
        case offline(since: Instant)
        /// It has left the fabric by itself, or says that it does not know us.
        case left(since: Instant)
    }

    package let node: NodeRecord
    package var link: Link
    package var isSubscribed: Bool
    /// When it was last heard.
    package var heardAt: Instant?
    /// The latest of each attribute that is kept read, by endpoint, cluster and attribute.
    package var readings: [Reading]

    package init(
        node: NodeRecord, link: Link = .unknown, isSubscribed: Bool = false,
        heardAt: Instant? = nil, readings: [Reading] = []
    ) {
        self.node = node
        self.link = link
        self.isSubscribed = isSubscribed
        self.heardAt = heardAt
        self.readings = readings
    }
}

internal import Base

/// One attribute of one endpoint.
package struct ConcreteAttributePath: Hashable, Sendable {
    package var endpoint: EndpointID
    package var cluster: ClusterID
    package var attribute: AttributeID

    package init(endpoint: EndpointID, cluster: ClusterID, attribute: AttributeID) {
        self.endpoint = endpoint
        self.cluster = cluster
        self.attribute = attribute
    }
}

/// Attributes of a node; what is nil stands for all. Core §10.6.2.
package struct AttributePath: TLVStructure, Hashable, Sendable {
    package var node: NodeID?
    package var endpoint: EndpointID?
    package var cluster: ClusterID?
    package var attribute: AttributeID?
    /// Null: an item to be put at the end of the list.
    package var listIndex: Nullable<UInt16>?

    package init() {}

    package init(
        endpoint: EndpointID? = nil, cluster: ClusterID? = nil, attribute: AttributeID? = nil
    ) {
        self.endpoint = endpoint
        self.cluster = cluster
        self.attribute = attribute
    }

    package init(_ path: ConcreteAttributePath) {
        self.init(endpoint: path.endpoint, cluster: path.cluster, attribute: path.attribute)
    }

    /// Nil when the path has wildcards.
    package var concrete: ConcreteAttributePath? {
        guard let endpoint, let cluster, let attribute else { return nil }
        return ConcreteAttributePath(endpoint: endpoint, cluster: cluster, attribute: attribute)
    }

    package static var container: TLVContainer { .list }

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(1, "node", &node)
        try field(2, "endpoint", &endpoint)
        try field(3, "cluster", &cluster)
        try field(4, "attribute", &attribute)
        try field(5, "listIndex", &listIndex)
    }
}

/// Core §10.6.11.
package struct CommandPath: TLVStructure, Hashable, Sendable {
    /// Nil only in group commands.
    package var endpoint: EndpointID?
    package var cluster = ClusterID(0)
    package var command = CommandID(0)

    package init() {}

    package init(endpoint: EndpointID?, cluster: ClusterID, command: CommandID) {
        self.endpoint = endpoint
        self.cluster = cluster
        self.command = command
    }

    package static var container: TLVContainer { .list }

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "endpoint", &endpoint)
        try field(1, "cluster", &cluster)
        try field(2, "command", &command)
    }
}

/// Core §10.6.8.
package struct EventPath: TLVStructure, Hashable, Sendable {
    package var node: NodeID?
    package var endpoint: EndpointID?
    package var cluster: ClusterID?
    package var event: EventID?
    package var isUrgent: Bool?

    package init() {}

    package static var container: TLVContainer { .list }

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "node", &node)
        try field(1, "endpoint", &endpoint)
        try field(2, "cluster", &cluster)
        try field(3, "event", &event)
        try field(4, "isUrgent", &isUrgent)
    }
}

/// Core §10.6.7.
package struct ClusterPath: TLVStructure, Hashable, Sendable {
    package var node: NodeID?
    package var endpoint: EndpointID?
    package var cluster: ClusterID?

    package init() {}

    package static var container: TLVContainer { .list }

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "node", &node)
        try field(1, "endpoint", &endpoint)
        try field(2, "cluster", &cluster)
    }
}

package import Base
package import Matter

/// What is read: one attribute in one place. A device that took another's place goes on with its
/// series, for `historyID` is that of the place.
package struct ReadingSource: Hashable, Sendable {
    package let historyID: NodeID
    package let endpoint: EndpointID
    package let cluster: ClusterID
    package let attribute: AttributeID

    package init(
        historyID: NodeID, endpoint: EndpointID, cluster: ClusterID, attribute: AttributeID
    ) {
        self.historyID = historyID
        self.endpoint = endpoint
        self.cluster = cluster
        self.attribute = attribute
    }
}

/// One value as a node told it.
package struct Reading: Equatable, Sendable {
    package let source: ReadingSource
    /// In the unit of the attribute's `Quantity`: 2150 for 21.50 °C; 0 or 1 for what is off or on;
    /// numbers of floating point in thousandths. Nil when the node has no value (null, or one
    /// that cannot be).
    package let value: Int64?
    package let at: Instant

    package init(source: ReadingSource, value: Int64?, at: Instant) {
        self.source = source
        self.value = value
        self.at = at
    }
}

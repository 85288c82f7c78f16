package import Matter

/// A limit that a person has set, as it is kept.
package struct AlertRecord: Equatable, Sendable {
    /// From 1 on.
    package var id: UInt32
    /// The place that it is about; see `NodeRecord.historyID`.
    package var historyID: NodeID
    /// Nil is any of them.
    package var endpoint: EndpointID?
    /// What people call the value; empty for a limit of how long the node may be away.
    package var word: String
    /// Whether it is passed above `limit`, else below it.
    package var isAbove: Bool
    /// In the unit of a `Reading`.
    package var limit: Int64
    /// For how long it must be passed without a break.
    package var seconds: Int64

    package init(
        id: UInt32, historyID: NodeID, endpoint: EndpointID? = nil, word: String = "",
        isAbove: Bool = false, limit: Int64 = 0, seconds: Int64
    ) {
        self.id = id
        self.historyID = historyID
        self.endpoint = endpoint
        self.word = word
        self.isAbove = isAbove
        self.limit = limit
        self.seconds = seconds
    }
}

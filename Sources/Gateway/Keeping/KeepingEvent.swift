package import Matter
package import MatterNode

/// What keeping devices read has come to.
package enum KeepingEvent: Sendable {
    /// One value, as its node told it: every time, also when it is as before.
    case reading(Reading, of: NodeID)
    /// It answers, after it did not or was never heard.
    case online(NodeID)
    /// It does not answer any more. People are told by an alert, when it stays so.
    case offline(NodeID)
    /// It has left our fabric by itself, or says twice that it does not know us.
    case left(NodeID)
    /// Which nodes are kept read has changed, or what they are called.
    case nodes([NodeID])
    case raised(AlertState)
    case cleared(AlertState)
}

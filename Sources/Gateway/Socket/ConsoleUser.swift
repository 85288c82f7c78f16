package import Matter
package import MatterNode

/// Who is at the console of which a command is being carried out.
///
/// Bound where the console's words come in, so that all that a command begins knows it.
package enum ConsoleUser {
    /// The user id at the other end of a socket; nil for anybody else, and for the gateway's own
    /// doing.
    @TaskLocal package static var current: UInt32?
}

extension Store {
    /// Adds to the event log, with the user at the console who has caused it.
    /// - Parameters:
    ///   - time: seconds since 1970; 0 while the clock is not plausible.
    ///   - text: one line without its end.
    package func note(
        _ kind: EventRecord.Kind, _ nodeID: NodeID?, _ text: String, at time: Int64
    ) throws(StoreError) {
        var text = text
        if kind.isOfPeople, let user = ConsoleUser.current { text += " (by user \(user))" }
        try append(EventRecord(time: time, kind: kind, node: nodeID, text: text))
    }
}

extension EventRecord.Kind {
    /// Whether somebody's command may be the cause; else it came by itself, whoever happened to
    /// begin what has noticed it.
    fileprivate var isOfPeople: Bool {
        switch self {
        case .commissioned, .failed, .removed, .renamed, .shared, .restored, .network, .access:
            true
        case .warning, .storeRecovered, .left, .alert: false
        }
    }
}

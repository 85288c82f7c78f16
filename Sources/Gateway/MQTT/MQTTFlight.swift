internal import Base
internal import MatterNode

/// Messages that the broker has not acknowledged yet.
struct MQTTFlight {
    enum Kind: Equatable {
        /// Told again with the next connection, as it is then.
        case live
        /// To be told again as it is.
        case once(BrokerMessage)
        case history
    }

    private struct Sent {
        let kind: Kind
        let at: Instant
        /// Nil until the connection has named it.
        var id: UInt16?
    }

    private var sent: [Sent] = []

    var isFull: Bool { sent.count { $0.kind != .history } >= MQTTLimits.inFlight }
    var hasHistory: Bool { sent.contains { $0.kind == .history } }
    /// When the one that waits longest was sent.
    var oldest: Instant? { sent.first?.at }

    /// What would be lost with the connection.
    var unacknowledged: [BrokerMessage] {
        sent.compactMap { if case .once(let message) = $0.kind { message } else { nil } }
    }

    mutating func add(_ kind: Kind, at now: Instant) { sent.append(Sent(kind: kind, at: now)) }

    mutating func nameLast(_ id: UInt16) {
        precondition(sent.last?.id == nil, "each is named once")
        if !sent.isEmpty { sent[sent.count - 1].id = id }
    }

    mutating func forgetLast() { if !sent.isEmpty { sent.removeLast() } }

    /// - Returns: nil for what nobody waits for: a broker may say things twice.
    mutating func acknowledge(_ id: UInt16) -> Kind? {
        guard let index = sent.firstIndex(where: { $0.id == id }) else { return nil }
        return sent.remove(at: index).kind
    }
}

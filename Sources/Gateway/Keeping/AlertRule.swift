package import Base
package import Matter
package import MatterNode

/// A limit that a place must not pass for long.
package struct AlertRule: Hashable, Sendable {
    package enum Condition: Hashable, Sendable {
        /// It does not answer, or has left.
        case offline
        /// A value beyond a limit, which is in the unit of a `Reading`.
        case value(word: String, isAbove: Bool, limit: Int64)
    }

    /// From 1 on; 0 is the limit that holds for every node without one of its own.
    package let id: UInt32
    /// The place: a device that takes another's goes on with its limits.
    package let historyID: NodeID
    /// Nil is any of them.
    package let endpoint: EndpointID?
    package let condition: Condition
    /// For how long without a break.
    package let duration: Duration

    package init(
        id: UInt32, historyID: NodeID, endpoint: EndpointID? = nil, condition: Condition,
        duration: Duration
    ) {
        self.id = id
        self.historyID = historyID
        self.endpoint = endpoint
        self.condition = condition
        self.duration = duration
    }

    /// Whether a value is beyond the limit; nil when the rule is not about it.
    package func judges(_ reading: Reading) -> Bool? {
        guard case .value(let word, let isAbove, let limit) = condition,
            reading.source.historyID == historyID,
            endpoint == nil || endpoint == reading.source.endpoint,
            let kept = KeptAttribute.of(reading.source.cluster, reading.source.attribute),
            kept.word == word
        else { return nil }
        guard let value = reading.value else { return false }
        return isAbove ? value > limit : value < limit
    }
}

/// A rule, and how it stands.
package struct AlertState: Sendable {
    package let rule: AlertRule
    /// Nil for a place that has no node now.
    package let node: NodeRecord?
    package let isRaised: Bool
    /// Since when the limit is passed; nil while it is not.
    package let since: Instant?
    /// The last value that the rule is about.
    package let value: Int64?
}

/// Whether a limit has been passed for as long as it takes: a machine of values and time.
///
/// A value that is not there passes no limit. While its node is away a value neither begins nor
/// ends an alert: nobody knows it. There is no hysteresis but the duration.
package struct AlertWatch: Sendable {
    package enum Event: Equatable, Sendable { case raised, cleared }

    package let rule: AlertRule
    package private(set) var isRaised = false
    package private(set) var since: Instant?
    package private(set) var value: Int64?
    /// Where the limit is passed.
    private var beyond: [EndpointID] = []
    private var isOffline = false
    private var events: [Event] = []

    package init(_ rule: AlertRule) {
        self.rule = rule
    }

    package mutating func receive(_ reading: Reading) {
        guard let isBeyond = rule.judges(reading) else { return }
        let endpoint = reading.source.endpoint
        value = reading.value
        if isBeyond, !beyond.contains(endpoint) { beyond.append(endpoint) }
        if !isBeyond { beyond.removeAll { $0 == endpoint } }
        settle(isPassed: !beyond.isEmpty, at: reading.at)
    }

    /// - Parameter link: of the node in the rule's place.
    package mutating func receive(_ link: NodeState.Link, at now: Instant) {
        switch link {
        case .unknown: return
        case .online: isOffline = false
        case .offline, .left: isOffline = true
        }
        if rule.condition == .offline { settle(isPassed: isOffline, at: now) }
    }

    package mutating func advance(to now: Instant) {
        guard let nextDeadline, nextDeadline <= now else { return }
        isRaised = true
        events.append(.raised)
    }

    package mutating func nextEvent() -> Event? { events.isEmpty ? nil : events.removeFirst() }

    package var nextDeadline: Instant? {
        guard let since, !isRaised, rule.condition == .offline || !isOffline else { return nil }
        return since + rule.duration
    }

    private mutating func settle(isPassed: Bool, at now: Instant) {
        if isPassed {
            since = since ?? now
            advance(to: now)
        } else {
            since = nil
            guard isRaised else { return }
            isRaised = false
            events.append(.cleared)
        }
    }
}

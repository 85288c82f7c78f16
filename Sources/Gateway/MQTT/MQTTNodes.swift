internal import Base
internal import Matter
internal import MatterNode

/// The nodes as they are now, and what of it the broker does not know yet.
struct MQTTNodes {
    enum Next {
        case discovery(NodeState)
        case availability(NodeState)
        case value(Reading, of: NodeID)
        case state(NodeState)
    }

    private struct Entry {
        var state: NodeState
        /// Of the readings, at the same places.
        var isValueDue: [Bool]
        var isDiscoveryDue = true
        var isAvailabilityDue = true
        /// When the state is told next; nil while nothing is new.
        var stateDueAt: Instant?

        init(_ state: NodeState, at now: Instant) {
            self.state = state
            isValueDue = state.readings.map { _ in true }
            stateDueAt = now
        }

        mutating func changed(at now: Instant, after delay: Duration) {
            let due = now + delay
            stateDueAt = stateDueAt.map { min($0, due) } ?? due
        }
    }

    private var entries: [Entry] = []
    /// Whose turn it is: one that says much keeps no other waiting.
    private var turn = 0

    /// - Returns: those that are not there any more; to be forgotten.
    mutating func use(_ states: [NodeState], at now: Instant) -> [NodeID] {
        for state in states {
            guard let index = index(state.node.nodeID) else {
                entries.append(Entry(state, at: now))
                continue
            }
            if entries[index].state.node != state.node || !hasSameValues(index, state) {
                entries[index] = Entry(state, at: now)
            } else if entries[index].state.link != state.link {
                entries[index].state.link = state.link
                entries[index].isAvailabilityDue = true
                entries[index].changed(at: now, after: MQTTLimits.stateDelay)
            }
        }
        return entries.map(\.state.node.nodeID).filter { known in
            !states.contains { $0.node.nodeID == known }
        }
    }

    private func hasSameValues(_ index: Int, _ state: NodeState) -> Bool {
        entries[index].state.readings.map(\.source) == state.readings.map(\.source)
    }

    mutating func forget(_ nodes: [NodeID]) {
        entries.removeAll { nodes.contains($0.state.node.nodeID) }
        turn = 0
    }

    mutating func receive(_ reading: Reading, of node: NodeID, at now: Instant) {
        guard let index = index(node) else { return }
        entries[index].state.heardAt = reading.at
        let place = entries[index].state.readings.firstIndex { $0.source == reading.source }
        guard let place else {
            guard entries[index].state.readings.count < MQTTLimits.values else { return }
            entries[index].state.readings.append(reading)
            entries[index].isValueDue.append(true)
            entries[index].isDiscoveryDue = true
            entries[index].changed(at: now, after: MQTTLimits.stateDelay)
            return
        }
        let isNew = entries[index].state.readings[place].value != reading.value
        entries[index].state.readings[place] = reading
        if isNew { entries[index].isValueDue[place] = true }
        entries[index].changed(
            at: now, after: isNew ? MQTTLimits.stateDelay : MQTTLimits.stateInterval)
    }

    mutating func receive(_ link: NodeState.Link, of node: NodeID, at now: Instant) {
        guard let index = index(node) else { return }
        entries[index].state.link = link
        entries[index].isAvailabilityDue = true
        entries[index].changed(at: now, after: MQTTLimits.stateDelay)
    }

    /// Everything is to be told again.
    mutating func markAll(at now: Instant) {
        for index in entries.indices { entries[index] = Entry(entries[index].state, at: now) }
        turn = 0
    }

    func has(_ node: NodeID) -> Bool { index(node) != nil }

    /// Under which id a place is known: that of the node there now.
    func node(ofHistory historyID: NodeID) -> NodeID {
        entries.first { $0.state.node.historyID == historyID }?.state.node.nodeID ?? historyID
    }

    /// All that is retained of a node.
    func topics(of node: NodeID, _ topics: MQTTTopics) -> [String] {
        guard let index = index(node) else { return [] }
        return [topics.discovery(node), topics.availability(node), topics.state(node)]
            + entries[index].state.readings.map { topics.value($0.source, of: node) }
    }

    // MARK: What is next

    mutating func next(at now: Instant, discovers: Bool) -> Next? {
        for step in entries.indices {
            let index = (turn + step) % entries.count
            if let next = next(of: index, at: now, discovers: discovers) {
                turn = index
                return next
            }
        }
        return nil
    }

    private mutating func next(of index: Int, at now: Instant, discovers: Bool) -> Next? {
        let state = entries[index].state
        if entries[index].isDiscoveryDue, discovers, !state.readings.isEmpty {
            entries[index].isDiscoveryDue = false
            return .discovery(state)
        }
        if entries[index].isAvailabilityDue {
            entries[index].isAvailabilityDue = false
            // Nothing was heard yet: what the broker keeps may well be right.
            if state.link != .unknown { return .availability(state) }
        }
        if let place = entries[index].isValueDue.firstIndex(of: true) {
            entries[index].isValueDue[place] = false
            return .value(state.readings[place], of: state.node.nodeID)
        }
        if let due = entries[index].stateDueAt, due <= now {
            entries[index].stateDueAt = nil
            return .state(state)
        }
        return nil
    }

    /// Of what is not due already.
    var nextDeadline: Instant? { entries.lazy.compactMap(\.stateDueAt).min() }

    private func index(_ node: NodeID) -> Int? {
        entries.firstIndex { $0.state.node.nodeID == node }
    }
}

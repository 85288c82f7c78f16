internal import Base

/// The events of a node that are still kept, in the order in which they happened. Core §7.14.
struct EventLog: Sendable {
    struct Entry: Sendable {
        let number: UInt64
        let path: ConcreteEventPath
        let priority: EventPriority
        /// The only fabric that may see it; nil for all.
        let fabricIndex: FabricIndex?
        let timestamp: EventTimestamp
        let data: EncodedElement
    }

    /// Oldest first.
    private(set) var entries: [Entry] = []
    private(set) var nextNumber: UInt64

    /// - Parameter nextNumber: above those of earlier starts of the node.
    init(nextNumber: UInt64) { self.nextNumber = nextNumber }

    mutating func record(
        _ data: EncodedElement, at path: ConcreteEventPath, priority: EventPriority,
        fabricIndex: FabricIndex?, timestamp: EventTimestamp
    ) {
        if entries.count == Limits.serverEvents { entries.removeFirst() }
        entries.append(
            Entry(
                number: nextNumber, path: path, priority: priority, fabricIndex: fabricIndex,
                timestamp: timestamp, data: data))
        nextNumber += 1
    }

    mutating func remove(fabric: FabricIndex) {
        entries.removeAll { $0.fabricIndex == fabric }
    }
}

extension EventLog.Entry {
    var report: EventReportIB {
        EventReportIB {
            var event = EventDataIB()
            event.path = EventPath(path)
            event.eventNumber = number
            event.priority = OpenEnum(priority)
            switch timestamp {
            case .epoch(let milliseconds): event.epochTimestamp = milliseconds
            case .system(let milliseconds): event.systemTimestamp = milliseconds
            }
            event.data = data
            $0.eventData = event
        }
    }
}

extension EventPath {
    init(_ path: ConcreteEventPath) {
        self.init()
        endpoint = path.endpoint
        cluster = path.cluster
        event = path.event
    }

    var concrete: ConcreteEventPath? {
        guard let endpoint, let cluster, let event else { return nil }
        return ConcreteEventPath(endpoint: endpoint, cluster: cluster, event: event)
    }

    func matches(_ path: ConcreteEventPath) -> Bool {
        (endpoint ?? path.endpoint) == path.endpoint && (cluster ?? path.cluster) == path.cluster
            && (event ?? path.event) == path.event
    }
}

internal import Base

/// One kind of event of one endpoint.
package struct ConcreteEventPath: Hashable, Sendable {
    package var endpoint: EndpointID
    package var cluster: ClusterID
    package var event: EventID

    package init(endpoint: EndpointID, cluster: ClusterID, event: EventID) {
        self.endpoint = endpoint
        self.cluster = cluster
        self.event = event
    }
}

/// When an event happened, in milliseconds. Core §10.6.9.
package enum EventTimestamp: Hashable, Sendable {
    /// Since 1970, by a node that knows the time.
    case epoch(UInt64)
    /// Since the node started.
    case system(UInt64)
}

/// What a node says of every event, whatever its kind.
package struct EventOccurrence: Hashable, Sendable {
    /// Grows with every event of the node, across its restarts too.
    package let number: UInt64
    package let priority: OpenEnum<EventPriority>
    /// Nil when the message does not tell what its difference counts from.
    package let timestamp: EventTimestamp?
}

/// One event as a report gives it; its data borrows the payload.
package struct ReportedEvent: ~Escapable {
    package enum Value: ~Escapable {
        /// The data is one TLV element; its tag has no meaning.
        case data(EventOccurrence, Span<UInt8>)
        /// Why there are no events.
        case status(InteractionStatus, clusterStatus: UInt8?)
    }

    package let path: ConcreteEventPath
    package let value: Value

    /// Reads the members of an EventReportIB, to its end. One of the two must be there; what
    /// later editions add is passed over.
    /// - Parameter previous: what the event before it in the message had.
    @_lifetime(copy reader)
    fileprivate init(
        _ reader: inout TLVReader, after previous: EventTimestamp?
    ) throws(TLVError) {
        while let member = try reader.member() {
            guard member.contextTag == 0 || member.contextTag == 1 else {
                try reader.skip(member)
                continue
            }
            try member.expect(.structure)
            if member.contextTag == 0 {
                self = try ReportedEvent(status: &reader)
            } else {
                self = try ReportedEvent(data: &reader, after: previous)
            }
            while let rest = try reader.member() { try reader.skip(rest) }
            return
        }
        throw .missing(tag: 1)
    }

    /// Reads the members of an EventDataIB, to its end. Core §10.6.9.
    @_lifetime(copy reader)
    private init(
        data reader: inout TLVReader, after previous: EventTimestamp?
    ) throws(TLVError) {
        var path: ConcreteEventPath?
        var number: UInt64?
        var priority: UInt8?
        var timestamp: EventTimestamp?
        var octets: Span<UInt8>?
        while let member = try reader.member() {
            switch member.contextTag {
            case 0:
                try member.expect(.list)
                path = try ConcreteEventPath(&reader)
            case 1: number = try member.integer()
            case 2: priority = try member.integer()
            case 3: timestamp = .epoch(try member.integer())
            case 4: timestamp = .system(try member.integer())
            case 5, 6: timestamp = try EventTimestamp(since: previous, member)
            case 7: octets = try reader.whole(member)
            default: try reader.skip(member)
            }
        }
        guard let path else { throw .missing(tag: 0) }
        guard let number else { throw .missing(tag: 1) }
        guard let priority else { throw .missing(tag: 2) }
        guard let octets else { throw .missing(tag: 7) }
        self.path = path
        let occurrence = EventOccurrence(
            number: number, priority: OpenEnum(rawValue: priority), timestamp: timestamp)
        value = .data(occurrence, octets)
    }

    /// Reads the members of an EventStatusIB, to its end. Core §10.6.15.
    @_lifetime(copy reader)
    private init(status reader: inout TLVReader) throws(TLVError) {
        var path: ConcreteEventPath?
        var status: StatusIB?
        while let member = try reader.member() {
            switch member.contextTag {
            case 0:
                try member.expect(.list)
                path = try ConcreteEventPath(&reader)
            case 1: status = try StatusIB(from: member, &reader)
            default: try reader.skip(member)
            }
        }
        guard let path else { throw .missing(tag: 0) }
        guard let status else { throw .missing(tag: 1) }
        self.path = path
        value = .status(status.status, clusterStatus: status.clusterStatus)
    }
}

extension ReportDataReader {
    /// The next event, or nil after the last. Core §10.6.10.
    @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func nextEvent() throws(InteractionError) -> ReportedEvent? {
        do throws(TLVError) {
            guard let report = try events.next() else { return nil }
            try report.expect(.structure)
            let event = try ReportedEvent(&events, after: timestamp)
            if case .data(let occurrence, _) = event.value { timestamp = occurrence.timestamp }
            return event
        } catch {
            throw .malformed(error)
        }
    }
}

extension EventTimestamp {
    /// - Parameter member: the difference to `previous`, which must be of the same kind.
    fileprivate init?(
        since previous: EventTimestamp?, _ member: borrowing TLVElement
    ) throws(TLVError) {
        let tag = member.contextTag
        let difference: UInt64 = try member.integer()
        let base: UInt64
        switch (previous, tag) {
        case (.epoch(let value)?, 5), (.system(let value)?, 6): base = value
        default: return nil
        }
        let (sum, overflow) = base.addingReportingOverflow(difference)
        guard !overflow else { throw .outOfRange(tag: tag) }
        self = tag == 5 ? .epoch(sum) : .system(sum)
    }
}

extension ConcreteEventPath {
    /// What a reported EventPathIB says; its three ids must be there. Core §10.6.8.
    fileprivate init(_ reader: inout TLVReader) throws(TLVError) {
        var endpoint: UInt16?
        var cluster: UInt32?
        var event: UInt32?
        while let member = try reader.member() {
            switch member.contextTag {
            case 1: endpoint = try member.integer()
            case 2: cluster = try member.integer()
            case 3: event = try member.integer()
            default: try reader.skip(member)
            }
        }
        guard let endpoint else { throw .missing(tag: 1) }
        guard let cluster else { throw .missing(tag: 2) }
        guard let event else { throw .missing(tag: 3) }
        self.init(
            endpoint: EndpointID(endpoint), cluster: ClusterID(cluster), event: EventID(event))
    }
}

/// What a node said of one event, or of one kind of them.
package struct EventReport: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case data(EventOccurrence, EncodedElement)
        case status(InteractionStatus, clusterStatus: UInt8?)
    }

    package let path: ConcreteEventPath
    package let value: Value
}

/// The events that one read gathers, in the order of arrival.
package struct EventReports: Sendable, Equatable {
    package private(set) var all: [EventReport] = []
    private var octets = 0

    package init() {}

    /// The greatest number that arrived; a later read asks for those above it.
    package var lastNumber: UInt64? {
        all.reduce(nil) { greatest, report in
            guard case .data(let occurrence, _) = report.value else { return greatest }
            return max(greatest ?? 0, occurrence.number)
        }
    }

    /// - Throws: `tooMuch` beyond the limits of one read.
    mutating func add(_ event: borrowing ReportedEvent) throws(InteractionError) {
        guard all.count < Limits.eventsPerRead else { throw .tooMuch }
        switch event.value {
        case .status(let status, let clusterStatus):
            all.append(
                EventReport(
                    path: event.path, value: .status(status, clusterStatus: clusterStatus)))
        case .data(let occurrence, let bytes):
            octets += bytes.count
            guard octets <= Limits.octetsPerRead else { throw .tooMuch }
            do throws(TLVError) {
                let data = try EncodedElement(whole: bytes)
                all.append(EventReport(path: event.path, value: .data(occurrence, data)))
            } catch {
                throw .malformed(error)
            }
        }
    }
}

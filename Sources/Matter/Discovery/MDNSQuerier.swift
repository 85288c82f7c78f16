package import Base

/// Finds services on the link: the asking side of multicast DNS (RFC 6762) and of DNS service
/// discovery (RFC 6763) over it.
///
/// Scope: what to ask when on each interface, and what the answers add up to. Not scope: answering,
/// sockets, and the proof that a message came from the link: the owner's socket takes only what
/// arrives on the named interface.
///
/// The contract of every machine: after each mutation take all transmits and events, then wait
/// until `nextDeadline` at the latest. What was not taken holds up what would follow.
package struct MDNSQuerier: Sendable {
    private var table = MDNSTable()
    private var queries: [ActiveQuery] = []
    private var interfaces: [UInt32]
    private let prefersUnicast: Bool
    private var transmits: [MDNSTransmit] = []
    private var events: [MDNSEvent] = []
    private var now = Instant(nanoseconds: 0)
    private var deadline: Instant?

    /// - Parameters:
    ///   - interfaces: their indices, the preferred one first.
    ///   - prefersUnicast: first questions ask for a unicast answer, which comes without delay.
    ///     To be false where another daemon shares port 5353: the kernel may hand it the answer.
    package init(interfaces: [UInt32], prefersUnicast: Bool = true) {
        self.interfaces = Array(interfaces.prefix(Limits.mdnsInterfaces))
        self.prefersUnicast = prefersUnicast
    }

    /// Begins to ask at once, and to report what is found; what is known already is reported
    /// first. A query that runs is asked again, though not within a second of its last question,
    /// and reports everything anew.
    /// - Throws: `tooManyQueries`.
    package mutating func browse(_ query: MDNSQuery, at now: Instant) throws(DiscoveryError) {
        if let index = queries.firstIndex(where: { $0.query == query }) {
            queries[index].reported = []
            events.removeAll { $0.query == query }
            if let place = table.index(of: queries[index].name) {
                table.restart(at: place, now: now)
            }
        } else {
            guard queries.count < Limits.mdnsQueries else { throw .tooManyQueries }
            queries.append(ActiveQuery(query))
        }
        table.isDirty = true
        settle(at: now)
    }

    /// Looks for one operational node by its name.
    /// - Throws: `tooManyQueries`.
    package mutating func resolve(_ name: OperationalName, at now: Instant) throws(DiscoveryError) {
        try browse(.node(name), at: now)
    }

    /// Asks no more and reports no more, not even removals. What only this query kept is forgotten.
    package mutating func stop(_ query: MDNSQuery) {
        queries.removeAll { $0.query == query }
        events.removeAll { $0.query == query }
        table.isDirty = true
    }

    /// Interfaces came or went, or are preferred in another order: forgets what was heard on
    /// those that are gone and asks everything again.
    package mutating func use(interfaces: [UInt32], at now: Instant) {
        self.interfaces = Array(interfaces.prefix(Limits.mdnsInterfaces))
        table.use(interfaces: self.interfaces, at: now)
        settle(at: now)
    }

    /// Takes a datagram that arrived on this interface. What is no response, comes from another
    /// port than 5353 or arrived elsewhere is passed over (RFC 6762 §6, §11).
    /// - Throws: what is malformed; what stood in front of it was taken all the same.
    package mutating func receive(
        _ datagram: Span<UInt8>, from source: SocketAddress, interface: UInt32, at now: Instant
    ) throws(DNSError) {
        guard source.port == MDNSTransmit.port, !source.address.isMulticast,
            interfaces.contains(interface)
        else { return settle(at: now) }
        let problem = take(
            datagram, on: interface, isFromLoopback: source.address.isLoopback,
            at: max(now, self.now))
        settle(at: now)
        if let problem { throw problem }
    }

    package mutating func advance(to now: Instant) { settle(at: now) }

    package mutating func nextTransmit() -> MDNSTransmit? {
        transmits.isEmpty ? nil : transmits.removeFirst()
    }

    package mutating func nextEvent() -> MDNSEvent? {
        events.isEmpty ? nil : events.removeFirst()
    }

    package var nextDeadline: Instant? { table.isDirty ? now : deadline }

    /// What this query has reported and not taken back.
    package func records(for query: MDNSQuery) -> [ServiceRecord] {
        guard let active = queries.first(where: { $0.query == query }) else { return [] }
        return active.reported.map(\.record)
    }
}

package enum DiscoveryError: Error, Equatable {
    /// `Limits.mdnsQueries` run already.
    case tooManyQueries
}

package enum MDNSEvent: Equatable, Sendable {
    /// An instance whose host, port and at least one address are known.
    case found(ServiceRecord, for: MDNSQuery)
    case updated(ServiceRecord, for: MDNSQuery)
    /// It left, or was not heard for the length of its life; the record as it was last.
    case removed(ServiceRecord, for: MDNSQuery)

    package var query: MDNSQuery {
        switch self {
        case .found(_, let query), .updated(_, let query), .removed(_, let query): query
        }
    }
}

/// A query to be sent from port 5353 on one interface, with a hop limit of 255.
package struct MDNSTransmit: Equatable, Sendable {
    package let payload: [UInt8]
    package let interface: UInt32

    package static let port: UInt16 = 5353

    /// ff02::fb. Matter's responders all listen on it; the same payload may be sent to
    /// 224.0.0.251 besides.
    package var destination: SocketAddress {
        var group = FixedBytes<16>()
        group[0] = 0xFF
        group[1] = 0x02
        group[15] = 0xFB
        return SocketAddress(IPAddress(group, scope: interface), port: Self.port)
    }
}

private struct ActiveQuery {
    let query: MDNSQuery
    let name: DomainName
    let service: DomainName
    let use: MDNSPlace.Uses
    var reported: [Reported] = []

    init(_ query: MDNSQuery) {
        self.query = query
        name = query.name
        service = DomainName(labels: query.kind.labels)
        use = query.isOfOneInstance ? .instance : .listing
    }

    struct Reported {
        let instance: DomainName
        var record: ServiceRecord
        /// The state of the places that the record was made from.
        var revision: MDNSVisit.Revision
        var isSeen: Bool
    }
}

extension MDNSQuerier {
    /// Reads the records in the order in which they depend on each other, whatever order they are
    /// in: what is listed, then its hosts, then their addresses.
    private mutating func take(
        _ datagram: Span<UInt8>, on interface: UInt32, isFromLoopback: Bool, at now: Instant
    ) -> DNSError? {
        let steps: (MDNSRecordTypes, MDNSRecordTypes, MDNSRecordTypes) = (
            .ptr, [.srv, .txt], [.aaaa, .a]
        )
        do throws(DNSError) {
            let reader = try DNSReader(datagram)
            guard reader.header.isResponse, reader.header.isOrdinary else { return nil }
            var problem: DNSError?
            for step in 0..<3 {
                let types = step == 0 ? steps.0 : step == 1 ? steps.1 : steps.2
                var walk = reader
                var left = Limits.mdnsRecordsPerMessage
                do throws(DNSError) {
                    while left > 0, let record = try walk.nextRecord() {
                        left -= 1
                        let type = MDNSRecordTypes(record.data.type)
                        guard !type.isEmpty, types.contains(type) else { continue }
                        table.hear(
                            record, as: type, on: interface, isFromLoopback: isFromLoopback,
                            at: now)
                    }
                } catch { problem = error }
            }
            return problem
        } catch { return error }
    }

    /// Brings everything up to this instant: what ended, what is found, what is to be asked.
    private mutating func settle(at instant: Instant) {
        now = max(now, instant)
        if !table.isDirty, let deadline, now < deadline { return }
        table.expire(at: now)
        if table.isDirty, events.isEmpty { review() }
        if transmits.isEmpty, !interfaces.isEmpty {
            transmits = table.ask(on: interfaces, prefersUnicast: prefersUnicast, at: now)
        }
        let next = table.deadline(canAsk: !interfaces.isEmpty)
        deadline = next == .distantFuture ? nil : next
    }

    /// Walks from the queries to what is known of them: reports what changed, decides what to ask
    /// for, forgets what no query leads to any more.
    private mutating func review() {
        table.isDirty = false
        table.beginWalk()
        for index in queries.indices {
            guard let place = table.reach(queries[index].name, as: queries[index].use) else {
                continue
            }
            for reported in queries[index].reported.indices {
                queries[index].reported[reported].isSeen = false
            }
            if queries[index].query.isOfOneInstance {
                visit(queries[index].name, for: index)
            } else {
                table.list(instancesOf: queries[index].service, at: place)
                table.want(.ptr, at: place)
                for record in table.places[place].records {
                    if case .ptr(let instance) = record.data { visit(instance, for: index) }
                }
            }
            reportRemovals(for: index)
        }
        table.sweep(at: now)
    }

    private mutating func visit(_ instance: DomainName, for index: Int) {
        guard let found = table.visit(instance, interfaces: interfaces, at: now) else {
            return
        }
        let query = queries[index].query
        let known = queries[index].reported.firstIndex { $0.instance == instance }
        if let known {
            queries[index].reported[known].isSeen = true
            guard queries[index].reported[known].revision != found.revision else { return }
        }
        guard let record = table.record(query.kind, found, interfaces: interfaces) else { return }
        guard let known else {
            queries[index].reported.append(
                .init(instance: instance, record: record, revision: found.revision, isSeen: true))
            return events.append(.found(record, for: query))
        }
        queries[index].reported[known].revision = found.revision
        guard queries[index].reported[known].record != record else { return }
        queries[index].reported[known].record = record
        events.append(.updated(record, for: query))
    }

    private mutating func reportRemovals(for index: Int) {
        for reported in queries[index].reported where !reported.isSeen {
            events.append(.removed(reported.record, for: queries[index].query))
        }
        queries[index].reported.removeAll { !$0.isSeen }
    }
}

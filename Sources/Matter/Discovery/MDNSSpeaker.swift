internal import Base

/// What a responder has to say on one interface, and when it may.
struct MDNSSpeaker: Sendable {
    let interface: UInt32
    var addresses: [IPAddress] = []
    private var held: [MDNSOwnRecord] = []
    private var pending: [Pending] = []
    /// When each record went to the group last, of those that are held or were denied.
    private var sent: [MDNSOwnRecord: Instant] = [:]

    init(_ interface: UInt32) { self.interface = interface }

    private struct Pending {
        let record: MDNSOwnRecord
        let destination: MDNSResponse.Destination
        var due: Instant
        /// How often it goes out again, a second apart.
        var repeats = 0
        /// Who may still say that it knows the answer (RFC 6762 §7.2); nil once others wait too.
        var asker: SocketAddress?
        /// What the asker's further messages cannot put off.
        var latest = Instant.distantFuture
    }

    var nextDue: Instant? { pending.lazy.map(\.due).min() }

    /// RFC 6762 §6: a record goes to the group once a second at most; to who probes, §8.1, four
    /// times as often.
    private static let quiet = Duration.seconds(1)
    private static let quietForProbe = Duration.milliseconds(250)
    /// RFC 6762 §7.2: known answers that follow come within this time; at most five times.
    private static let patience = Duration.milliseconds(400)
    private static let longestPatience = Duration.milliseconds(2500)

    /// A set that caches flush is said as a whole or not at all: its youngest member decides.
    private func quietUntil(_ record: MDNSOwnRecord, _ quiet: Duration = quiet) -> Instant {
        var last = sent[record]
        if record.known != nil, !record.isShared {
            for other in held where other.isOfSameSet(as: record) {
                if let time = sent[other] { last = max(last ?? time, time) }
            }
        }
        return last.map { $0 + quiet } ?? Instant(nanoseconds: .min)
    }
}

extension MDNSSpeaker {
    /// From now on these are the records. What is new is announced twice (RFC 6762 §8.3), what
    /// went is said goodbye to, unless the flushing of its successor does that (§10.2).
    /// - Returns: the goodbyes.
    mutating func hold(_ records: [MDNSOwnRecord], at now: Instant) -> [MDNSResponse] {
        let before = Set(held)
        let after = Set(records)
        guard before != after else { return [] }
        let gone = held.filter { record in
            !after.contains(record)
                && (record.isShared || !records.contains { $0.isOfSameSet(as: record) })
        }
        held = records
        pending.removeAll { !after.contains($0.record) }
        sent = sent.filter { after.contains($0.key) }
        for record in records {
            // A flushed set is said as a whole.
            let isNew =
                !before.contains(record)
                || !record.isShared
                    && records.contains { $0.isOfSameSet(as: record) && !before.contains($0) }
            guard isNew else { continue }
            plan(
                Pending(
                    record: record, destination: .group(interface: interface),
                    due: max(now, quietUntil(record)), repeats: 1))
        }
        return MDNSResponseWriter(destination: .group(interface: interface), lifeSeconds: 0)
            .messages(gone)
    }

    /// All that is due.
    mutating func speak(at now: Instant) -> [MDNSResponse] {
        let due = pending.filter { $0.due <= now }
        guard !due.isEmpty else { return [] }
        pending.removeAll { $0.due <= now }
        var destinations: [MDNSResponse.Destination] = []
        for item in due where !destinations.contains(item.destination) {
            destinations.append(item.destination)
        }
        var responses: [MDNSResponse] = []
        for destination in destinations {
            let answers = due.filter { $0.destination == destination }.map(\.record)
            let isToGroup = destination == .group(interface: interface)
            let additionals = additionals(to: answers).filter {
                !isToGroup || quietUntil($0) <= now
            }
            let (messages, written) = MDNSResponseWriter(destination: destination)
                .messages(answers, additionals)
            responses += messages
            if isToGroup { for record in written { sent[record] = now } }
        }
        for var item in due where item.repeats > 0 {
            item.repeats -= 1
            item.due = now + Self.quiet
            pending.append(item)
        }
        return responses
    }

    /// What spares the asker its next questions (RFC 6763 §12, RFC 6762 §6.2).
    private func additionals(to answers: [MDNSOwnRecord]) -> [MDNSOwnRecord] {
        var all = answers
        var seen = Set(answers)
        var index = 0
        while index < all.count {
            let wanted: (name: DomainName, types: MDNSRecordTypes)
            switch all[index].known {
            case .ptr(let target): wanted = (target, [.srv, .txt])
            case .srv(_, let host): wanted = (host, [.aaaa, .a])
            case .address: wanted = (all[index].name, [.aaaa, .a])
            case .txt, nil: wanted = (all[index].name, [])
            }
            index += 1
            for record in held {
                guard let type = record.known?.type, wanted.types.contains(type),
                    record.name == wanted.name, seen.insert(record).inserted
                else { continue }
                all.append(record)
            }
        }
        return Array(all[answers.count...])
    }

    private mutating func plan(_ item: Pending) {
        guard
            let index = pending.firstIndex(where: {
                $0.destination == item.destination && $0.record == item.record
            })
        else { return pending.append(item) }
        pending[index].due = min(pending[index].due, item.due)
        pending[index].repeats = max(pending[index].repeats, item.repeats)
        if pending[index].asker != item.asker { pending[index].asker = nil }
    }
}

extension MDNSSpeaker {
    /// Takes a query and plans its answers.
    /// - Returns: what is answered at once, to an asker that knows nothing of multicast.
    mutating func receive(
        _ datagram: Span<UInt8>, from source: SocketAddress, jitter: inout JitterSource,
        at now: Instant
    ) throws(DNSError) -> MDNSResponse? {
        var reader = try DNSReader(datagram)
        let header = reader.header
        guard !header.isResponse, header.isOrdinary, !held.isEmpty else { return nil }
        var query = MDNSHeardQuery()
        try query.read(&reader, held: held)
        var known: Set<MDNSOwnRecord> = []
        try knownAnswers(&reader, to: query, from: source, into: &known)
        query.answers.removeAll { known.contains($0.record) }
        guard source.port == MDNSTransmit.port else {
            return isNeighbour(source.address) ? legacyAnswer(query, header.id, to: source) : nil
        }
        pending.removeAll { $0.asker == source && known.contains($0.record) }
        if header.isTruncated, header.questionCount == 0 {
            put(off: source, to: now + Self.patience + .milliseconds(jitter.upTo(100)))
        }
        plan(query, header, from: source, jitter: &jitter, at: now)
        return nil
    }

    private mutating func plan(
        _ query: MDNSHeardQuery, _ header: DNSHeader, from source: SocketAddress,
        jitter: inout JitterSource, at now: Instant
    ) {
        var delay = Duration.zero
        if header.isTruncated {
            delay = Self.patience + .milliseconds(jitter.upTo(100))
        } else if query.answers.contains(where: \.record.isShared) {
            // RFC 6762 §6: others may answer too.
            delay = .milliseconds(20 + jitter.upTo(100))
        }
        let isProbe = header.authorityCount > 0
        let mayAnswerAlone = isNeighbour(source.address) && hasRoom(for: source)
        for (record, prefersUnicast) in query.answers {
            var item = Pending(
                record: record, destination: .group(interface: interface), due: now + delay,
                asker: source)
            item.latest = now + Self.longestPatience
            // RFC 6762 §5.4: the group hears it all the same when it did not for long.
            let fresh = Duration.seconds(Int(record.timeToLiveSeconds / 4))
            let isFresh = sent[record].map { now < $0 + fresh } ?? false
            if prefersUnicast, mayAnswerAlone, isFresh {
                item = Pending(
                    record: record, destination: .asker(source), due: item.due, asker: source,
                    latest: item.latest)
            } else {
                let quiet = isProbe ? Self.quietForProbe : Self.quiet
                item.due = max(item.due, quietUntil(record, quiet))
            }
            plan(item)
        }
    }

    /// The answers that the asker has already, among those to this query and to its earlier ones.
    private func knownAnswers(
        _ reader: inout DNSReader, to query: MDNSHeardQuery, from source: SocketAddress,
        into known: inout Set<MDNSOwnRecord>
    ) throws(DNSError) {
        let candidates =
            query.answers.map(\.record)
            + pending.lazy.filter { $0.asker == source }.map(\.record)
        var left = Limits.mdnsRecordsPerMessage
        while left > 0, let record = try reader.nextRecord() {
            left -= 1
            guard record.section == .answer else { return }
            for candidate in candidates where candidate.isKnown(by: record) {
                known.insert(candidate)
            }
        }
    }

    private mutating func put(off source: SocketAddress, to due: Instant) {
        for index in pending.indices where pending[index].asker == source {
            pending[index].due = max(pending[index].due, min(due, pending[index].latest))
        }
    }

    /// RFC 6762 §6.7: from another port than 5353 asks a resolver that expects one answer.
    private func legacyAnswer(
        _ query: MDNSHeardQuery, _ id: UInt16, to source: SocketAddress
    ) -> MDNSResponse? {
        let answers = query.answers.map(\.record).filter { $0.known != nil }
        guard !answers.isEmpty else { return nil }
        let writer = MDNSResponseWriter(
            destination: .asker(source), legacy: (id: id, questions: query.questions))
        return writer.messages(answers, additionals(to: answers)).responses.first
    }

    private func hasRoom(for source: SocketAddress) -> Bool {
        var askers: Set<MDNSResponse.Destination> = [.asker(source)]
        for item in pending { askers.insert(item.destination) }
        return askers.count <= Limits.mdnsAskers
    }

    /// RFC 6762 §11: only hosts of this link are answered alone. Without the lengths of our
    /// prefixes the usual ones stand for them, 64 bits and 16 of IPv4.
    private func isNeighbour(_ address: IPAddress) -> Bool {
        if address.isLinkLocal || address.isLoopback { return true }
        return addresses.contains { own in
            guard own.isIPv4 == address.isIPv4 else { return false }
            for index in 0..<(own.isIPv4 ? 14 : 8) where own.octets[index] != address.octets[index]
            {
                return false
            }
            return true
        }
    }
}

/// The questions of one message that are about us.
struct MDNSHeardQuery {
    var answers: [(record: MDNSOwnRecord, prefersUnicast: Bool)] = []
    /// Those that have answers, to be repeated in a legacy answer.
    var questions: [(name: DomainName, type: DNSType)] = []

    mutating func read(
        _ reader: inout DNSReader, held: [MDNSOwnRecord]
    ) throws(DNSError) {
        var seen: Set<MDNSOwnRecord> = []
        var left = Limits.mdnsQuestionsPerMessage
        while left > 0, let question = try reader.nextQuestion() {
            left -= 1
            var types: MDNSRecordTypes = []
            var found: [MDNSOwnRecord] = []
            for record in held where record.name.isEqual(to: question.name) {
                if let type = record.known?.type { types.insert(type) }
                if record.answers(question) { found.append(record) }
            }
            guard !types.isEmpty else { continue }
            let name = DomainName(question.name)
            if found.isEmpty, question.isInternet, !types.contains(.ptr) {
                found = [MDNSOwnRecord(name, nothingBut: types)]
            }
            questions.append((name, question.type))
            for record in found where seen.insert(record).inserted {
                answers.append((record, question.prefersUnicast))
            }
        }
    }
}

extension JitterSource {
    /// 0 ... bound.
    fileprivate mutating func upTo(_ bound: Int) -> Int { Int(next() % UInt64(bound + 1)) }
}

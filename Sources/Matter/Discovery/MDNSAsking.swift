internal import Base

extension MDNSTable {
    /// The queries that are due now, the same questions on each interface; what each interface
    /// has answered already is listed on it alone.
    mutating func ask(
        on interfaces: [UInt32], prefersUnicast: Bool, at now: Instant
    ) -> [MDNSTransmit] {
        var questions: [Question] = []
        for index in places.indices {
            let place = places[index]
            guard !place.wanted.isEmpty, place.nextAsk <= now else { continue }
            guard questions.count + MDNSRecordTypes.wire.count <= Limits.mdnsQuestionsPerRound
            else { break }
            for (type, number) in MDNSRecordTypes.wire where place.wanted.contains(type) {
                // RFC 6762 §5.4: unicast where nothing is known yet, so that others need not hear.
                let isNew = place.isFirstAsk && (type == .ptr || !place.holds(type))
                questions.append(
                    Question(place: index, type: number, prefersUnicast: isNew && prefersUnicast))
            }
            asked(at: index, now: now)
        }
        var transmits: [MDNSTransmit] = []
        for interface in interfaces {
            var rest = questions[...]
            while !rest.isEmpty { transmits.append(query(&rest, on: interface, at: now)) }
        }
        return transmits
    }

    private struct Question {
        let place: Int
        let type: DNSType
        let prefersUnicast: Bool
    }

    /// One message with as many of the questions as fit, and then known answers while they fit.
    private func query(
        _ rest: inout ArraySlice<Question>, on interface: UInt32, at now: Instant
    ) -> MDNSTransmit {
        var payload = [UInt8](repeating: 0, count: Limits.datagramBytes)
        var writer = DNSWriter(payload.mutableSpan, flags: DNSHeader.query)
        var listings: [Int] = []
        do throws(DNSError) {
            while let question = rest.first {
                let name = places[question.place].name
                try writer.question(
                    name.name, question.type, prefersUnicast: question.prefersUnicast)
                if question.type == .ptr { listings.append(question.place) }
                rest.removeFirst()
            }
        } catch {
            precondition(writer.questionCount > 0, "the longest question fits an empty message")
        }
        do throws(DNSError) {
            for index in listings {
                try knownAnswers(of: places[index], on: interface, at: now, into: &writer)
            }
        } catch {
            // Full: what is not listed is merely answered once more (RFC 6762 §7.1).
        }
        let count = writer.count
        payload.removeLast(payload.count - count)
        return MDNSTransmit(payload: payload, interface: interface)
    }

    private func knownAnswers(
        of place: MDNSPlace, on interface: UInt32, at now: Instant, into writer: inout DNSWriter
    ) throws(DNSError) {
        for record in place.records
        where record.interface == interface && record.isWorthListing(at: now) {
            guard case .ptr(let instance) = record.data else { continue }
            let left = (record.end - now).nanoseconds / 1_000_000_000
            try writer.record(
                DNSRecord(
                    place.name.name, .ptr(instance.name), timeToLiveSeconds: UInt32(left),
                    flushesCache: false))
        }
    }
}

internal import Base

/// Writes responses, as many as their records need.
struct MDNSResponseWriter {
    let destination: MDNSResponse.Destination
    /// Of all records; nil is each one's own. 0 says goodbye.
    var lifeSeconds: UInt32?
    /// For an asker that knows nothing of multicast (RFC 6762 §6.7): its id and questions.
    var legacy: (id: UInt16, questions: [(name: DomainName, type: DNSType)])?

    /// RFC 6762 §6.7: such an asker is to ask again soon.
    private static let legacyLifeSeconds: UInt32 = 10

    func messages(_ answers: [MDNSOwnRecord]) -> [MDNSResponse] { messages(answers, []).responses }

    /// - Returns: the responses and the records that are in them: all answers, and the additional
    ///   ones for which the last response has room.
    func messages(
        _ answers: [MDNSOwnRecord], _ additionals: [MDNSOwnRecord]
    ) -> (responses: [MDNSResponse], written: [MDNSOwnRecord]) {
        var responses: [MDNSResponse] = []
        var rest = answers[...]
        var extras = additionals[...]
        while !rest.isEmpty {
            responses.append(message(&rest, &extras))
        }
        return (responses, answers + additionals.prefix(additionals.count - extras.count))
    }

    private func message(
        _ answers: inout ArraySlice<MDNSOwnRecord>, _ extras: inout ArraySlice<MDNSOwnRecord>
    ) -> MDNSResponse {
        var payload = [UInt8](repeating: 0, count: Limits.datagramBytes)
        var writer = DNSWriter(
            payload.mutableSpan, flags: DNSHeader.response, id: legacy?.id ?? 0)
        let count = answers.count
        do throws(DNSError) {
            for (name, type) in legacy?.questions ?? [] { try writer.question(name.name, type) }
            while let record = answers.first {
                try write(record, .answer, into: &writer)
                answers.removeFirst()
            }
            while let record = extras.first {
                try write(record, .additional, into: &writer)
                extras.removeFirst()
            }
        } catch {
            // Full: answers go on in the next message, additional records are asked for if needed.
            precondition(
                answers.count < count || legacy != nil, "the longest record fits a message")
            if legacy != nil { answers = [] }
        }
        let size = writer.count
        payload.removeLast(payload.count - size)
        return MDNSResponse(payload: payload, destination: destination)
    }

    private func write(
        _ record: MDNSOwnRecord, _ section: DNSSection, into writer: inout DNSWriter
    ) throws(DNSError) {
        var life = lifeSeconds ?? record.timeToLiveSeconds
        if legacy != nil { life = min(life, Self.legacyLifeSeconds) }
        // RFC 6762 §10.2: never in a legacy answer.
        let flushes = !record.isShared && legacy == nil
        switch record.data {
        case .known(.ptr(let target)):
            try writer.record(
                DNSRecord(
                    record.name.name, .ptr(target.name), timeToLiveSeconds: life,
                    flushesCache: flushes, section: section))
        case .known(.srv(let port, let host)):
            try writer.record(
                DNSRecord(
                    record.name.name, .srv(DNSService(target: host.name, port: port)),
                    timeToLiveSeconds: life, flushesCache: flushes, section: section))
        case .known(.txt(let octets)):
            guard let text = DNSText(octets.span) else { preconditionFailure("our own strings") }
            try writer.record(
                DNSRecord(
                    record.name.name, .txt(text), timeToLiveSeconds: life,
                    flushesCache: flushes, section: section))
        case .known(.address(let address)):
            try writer.record(
                DNSRecord(
                    record.name.name, Self.data(address), timeToLiveSeconds: life,
                    flushesCache: flushes, section: section))
        case .nothingBut(let types):
            let octets = Self.denial(record.name, types)
            try writer.record(
                DNSRecord(
                    record.name.name, .other(.nsec, octets.span), timeToLiveSeconds: life,
                    flushesCache: flushes, section: section))
        }
    }

    @_lifetime(immortal)
    private static func data(_ address: IPAddress) -> DNSRecordData {
        guard address.isIPv4 else { return .aaaa(address.octets) }
        var octets = FixedBytes<4>()
        for index in 0..<4 { octets[index] = address.octets[12 + index] }
        return .a(octets)
    }

    /// RFC 6762 §6.1: the name itself, window 0, and a bit for each type that there is.
    private static func denial(_ name: DomainName, _ types: MDNSRecordTypes) -> [UInt8] {
        var bits: [UInt8] = []
        for (type, number) in MDNSRecordTypes.wire where types.contains(type) {
            let place = Int(number.rawValue / 8)
            while bits.count <= place { bits.append(0) }
            bits[place] |= 0x80 >> UInt8(number.rawValue % 8)
        }
        return name.octets + [0, UInt8(bits.count)] + bits
    }
}

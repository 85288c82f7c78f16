import Base
import Matter

/// DNS messages written octet by octet, on purpose not by the codec under test.
struct MDNSPacket {
    private var flags: UInt16
    private var questions: [[UInt8]] = []
    private var answers: [[UInt8]] = []
    private var authorities: [[UInt8]] = []
    private var additionals: [[UInt8]] = []

    init(flags: UInt16 = 0x8400) { self.flags = flags }

    var octets: [UInt8] {
        let counts = [questions.count, answers.count, authorities.count, additionals.count]
        var octets = Self.big(0) + Self.big(Int(flags))
        for count in counts { octets += Self.big(count) }
        return octets + (questions + answers + authorities + additionals).flatMap { $0 }
    }

    func ptr(_ name: String, _ target: String, ttl: Int = 4500) -> MDNSPacket {
        record(name, 12, Self.name(target), ttl: ttl, flush: false)
    }

    func srv(
        _ name: String, _ host: String, port: Int = 5540, ttl: Int = 120, flush: Bool = true
    ) -> MDNSPacket {
        let data = Self.big(0) + Self.big(0) + Self.big(port) + Self.name(host)
        return record(name, 33, data, ttl: ttl, flush: flush)
    }

    func txt(_ name: String, _ strings: [String], ttl: Int = 4500) -> MDNSPacket {
        let data = strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        return record(name, 16, data.isEmpty ? [0] : data, ttl: ttl)
    }

    func address(
        _ name: String, _ text: String, ttl: Int = 120, flush: Bool = true
    ) -> MDNSPacket {
        guard let address = IPAddress(text) else { fatalError("no address: \(text)") }
        let octets = [UInt8](address.octets)
        return address.isIPv4
            ? record(name, 1, Array(octets[12...]), ttl: ttl, flush: flush)
            : record(name, 28, octets, ttl: ttl, flush: flush)
    }

    /// - Parameter length: what the record says about its data, when that is a lie.
    func record(
        _ name: String, _ type: Int, _ data: [UInt8], ttl: Int = 120, flush: Bool = true,
        length: Int? = nil, additional: Bool = false
    ) -> MDNSPacket {
        var copy = self
        var octets = Self.name(name) + Self.big(type) + Self.big(flush ? 0x8001 : 1)
        octets += Self.big(ttl >> 16) + Self.big(ttl & 0xFFFF)
        octets += Self.big(length ?? data.count) + data
        if additional { copy.additionals.append(octets) } else { copy.answers.append(octets) }
        return copy
    }

    func question(_ name: String, _ type: Int, unicast: Bool = false) -> MDNSPacket {
        var copy = self
        copy.questions.append(
            Self.name(name) + Self.big(type) + Self.big(unicast ? 0x8001 : 1))
        return copy
    }

    /// What who probes would like to have; its data is of no interest here.
    func authority(_ name: String, _ type: Int) -> MDNSPacket {
        var copy = self
        copy.authorities.append(
            Self.name(name) + Self.big(type) + Self.big(1) + Self.big(0) + Self.big(120)
                + Self.big(7) + [UInt8](repeating: 0, count: 7))
        return copy
    }

    static func name(_ text: String) -> [UInt8] {
        text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    private static func big(_ value: Int) -> [UInt8] {
        [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }
}

/// What a reader finds in a message, in plain values.
struct MDNSContent: Equatable {
    struct Question: Hashable {
        var name: String
        var type: UInt16
        var prefersUnicast: Bool
    }

    struct Record: Hashable {
        var name: String
        var type: UInt16
        var ttl: UInt32
        var flush: Bool
        var section: DNSSection
        var data: String
    }

    var questions: [Question] = []
    var records: [Record] = []

    init(_ message: [UInt8]) throws(DNSError) {
        var reader = try DNSReader(message.span)
        while let question = try reader.nextQuestion() {
            questions.append(
                Question(
                    name: Self.text(question.name), type: question.type.rawValue,
                    prefersUnicast: question.prefersUnicast))
        }
        while let record = try reader.nextRecord() {
            records.append(
                Record(
                    name: Self.text(record.name), type: record.data.type.rawValue,
                    ttl: record.timeToLiveSeconds, flush: record.flushesCache,
                    section: record.section, data: Self.text(record.data)))
        }
    }

    private static func text(_ name: borrowing DNSName) -> String {
        var parts: [String] = []
        var labels = name.labels
        while let label = labels.next() { parts.append(text(label)) }
        return parts.joined(separator: ".")
    }

    private static func text(_ octets: Span<UInt8>) -> String {
        String(decoding: [UInt8](octets), as: UTF8.self)
    }

    private static func text(_ data: DNSRecordData) -> String {
        switch data {
        case .ptr(let target): return text(target)
        case .srv(let service):
            return "\(service.priority) \(service.weight) \(service.port) \(text(service.target))"
        case .txt(let strings):
            var parts: [String] = []
            var entries = strings.entries
            while let entry = entries.next() {
                parts.append(text(entry.key) + (entry.hasValue ? "=" : "") + text(entry.value))
            }
            return parts.joined(separator: " ")
        case .a(let octets): return IPAddress(ipv4: octets).description
        case .aaaa(let octets): return IPAddress(octets).description
        case .other(_, let octets): return Hex.lower(octets)
        }
    }
}

/// Numbers that look random and are the same in each run.
struct Scatter {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// 0 ..< bound.
    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}

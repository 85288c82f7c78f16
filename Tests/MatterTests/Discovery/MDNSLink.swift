import Base
import Matter

/// A querier on a link that the test plays, with a clock that the test moves.
struct MDNSLink {
    var querier: MDNSQuerier
    private(set) var now = Instant(nanoseconds: 0)
    private(set) var sent: [(at: Instant, transmit: MDNSTransmit)] = []
    private(set) var events: [MDNSEvent] = []

    init(interfaces: [UInt32] = [2], prefersUnicast: Bool = true) {
        querier = MDNSQuerier(interfaces: interfaces, prefersUnicast: prefersUnicast)
    }

    var seconds: Double { Double(now.nanoseconds) / 1e9 }
    var found: [ServiceRecord] {
        events.compactMap { if case .found(let record, _) = $0 { record } else { nil } }
    }
    var updated: [ServiceRecord] {
        events.compactMap { if case .updated(let record, _) = $0 { record } else { nil } }
    }
    var removed: [ServiceRecord] {
        events.compactMap { if case .removed(let record, _) = $0 { record } else { nil } }
    }
    /// The seconds at which something was sent on the first interface.
    var sendTimes: [Double] {
        sent.filter { $0.transmit.interface == 2 }.map { Double($0.at.nanoseconds) / 1e9 }
    }
    /// All questions sent, as `name type`, with a mark for those that ask for unicast.
    var questions: [String] {
        sent.flatMap { message in
            let questions = (try? MDNSContent(message.transmit.payload))?.questions ?? []
            return questions.map { "\($0.name) \($0.type)\($0.prefersUnicast ? " QU" : "")" }
        }
    }

    mutating func browse(_ query: MDNSQuery) throws(DiscoveryError) {
        try querier.browse(query, at: now)
        drain()
    }

    mutating func hear(
        _ packet: MDNSPacket, from source: String = "[fe80::9%2]:5353", interface: UInt32 = 2
    ) throws(DNSError) {
        try hear(packet.octets, from: source, interface: interface)
    }

    mutating func hear(
        _ octets: [UInt8], from source: String = "[fe80::9%2]:5353", interface: UInt32 = 2
    ) throws(DNSError) {
        guard let address = SocketAddress(source) else { fatalError("no address: \(source)") }
        defer { drain() }
        try querier.receive(octets.span, from: address, interface: interface, at: now)
    }

    /// Moves the clock from deadline to deadline up to `seconds` from its start.
    mutating func run(to seconds: Double) {
        let end = Instant(nanoseconds: Int64(seconds * 1e9))
        var steps = 0
        while let deadline = querier.nextDeadline, deadline <= end {
            now = max(now, deadline)
            querier.advance(to: now)
            drain()
            steps += 1
            precondition(steps < 5000, "the querier asks for attention without end")
        }
        now = end
        querier.advance(to: now)
        drain()
    }

    mutating func forgetTrace() {
        sent = []
        events = []
    }

    mutating func drain() {
        while let transmit = querier.nextTransmit() { sent.append((now, transmit)) }
        while let event = querier.nextEvent() { events.append(event) }
    }
}

/// What a lamp with an open window says, in parts.
enum Lamp {
    static let service = "_matterc._udp.local"
    static let subtype = "_L3840._sub._matterc._udp.local"
    static let instance = "DD200C20D25AE5F7._matterc._udp.local"
    static let host = "02005E0053010000.local"
    static let name = "DD200C20D25AE5F7"

    /// Everything, listed under the service's own name.
    static func whole(_ empty: MDNSPacket = MDNSPacket(), ttl: Int = 120) -> MDNSPacket {
        empty.ptr(service, instance).srv(instance, host, ttl: ttl).txt(instance, ["D=3840"])
            .address(host, "fe80::1", ttl: ttl)
    }
}

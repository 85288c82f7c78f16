import Base
import Matter

/// A responder on a link that the test plays, with a clock that the test moves.
struct ResponderLink {
    var responder: MDNSResponder
    private(set) var now = Instant(nanoseconds: 0)
    private(set) var sent: [(at: Instant, response: MDNSResponse)] = []

    /// Of one host with two addresses, on interface 2.
    init(interfaces: [UInt32] = [2], seed: UInt64 = 1, addresses: [String] = Lamp.addresses) {
        responder = MDNSResponder(interfaces: interfaces, seed: seed)
        set(addresses)
    }

    mutating func set(_ addresses: [String], on interface: UInt32 = 2) {
        responder.set(
            addresses: addresses.compactMap { IPAddress($0) }, on: interface, at: now)
        drain()
    }

    mutating func publish(_ service: MDNSService) {
        responder.publish(service, at: now)
        drain()
    }

    mutating func withdraw(_ service: MDNSService) {
        responder.withdraw(service.instance, service.kind, at: now)
        drain()
    }

    mutating func ask(
        _ packet: MDNSPacket, from source: String = "[fe80::9%2]:5353", on interface: UInt32 = 2
    ) throws(DNSError) {
        try ask(packet.octets, from: source, on: interface)
    }

    mutating func ask(
        _ octets: [UInt8], from source: String = "[fe80::9%2]:5353", on interface: UInt32 = 2
    ) throws(DNSError) {
        guard let address = SocketAddress(source) else { fatalError("no address: \(source)") }
        defer { drain() }
        try responder.receive(octets.span, from: address, on: interface, at: now)
    }

    /// Moves the clock from deadline to deadline up to `seconds` from its start.
    mutating func run(to seconds: Double) {
        let end = Instant(nanoseconds: Int64(seconds * 1e9))
        var steps = 0
        while let deadline = responder.nextDeadline, deadline <= end {
            now = max(now, deadline)
            responder.advance(to: now)
            drain()
            steps += 1
            precondition(steps < 5000, "the responder asks for attention without end")
        }
        now = end
        responder.advance(to: now)
        drain()
    }

    mutating func forgetTrace() { sent = [] }

    private mutating func drain() {
        while let response = responder.nextTransmit() { sent.append((now, response)) }
    }

    var times: [Double] { sent.map { Double($0.at.nanoseconds) / 1e9 } }

    func contents() throws -> [MDNSContent] {
        try sent.map { try MDNSContent($0.response.payload) }
    }

    /// What was said, as `name type` or, for additional records, `+ name type`.
    func said() throws -> [String] {
        try contents().flatMap(\.records).map {
            ($0.section == .answer ? "" : "+ ") + "\($0.name) \($0.type)"
        }
    }
}

extension Lamp {
    static let addresses = ["fe80::1", "fd00::1"]

    /// The same lamp, as its own responder knows it.
    static func announced(mode: UInt8 = 1, host: String = "02005E0053010000") -> MDNSService {
        var text = CommissionableText(discriminator: 3840, commissioningMode: mode)
        text.vendorID = VendorID(0xFFF1)
        text.productID = ProductID(0x8001)
        text.deviceType = 256
        text.deviceName = "Kitchen lamp"
        text.sessionParameters = SessionParameters()
        return .commissionable(instance: 0xDD20_0C20_D25A_E5F7, host: host, port: 5540, text)
    }

    static func operational(_ node: UInt64) -> MDNSService {
        .operational(
            OperationalName(compressedFabricID: FixedBytes(), nodeID: NodeID(node)),
            host: "02005E0053010000", port: 5540)
    }
}

internal import Base
internal import Matter
internal import Simulation

/// Looks at every datagram between gateway and devices for what must never be on the wire.
struct WireCheck {
    private(set) var faults: [String] = []
    /// The message of each counter that was used, by who used it with whom in which session.
    private var used: [Direction: [UInt32: UInt64]] = [:]
    private var seen = 0

    private struct Direction: Hashable {
        let sender: SocketAddress
        let receiver: SocketAddress
        let session: UInt16
        /// Of a session without keys.
        let source: UInt64
        let destination: UInt64
    }

    /// A canary: sees a repeated counter where there is none.
    var isBroken = false

    mutating func look(at datagram: SimulatedDatagram) {
        guard !datagram.isMulticast, datagram.receiver.port != SimulatedMulticast.port,
            datagram.sender.port != SimulatedMulticast.port
        else { return }
        seen += 1
        if isBroken, seen == 40 { report("a canary sings", datagram) }
        var reader = ByteReader(datagram.bytes.span)
        guard let header = try? MessageHeader(&reader) else {
            return report("a datagram that is no message", datagram)
        }
        checkCounter(header, datagram)
        if header.sessionID == .unsecured { checkPlaintext(&reader, datagram) }
    }

    /// Core §4.6.1: a counter is used once; a retransmission is the same octets.
    private mutating func checkCounter(_ header: MessageHeader, _ datagram: SimulatedDatagram) {
        var destination: UInt64 = 0
        if case .node(let node) = header.destination { destination = node.rawValue }
        let direction = Direction(
            sender: datagram.sender, receiver: datagram.receiver,
            session: header.sessionID.rawValue, source: header.source?.rawValue ?? 0,
            destination: destination)
        let mark = Self.mark(datagram.bytes)
        let earlier = used[direction, default: [:]].updateValue(mark, forKey: header.counter)
        if let earlier, earlier != mark {
            report("counter \(header.counter) was used twice", datagram)
        }
    }

    /// Without keys nothing is said but handshakes. Core §4.14, §4.11.
    private mutating func checkPlaintext(_ reader: inout ByteReader, _ datagram: SimulatedDatagram)
    {
        guard let header = try? ProtocolHeader(&reader) else {
            return report("a message without a protocol header", datagram)
        }
        if header.protocolID != .secureChannel {
            report("protocol \(header.protocolID.rawValue) without keys", datagram)
        }
    }

    private mutating func report(_ text: String, _ datagram: SimulatedDatagram) {
        // The first tells enough.
        guard faults.count < 5 else { return }
        faults.append("datagram \(datagram.number): \(text)")
    }

    /// FNV-1a.
    private static func mark(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

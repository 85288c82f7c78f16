import Base
import Crypto
import Testing

@testable import Matter

/// A full table of sessions, each used one second after the one before it.
private struct FullTable {
    var layer = MessageLayer(jitterSeed: 1)
    var handles: [SessionHandle] = []

    static let address = PeerAddress.udp(
        SocketAddress(IPAddress(ipv4: FixedBytes()), port: 5540))

    /// - Parameters:
    ///   - oldest: a session that was used before all others.
    ///   - peer: the peer of the session of that number.
    init(oldest: Int = 0, peer: (Int) -> NodeID) throws {
        for number in 0..<Limits.sessions {
            let reserved = try layer.reserveSession(random: 0xABCD)
            establish(reserved, peer(number), at: number == oldest ? 0 : number + 1)
            handles.append(reserved.handle)
        }
    }

    mutating func establish(
        _ reserved: MessageLayer.ReservedSession, _ peer: NodeID, at seconds: Int
    ) {
        let keys = SessionKeys(
            Secret([UInt8](repeating: 7, count: 32).span), salt: Span(), info: "SessionKeys")
        layer.establish(
            reserved,
            SessionSecrets(
                keys: keys, localSessionID: reserved.id, peerSessionID: SessionID(9),
                peerParameters: SessionParameters()),
            isInitiator: true, local: NodeID(1), peer: peer, address: Self.address,
            counterRandom: 10, at: Instant(nanoseconds: Int64(seconds) * 1_000_000_000))
    }

    /// The numbers of the sessions that are gone.
    var evicted: [Int] { handles.indices.filter { !layer.isOpen(handles[$0]) } }
}

@Suite("MessageLayer: which session makes room")
struct SessionEvictionTests {
    @Test("the one that was silent the longest, and then the next")
    func leastRecentlyUsed() throws {
        var table = try FullTable { NodeID(UInt64($0) + 100) }
        #expect(table.evicted.isEmpty)
        _ = try table.layer.reserveSession(random: 1)
        #expect(table.evicted == [0])
        _ = try table.layer.openUnsecured(
            to: FullTable.address, ephemeral: NodeID(5), parameters: SessionParameters(),
            counterRandom: 1)
        #expect(table.evicted == [0, 1])
        #expect(table.layer.sessionCount == Limits.sessions)
    }

    @Test("first of all the oldest whose peer has a newer one; after PASE none is known to have")
    func superseded() throws {
        // 200 is newer than 150 and 90; 80 and 81 are PASE's.
        var table = try FullTable(oldest: 250) { number in
            switch number {
            case 90, 150, 200: NodeID(7)
            case 80, 81: .unspecified
            default: NodeID(UInt64(number) + 1000)
            }
        }
        var evicted: [Int] = []
        for expected in [90, 150, 250, 0] {
            _ = try table.layer.reserveSession(random: 1)
            evicted.append(expected)
            #expect(table.evicted == evicted.sorted())
        }
    }

    @Test("never one with an open exchange, nor one that a handshake is to fill")
    func busy() throws {
        var table = try FullTable { $0 < 4 ? NodeID(7) : NodeID(UInt64($0) + 100) }
        for number in [0, 1, 4] {
            _ = try table.layer.openExchange(on: table.handles[number], random: 1)
        }
        var reserved: [MessageLayer.ReservedSession] = []
        for _ in 0..<4 { reserved.append(try table.layer.reserveSession(random: 1)) }
        #expect(table.evicted == [2, 3, 5, 6])
        for _ in 4..<(Limits.sessions - 3) {
            reserved.append(try table.layer.reserveSession(random: 1))
        }
        #expect(throws: MessageError.noRoom) { try table.layer.reserveSession(random: 1) }
        for number in [0, 1, 4] { #expect(table.layer.isOpen(table.handles[number])) }
        #expect(reserved.allSatisfy { table.layer.isOpen($0.handle) })
    }

    @Test("§4.11.1.4 its peer is told that it is over")
    func told() throws {
        var table = try FullTable { NodeID(UInt64($0) + 100) }
        while table.layer.nextTransmit({ _, _ in }) {}
        _ = try table.layer.reserveSession(random: 1)
        var sent: [[UInt8]] = []
        while table.layer.nextTransmit({ bytes, _ in sent.append([UInt8](bytes)) }) {}
        #expect(sent.count == 1)
        // To session 9 of the peer.
        #expect(sent.first?[1...2] == [9, 0])
        #expect(table.layer.nextDeadline == nil)
    }

    @Test("a stranger's opening takes no session with keys")
    func stranger() throws {
        var table = try FullTable { NodeID(UInt64($0) + 100) }
        let datagram = try [UInt8](capacity: 64) { writer throws(ByteError) in
            var header = MessageHeader(sessionID: .unsecured, counter: 1)
            header.source = NodeID(3)
            try header.write(&writer)
            let message = ProtocolHeader(
                exchangeID: ExchangeID(1), protocolID: .secureChannel, opcode: 0x20,
                isFromInitiator: true)
            try message.write(&writer)
        }
        #expect(throws: MessageError.noRoom) {
            try table.layer.receive(
                datagram.span, from: FullTable.address, at: Instant(nanoseconds: 0))
        }
        #expect(table.evicted.isEmpty)
    }
}

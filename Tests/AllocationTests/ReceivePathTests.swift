import Base
import CAllocationCounter
import Crypto
import Testing

@testable import Matter

/// What a subscription costs: a report comes, its value is taken, an answer goes.
private enum ReceivePath {
    static let address = PeerAddress.udp(
        SocketAddress(IPAddress(ipv4: FixedBytes()), port: 5540))
    /// A temperature of 21.50 °C at 2/temperature-measurement/measured-value.
    static let report = """
        15 2600 01000000 3601 15 3501 2600 05000000 3701 2402 02 2503 0204 2404 00 18
        2102 6608 18 18 18 24ff 0c 18
        """

    static func session(
        in layer: inout MessageLayer, isInitiator: Bool, at now: Instant
    ) throws -> SessionHandle {
        let secret = Secret([UInt8](repeating: 7, count: 32).span)
        let place = try layer.reserveSession(random: 1)
        let secrets = SessionSecrets(
            keys: SessionKeys(secret, salt: Span(), info: "SessionKeys"),
            localSessionID: place.id, peerSessionID: place.id,
            peerParameters: SessionParameters())
        layer.establish(
            place, secrets, isInitiator: isInitiator, local: NodeID(1), peer: NodeID(1),
            address: address, counterRandom: 1, at: now)
        return place.handle
    }

    /// The device reports, unasked.
    static func makeReport(
        _ device: inout MessageLayer, _ session: SessionHandle, _ report: [UInt8], at now: Instant
    ) throws -> [UInt8] {
        let exchange = try device.openExchange(on: session, random: 9)
        try device.send(on: exchange, .interactionModel, opcode: 5, report.span, at: now)
        var datagram: [UInt8] = []
        while device.nextTransmit({ bytes, _ in datagram = [UInt8](bytes) }) {}
        device.abandon(exchange)
        return datagram
    }

    /// Receives, decrypts, tells the subscription, takes the report's number, answers and
    /// acknowledges.
    static func receive(
        _ datagram: [UInt8], by gateway: inout MessageLayer, for subscription: inout Subscription,
        at now: Instant
    ) throws -> (value: Int, allocations: UInt64) {
        let before = allocation_count()
        guard let received = try gateway.receive(datagram.span, from: address, at: now) else {
            return (0, .max)
        }
        guard case .done(let answer?) = try subscription.receive(gateway.payload, at: now) else {
            return (0, .max)
        }
        let value = try number(in: gateway.payload)
        try gateway.send(
            on: received.exchange, .interactionModel, opcode: answer.opcode.rawValue,
            answer.payload.span, at: now)
        while gateway.nextTransmit({ _, _ in }) {}
        gateway.abandon(received.exchange)
        return (value, allocation_count() - before)
    }

    private static func number(in payload: Span<UInt8>) throws -> Int {
        var reader = try ReportDataReader(payload)
        var sum = 0
        while let attribute = try reader.next() {
            guard case .data(let value) = attribute.value else { continue }
            var element = TLVReader(value)
            sum += try element.require().integer(as: Int.self)
        }
        return sum
    }
}

@Suite("Heap allocations")
struct ReceivePathTests {
    @Test("the counter counts")
    func counter() {
        let before = allocation_count()
        let array = [UInt8](repeating: 1, count: Int(before % 7) + 100)
        #expect(allocation_count() > before)
        #expect(array.count >= 100)
    }

    /// Counted in optimised code; without optimisation generics and spans cost some.
    @Test("receiving a report, taking its value and answering allocates nothing once warm")
    func receivePath() throws {
        let now = Instant(nanoseconds: 1_000_000_000)
        var gateway = MessageLayer(jitterSeed: 1)
        var device = MessageLayer(jitterSeed: 2)
        _ = try ReceivePath.session(in: &gateway, isInitiator: true, at: now)
        let session = try ReceivePath.session(in: &device, isInitiator: false, at: now)
        let report = try #require(Hex.decode(ReceivePath.report))
        var subscription = Subscription(id: 1, responseTime: .seconds(38))
        let response = SubscribeResponse {
            $0.subscriptionID = 1
            $0.maxIntervalSeconds = 600
        }
        subscription.confirm(response, at: now)
        var counts: [UInt64] = []
        counts.reserveCapacity(100)
        for _ in 0..<100 {
            let datagram = try ReceivePath.makeReport(&device, session, report, at: now)
            let taken = try ReceivePath.receive(
                datagram, by: &gateway, for: &subscription, at: now)
            #expect(taken.value == 2150)
            counts.append(taken.allocations)
        }
        #if !DEBUG
            let warm = counts.suffix(50).max()
            #expect(warm == 0)
        #endif
    }
}

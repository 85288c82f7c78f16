import Base

@testable import Matter

/// A central and a peripheral joined in memory; each packet arrives at once.
struct BTPPair {
    var central: BTPCentral
    var peripheral: BTPPeripheral
    var now = Instant(nanoseconds: 1_000)
    /// Packets, in the order in which they went.
    var toPeripheral: [[UInt8]] = []
    var toCentral: [[UInt8]] = []
    var receivedByPeripheral: [[UInt8]] = []
    var receivedByCentral: [[UInt8]] = []
    var centralClosure: BTPClosure?
    var peripheralClosure: BTPClosure?

    init(attMTU: Int = 247, window: UInt8 = 6) {
        central = BTPCentral(attMTU: attMTU, window: window, at: now)
        peripheral = BTPPeripheral(attMTU: attMTU, window: window, at: now)
    }

    /// A pair after the handshake; nothing is acknowledged yet.
    static func connected(attMTU: Int = 247, window: UInt8 = 6) throws(BTPError) -> BTPPair {
        var pair = BTPPair(attMTU: attMTU, window: window)
        pair.peripheral.subscribe(at: pair.now)
        _ = try pair.stepCentral()
        _ = try pair.stepPeripheral()
        return pair
    }

    /// One packet of the central's, if it has one.
    mutating func stepCentral() throws(BTPError) -> Bool {
        var packet: [UInt8]?
        guard central.nextTransmit({ packet = [UInt8]($0) }), let packet else { return false }
        toPeripheral.append(packet)
        try peripheral.receive(packet.span, at: now)
        drain()
        return true
    }

    mutating func stepPeripheral() throws(BTPError) -> Bool {
        var packet: [UInt8]?
        guard peripheral.nextTransmit({ packet = [UInt8]($0) }), let packet else { return false }
        toCentral.append(packet)
        try central.receive(packet.span, at: now)
        drain()
        return true
    }

    /// Until neither has anything to send, at most `limit` packets each.
    mutating func exchange(limit: Int = 1_000) throws(BTPError) -> Int {
        var count = 0
        var isBusy = true
        while isBusy, count < limit {
            let first = try stepCentral()
            let second = try stepPeripheral()
            isBusy = first || second
            count += (first ? 1 : 0) + (second ? 1 : 0)
        }
        return count
    }

    /// Time passes up to the next deadline of either.
    mutating func advance() {
        let next = [central.nextDeadline, peripheral.nextDeadline].compactMap { $0 }.min()
        if let next { advance(to: next) }
    }

    mutating func advance(to instant: Instant) {
        now = instant
        central.advance(to: now)
        peripheral.advance(to: now)
        drain()
    }

    private mutating func drain() {
        switch central.nextEvent() {
        case .message: receivedByCentral.append([UInt8](central.message))
        case .closed(let closure): centralClosure = closure
        case .connected, nil: break
        }
        switch peripheral.nextEvent() {
        case .message: receivedByPeripheral.append([UInt8](peripheral.message))
        case .closed(let closure): peripheralClosure = closure
        case .connected, nil: break
        }
    }

    static func message(_ count: Int, seed: Int = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed) }
    }
}

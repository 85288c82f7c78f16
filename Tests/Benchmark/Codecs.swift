import Base
import CAllocationCounter
import Matter

/// Two ends of BTP, back to back.
struct BTPPair {
    private var central: BTPCentral
    private var peripheral: BTPPeripheral
    private let now = Instant(nanoseconds: 0)
    private(set) var segments = 0

    init(attMTU: Int) throws {
        central = BTPCentral(attMTU: attMTU, at: now)
        peripheral = BTPPeripheral(attMTU: attMTU, at: now)
        peripheral.subscribe(at: now)
        try pump()
    }

    /// A message goes each way, in segments with their acknowledgements.
    mutating func exchange(_ message: [UInt8]) throws -> Bool {
        let areSent = (central.send(message.span, at: now), peripheral.send(message.span, at: now))
        try pump()
        let arrived = (central.nextEvent(), peripheral.nextEvent())
        return areSent == (true, true) && arrived == (.message, .message)
    }

    private mutating func pump() throws(BTPError) {
        var fault: BTPError?
        let instant = now
        var isBusy = true
        while isBusy {
            let wrote = central.nextTransmit { bytes in
                do throws(BTPError) {
                    try peripheral.receive(bytes, at: instant)
                } catch { fault = error }
            }
            let indicated = peripheral.nextTransmit { bytes in
                do throws(BTPError) {
                    try central.receive(bytes, at: instant)
                } catch { fault = error }
            }
            segments += (wrote ? 1 : 0) + (indicated ? 1 : 0)
            isBusy = wrote || indicated
            if let fault { throw fault }
        }
    }
}

extension Benchmark {
    /// Through segmentation and reassembly on both sides; the radio takes 10,000 times as long.
    static func bluetooth() throws {
        let message = [UInt8](repeating: 7, count: 1200)
        for attMTU in [23, 247] {
            var pair = try BTPPair(attMTU: attMTU)
            var least = Double.infinity
            for _ in 0..<rounds {
                least = min(least, try time(10) { try pair.exchange(message) })
            }
            let octets = Double(2 * message.count)
            row("BTP, ATT_MTU \(attMTU): octets each second", octets / least * 1000, "MB/s")
            let segments = pair.segments
            let allocations = try leastAllocations { try pair.exchange(message) }
            row(
                "allocations for a BTP segment, ATT_MTU \(attMTU)",
                Double(allocations) * Double(rounds) / Double(pair.segments - segments), "", 0)
        }
    }

    /// Of one call, once warm.
    static func leastAllocations(_ body: () throws -> Bool) rethrows -> UInt64 {
        var least = UInt64.max
        for _ in 0..<rounds {
            let before = allocation_count()
            let isGood = try body()
            least = min(least, allocation_count() - before)
            precondition(isGood, "what is measured must work")
        }
        return least
    }

    /// A report's structure of 100 numbers.
    static func tlv() throws {
        let count = 100
        var buffer = [UInt8](repeating: 0, count: 1024)
        var octets = 0
        func encode() throws -> Bool {
            var writer = TLVWriter(buffer.mutableSpan)
            for number in 0..<count {
                try writer.unsigned(UInt64(number * 37), tag: .context(UInt8(number)))
            }
            octets = writer.count
            return octets > count
        }
        func decode() throws -> Bool {
            var reader = TLVReader(buffer.span.extracting(0..<octets), in: .structure)
            var sum = 0
            while let element = try reader.next() { sum += try element.integer(as: Int.self) }
            return sum == 37 * count * (count - 1) / 2
        }
        var least = (encode: Double.infinity, decode: Double.infinity)
        for _ in 0..<rounds {
            least.encode = min(least.encode, try time(10, encode))
            least.decode = min(least.decode, try time(10, decode))
        }
        row("TLV, encoding an element", least.encode / Double(count), "ns")
        row("TLV, decoding an element", least.decode / Double(count), "ns")
        let allocations = try leastAllocations { try encode() && decode() }
        row("allocations for TLV", Double(allocations), "", 0)
    }
}

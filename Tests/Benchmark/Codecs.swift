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
            let (segments, allocations) = (pair.segments, allocation_count())
            for _ in 0..<100 { _ = try pair.exchange(message) }
            row(
                "allocations for a BTP segment, ATT_MTU \(attMTU)",
                Double(allocation_count() - allocations) / Double(pair.segments - segments), "",
                0)
        }
    }

    /// A report's structure of 100 numbers.
    static func tlv() throws {
        let count = 100
        var buffer = [UInt8](repeating: 0, count: 1024)
        var least = (encode: Double.infinity, decode: Double.infinity)
        var octets = 0
        let allocations = allocation_count()
        for _ in 0..<rounds {
            least.encode = min(
                least.encode,
                try time(10) {
                    var writer = TLVWriter(buffer.mutableSpan)
                    for number in 0..<count {
                        try writer.unsigned(
                            UInt64(number * 37), tag: .context(UInt8(number)))
                    }
                    octets = writer.count
                    return octets > count
                })
            least.decode = min(
                least.decode,
                try time(10) {
                    var reader = TLVReader(
                        buffer.span.extracting(0..<octets), in: .structure)
                    var sum = 0
                    while let element = try reader.next() {
                        sum += try element.integer(as: Int.self)
                    }
                    return sum == 37 * count * (count - 1) / 2
                })
        }
        row("TLV, encoding an element", least.encode / Double(count), "ns")
        row("TLV, decoding an element", least.decode / Double(count), "ns")
        row("allocations for TLV", Double(allocation_count() - allocations), "", 0)
    }
}

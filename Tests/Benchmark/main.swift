import Base
import CAllocationCounter
import Crypto
import Matter

/// The protocol's own cost, in this process: a line of JSON for each row of `scripts/bench`.
///
/// Where two sides are compared they take turns, and the least of many rounds counts: what
/// else the machine does can only add.
enum Benchmark {
    static let rounds = 300

    /// Nanoseconds of one of `count` calls.
    static func time(_ count: Int, _ body: () throws -> Bool) rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        for _ in 0..<count {
            let isGood = try body()
            precondition(isGood, "what is measured must work")
        }
        let passed = (clock.now - start).components
        return (Double(passed.seconds) * 1e9 + Double(passed.attoseconds) / 1e9) / Double(count)
    }

    static func compare(
        _ count: Int, _ ours: () throws -> Bool, _ bare: () throws -> Bool
    ) rethrows -> (ours: Double, bare: Double) {
        var least = (ours: Double.infinity, bare: Double.infinity)
        for _ in 0..<rounds {
            least.ours = min(least.ours, try time(count, ours))
            least.bare = min(least.bare, try time(count, bare))
        }
        return least
    }

    static func row(_ name: String, _ value: Double, _ unit: String, _ budget: Double? = nil) {
        let limit = budget.map { "\($0)" } ?? "null"
        print(
            #"{"name": "\#(name)", "value": \#(value), "unit": "\#(unit)", "budget": \#(limit)}"#)
    }

    /// What a message costs on its whole way: exchange, header, window of counters, sealing and
    /// opening; so its ratio is not that of sealing alone.
    static func messages(_ pair: inout Pair) throws {
        var conversation = try Conversation(&pair)
        let cipher = AESCCM(key: [UInt8](repeating: 7, count: 16).span)
        let header = [UInt8](repeating: 1, count: 8)
        for size in [64, 256, 1200] {
            let payload = [UInt8](repeating: 3, count: size)
            // The protocol header is sealed too.
            let plain = [UInt8](repeating: 3, count: size + 6)
            var sealed = [UInt8](repeating: 0, count: plain.count + AESCCM.tagBytes)
            var opened = plain
            let times = try compare(
                100, { try conversation.carry(payload) },
                {
                    var output = sealed.mutableSpan
                    cipher.seal(
                        plain.span, nonce: FixedBytes(), authenticating: header.span,
                        into: &output)
                    var back = opened.mutableSpan
                    try cipher.open(
                        sealed.span, nonce: FixedBytes(), authenticating: header.span,
                        into: &back)
                    return true
                })
            row("message of \(size) octets, sent and received", times.ours, "ns")
            row("all of it over AES-CCM of \(size) octets", times.ours / times.bare, "")
            let before = allocation_count()
            _ = try conversation.carry(payload)
            let allocations = allocation_count() - before
            row("allocations for a message of \(size) octets", Double(allocations), "", 0)
        }
    }

    static func handshake(_ pair: inout Pair) throws {
        let message = [UInt8](repeating: 5, count: 400)
        var other = pair
        var own = pair
        let times = try compare(
            1,
            {
                _ = try own.shakeHands(SessionID(1), SessionID(2))
                return true
            }, { try other.operateAlone(message) })
        row("CASE, both sides", times.ours / 1000, "µs")
        row("CASE over its operations on the curve alone", times.ours / times.bare, "")
    }
}

var pair = Pair()
try Benchmark.messages(&pair)
try Benchmark.handshake(&pair)
try Benchmark.bluetooth()
try Benchmark.tlv()

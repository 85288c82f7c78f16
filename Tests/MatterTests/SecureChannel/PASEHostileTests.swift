import Base
import Crypto
import Matter
import Testing

/// Each message of a run, cut, altered, replaced and repeated.
@Suite("PASE, hostile peers")
struct PASEHostileTests {
    /// The opcodes of a run in their order; odd numbers go to the responder.
    static let order: [SecureChannelOpcode] = [
        .pbkdfParamRequest, .pbkdfParamResponse, .pake1, .pake2, .pake3, .statusReport,
    ]

    /// A pair in which the `number`th message is under way.
    private func pair(before number: Int) throws -> (PASEPair, HandshakeMessage) {
        var pair = PASEPair()
        let message = try pair.message(number)
        #expect(message.opcode == Self.order[number - 1])
        return (pair, message)
    }

    @Test("every truncation of every message throws", arguments: 1...6)
    func truncations(number: Int) throws {
        let (pair, message) = try pair(before: number)
        for count in message.payload.indices {
            var pair = pair
            let cut = HandshakeMessage(
                opcode: message.opcode, payload: [UInt8](message.payload[..<count]))
            #expect(throws: PASEError.self) { try pair.deliver(cut, as: number) }
        }
    }

    @Test("octets behind a message throw", arguments: 1...6)
    func trailing(number: Int) throws {
        var (pair, message) = try pair(before: number)
        message = HandshakeMessage(opcode: message.opcode, payload: message.payload + [0])
        if number < 6 {
            #expect(throws: PASEError.malformed(.trailingBytes(at: message.payload.count - 1))) {
                try pair.deliver(message, as: number)
            }
        } else {
            // A report may carry data, also one of success.
            let step = try pair.deliver(message, as: number)
            #expect(step.secrets != nil)
        }
    }

    @Test("no altered bit of any message leads to a session", arguments: 1...6)
    func bitFlips(number: Int) throws {
        let (pair, message) = try pair(before: number)
        for bit in 0..<(message.payload.count * 8) {
            var pair = pair
            var current = HandshakeMessage(
                opcode: message.opcode, payload: message.payload.flippingBit(bit))
            var established = 0
            do throws(PASEError) {
                for next in number...6 {
                    let step = try pair.deliver(current, as: next)
                    if step.secrets != nil { established += 1 }
                    guard let answer = step.message else { break }
                    current = answer
                }
            } catch {
                continue
            }
            Issue.record("bit \(bit) of message \(number): \(established) sides established")
        }
    }

    @Test("a message that has no place throws, whatever is in it", arguments: 1...6)
    func unexpected(number: Int) throws {
        let (pair, message) = try pair(before: number)
        for opcode in opcodes where opcode != Self.order[number - 1] {
            var pair = pair
            let wrong = HandshakeMessage(opcode: opcode, payload: message.payload)
            #expect(throws: PASEError.unexpected(opcode)) {
                try pair.deliver(wrong, as: number)
            }
        }
    }

    @Test("a status report ends the handshake at each point", arguments: 1...6)
    func statusReports(number: Int) throws {
        let (pair, _) = try pair(before: number)
        for report in refusals {
            var pair = pair
            #expect(throws: PASEError.statusReport(report)) {
                try pair.deliver(HandshakeMessage(report), as: number)
            }
        }
        var other = pair
        #expect(throws: PASEError.busy(wait: .milliseconds(2500))) {
            try other.deliver(
                HandshakeMessage(.busy(wait: .milliseconds(2500))), as: number)
        }
        #expect(PASEError.busy(wait: .zero).reply == nil)
        #expect(PASEError.statusReport(.closeSession).reply == nil)
        guard number < 6 else { return }
        other = pair
        #expect(throws: PASEError.unexpected(.statusReport)) {
            try other.deliver(HandshakeMessage(.sessionEstablished), as: number)
        }
    }

    @Test("a payload that no datagram holds throws", arguments: 1...6)
    func oversized(number: Int) throws {
        var (pair, message) = try pair(before: number)
        message = HandshakeMessage(
            opcode: message.opcode, payload: [UInt8](repeating: 0, count: 1233))
        #expect(throws: PASEError.oversized(bytes: 1233)) {
            try pair.deliver(message, as: number)
        }
    }

    @Test("a message repeated within its run throws")
    func repeated() throws {
        for number in 1...4 {
            var (pair, message) = try pair(before: number)
            _ = try pair.deliver(message, as: number)
            #expect(throws: PASEError.unexpected(message.opcode)) {
                try pair.deliver(message, as: number)
            }
        }
    }

    @Test("messages of another run do not establish")
    func replayed() throws {
        for number in 2...5 {
            var other = PASEPair(seed: 99)
            let recorded = try other.message(number)
            var (pair, _) = try pair(before: number)
            var current = recorded
            var number = number
            do throws(PASEError) {
                while true {
                    let step = try pair.deliver(current, as: number)
                    if step.secrets != nil { Issue.record("message \(number) established") }
                    guard let answer = step.message else { break }
                    current = answer
                    number += 1
                }
            } catch { continue }
            Issue.record("a replay went unnoticed")
        }
    }
}

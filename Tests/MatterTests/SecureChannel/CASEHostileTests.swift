import Base
import Crypto
import Matter
import Testing

/// Each message of a run, cut, altered, replaced and repeated.
@Suite("CASE, hostile peers")
struct CASEHostileTests {
    /// The opcodes of a run in their order; odd numbers go to the responder.
    static let order: [SecureChannelOpcode] = [.sigma1, .sigma2, .sigma3, .statusReport]

    /// A pair in which the `number`th message is under way.
    private func pair(
        before number: Int, hasICAC: Bool = true, seed: UInt64 = 3
    ) throws -> (CASEPair, HandshakeMessage) {
        let fabric = TestFabric(hasICAC: hasICAC)
        var pair = CASEPair(
            fabric.credentials(node: 0x1001), [fabric.credentials(node: 0x2002)], seed: seed)
        let message = try pair.message(number)
        #expect(message.opcode == Self.order[number - 1])
        return (pair, message)
    }

    @Test("every truncation of every message throws", arguments: 1...4)
    func truncations(number: Int) throws {
        let (pair, message) = try pair(before: number)
        for count in message.payload.indices {
            var pair = pair
            let cut = HandshakeMessage(
                opcode: message.opcode, payload: [UInt8](message.payload[..<count]))
            #expect(throws: CASEError.self) { try pair.deliver(cut, as: number) }
        }
    }

    @Test("no altered bit of any message leads to a session", arguments: 1...4)
    func bitFlips(number: Int) throws {
        let (pair, message) = try pair(before: number, hasICAC: false)
        for bit in 0..<(message.payload.count * 8) {
            var pair = pair
            let flipped = HandshakeMessage(
                opcode: message.opcode, payload: message.payload.flippingBit(bit))
            do throws(CASEError) { _ = try pair.run(flipped, as: number) } catch { continue }
            Issue.record("bit \(bit) of message \(number) went unnoticed")
        }
    }

    @Test("a message that has no place throws, whatever is in it", arguments: 1...4)
    func unexpected(number: Int) throws {
        let (pair, message) = try pair(before: number)
        for opcode in opcodes where opcode != Self.order[number - 1] {
            var pair = pair
            let wrong = HandshakeMessage(opcode: opcode, payload: message.payload)
            #expect(throws: CASEError.unexpected(opcode)) {
                try pair.deliver(wrong, as: number)
            }
        }
    }

    @Test("a status report ends the handshake at each point", arguments: 1...4)
    func statusReports(number: Int) throws {
        let (pair, _) = try pair(before: number)
        for report in refusals {
            var pair = pair
            #expect(throws: CASEError.statusReport(report)) {
                try pair.deliver(HandshakeMessage(report), as: number)
            }
        }
        var other = pair
        #expect(throws: CASEError.busy(wait: .milliseconds(2500))) {
            try other.deliver(
                HandshakeMessage(.busy(wait: .milliseconds(2500))), as: number)
        }
        #expect(CASEError.busy(wait: .zero).reply == nil)
        #expect(CASEError.statusReport(.closeSession).reply == nil)
        guard number < 4 else { return }
        other = pair
        #expect(throws: CASEError.unexpected(.statusReport)) {
            try other.deliver(HandshakeMessage(.sessionEstablished), as: number)
        }
    }

    @Test("a payload that no datagram holds throws", arguments: 1...4)
    func oversized(number: Int) throws {
        var (pair, message) = try pair(before: number)
        message = HandshakeMessage(
            opcode: message.opcode, payload: [UInt8](repeating: 0, count: 1233))
        #expect(throws: CASEError.oversized(bytes: 1233)) {
            try pair.deliver(message, as: number)
        }
    }

    @Test("a message repeated within its run throws", arguments: 1...2)
    func repeated(number: Int) throws {
        var (pair, message) = try pair(before: number)
        _ = try pair.deliver(message, as: number)
        #expect(throws: CASEError.unexpected(message.opcode)) {
            try pair.deliver(message, as: number)
        }
    }

    @Test("messages of another run do not establish", arguments: 2...3)
    func replayed(number: Int) throws {
        let (_, recorded) = try pair(before: number, seed: 99)
        var (pair, _) = try pair(before: number)
        #expect(throws: CASEError.authenticationFailed) {
            try pair.deliver(recorded, as: number)
        }
    }

    @Test("a recorded Sigma1 leads to a Sigma2 of its own, and no further")
    func replayedSigma1() throws {
        let (_, recorded) = try pair(before: 1, seed: 99)
        var (pair, _) = try pair(before: 1)
        _ = try pair.deliver(recorded, as: 1)
        let (_, sigma3) = try self.pair(before: 3, seed: 99)
        #expect(throws: CASEError.authenticationFailed) { try pair.deliver(sigma3, as: 3) }
    }

    /// What is sealed, and why it is refused. Needs a peer that knows the IPK.
    private func sealedFaults() throws -> [([UInt8], CASEError?)] {
        var data = TBEData3()
        data.noc = Octets([0x15, 0x18])
        let empty = try data.tlv(capacity: 1000)
        data.noc = Octets([UInt8](repeating: 0x15, count: 401))
        let long = try data.tlv(capacity: 1000)
        data.noc = Octets(TestFabric().root.tlv())
        let root = try data.tlv(capacity: 1000)
        data.icac = Octets([1])
        let intermediate = try data.tlv(capacity: 1000)
        return [
            ([], .malformed(.truncated(at: 0))), ([0x15, 0x18], .malformed(.missing(tag: 1))),
            ([0xFF], nil), (empty + [0], nil), (empty, nil), (long, .certificate(.tooLong)),
            (root, .certificate(.wrongSubject(.node))), (intermediate, nil),
        ]
    }

    @Test("sealed data that opens and is false throws at the initiator")
    func falseData2() throws {
        for (plaintext, expected) in try sealedFaults() {
            var (pair, message) = try pair(before: 1)
            let sigma1 = try Sigma1(tlv: message.payload.span)
            let ephemeral = P256.PrivateKey.generate(using: &pair.random)
            let peerKey = try P256.PublicKey(sigma1.initiatorEphPubKey.span)
            var sigma2 = Sigma2()
            sigma2.responderSessionID = SessionID(1)
            sigma2.responderEphPubKey = ephemeral.publicKey.bytes
            let key = CASEKeys.sigma2(
                try ephemeral.sharedSecret(with: peerKey), ipk: TestFabric().ipk,
                responderRandom: sigma2.responderRandom,
                responderEphPubKey: sigma2.responderEphPubKey, sigma1: message.payload.span)
            // A resumption id makes the one that is whole a TBEData2.
            let whole =
                plaintext.count > 100
                ? plaintext.dropLast() + [0x30, 4, 16] + [UInt8](repeating: 1, count: 16) + [0x18]
                : plaintext
            sigma2.encrypted2 = Octets(CASESeal.sigma2.seal(whole.span, key: key))
            message = HandshakeMessage(opcode: .sigma2, payload: try sigma2.tlv(capacity: 1200))
            let met = error(&pair, message, 2)
            #expect(met != nil && met != .authenticationFailed)
            if let expected { #expect(met == expected) }
        }
    }

    @Test("sealed data that opens and is false throws at the responder")
    func falseData3() throws {
        for (plaintext, expected) in try sealedFaults() {
            var random = SeededRandom(seed: 77)
            let ephemeral = P256.PrivateKey.generate(using: &random)
            let fabric = TestFabric()
            var pair = CASEPair()
            var sigma1 = Sigma1()
            sigma1.initiatorSessionID = SessionID(1)
            sigma1.initiatorEphPubKey = ephemeral.publicKey.bytes
            sigma1.destinationID = FabricKeys.destinationID(
                ipk: fabric.ipk, initiatorRandom: sigma1.initiatorRandom,
                root: fabric.root.publicKey, fabricID: fabric.fabricID, nodeID: NodeID(0x2002))
            let first = HandshakeMessage(opcode: .sigma1, payload: try sigma1.tlv(capacity: 400))
            let second = try #require(try pair.deliver(first, as: 1).message)
            let sigma2 = try Sigma2(tlv: second.payload.span)
            let peerKey = try P256.PublicKey(sigma2.responderEphPubKey.span)
            let transcript = first.payload + second.payload
            let key = CASEKeys.sigma3(
                try ephemeral.sharedSecret(with: peerKey), ipk: fabric.ipk,
                transcript: transcript.span)
            var sigma3 = Sigma3()
            sigma3.encrypted3 = Octets(CASESeal.sigma3.seal(plaintext.span, key: key))
            let third = HandshakeMessage(opcode: .sigma3, payload: try sigma3.tlv(capacity: 1200))
            let met = error(&pair, third, 3)
            #expect(met != nil && met != .authenticationFailed)
            if let expected { #expect(met == expected) }
        }
    }

    private func error(
        _ pair: inout CASEPair, _ message: HandshakeMessage, _ number: Int
    ) -> CASEError? {
        do throws(CASEError) {
            _ = try pair.deliver(message, as: number)
            return nil
        } catch { return error }
    }
}

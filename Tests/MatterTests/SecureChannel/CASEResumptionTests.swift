import Base
import Crypto
import Matter
import Testing

@Suite("CASE, resumption")
struct CASEResumptionTests {
    /// Two sides that had a session before.
    struct Acquainted {
        let ours: SessionSecrets
        let theirs: SessionSecrets
        let ourResumption: SessionResumption
        let theirResumption: SessionResumption

        init() throws {
            (ours, theirs) = try CASEPair.establish(CASEPair())
            ourResumption = try #require(ours.resumption)
            theirResumption = try #require(theirs.resumption)
        }

        func pair(
            ours: SessionResumption? = nil, theirs: [SessionResumption]? = nil, seed: UInt64 = 5
        ) -> CASEPair {
            CASEPair(
                resumption: ours ?? ourResumption, resumptions: theirs ?? [theirResumption],
                seed: seed)
        }
    }

    @Test("§4.14.2.2 a known peer is met again without certificates, and again after that")
    func resumes() throws {
        let before = try Acquainted()
        var pair = before.pair()
        let sigma2 = try pair.message(2)
        #expect(sigma2.opcode == .sigma2Resume)
        let (ours, theirs) = try CASEPair.establish(before.pair())
        #expect(ours.hasKeys(of: theirs))
        #expect(!ours.hasKeys(of: before.ours))
        #expect(ours.peer == before.ours.peer && theirs.peer == before.theirs.peer)
        #expect(ours.fabricIndex == FabricIndex(1))
        #expect(ours.peerSessionID == SessionID(0x2222))
        #expect(theirs.peerSessionID == SessionID(0x1111))
        #expect(ours.peerParameters.activeInterval == .milliseconds(800))
        #expect(theirs.peerParameters.activeInterval == .milliseconds(900))
        #expect(ours.resumption?.id == theirs.resumption?.id)
        #expect(ours.resumption?.id != before.ourResumption.id)

        let next = try #require(theirs.resumption)
        let (third, fourth) = try CASEPair.establish(
            before.pair(ours: ours.resumption, theirs: [before.theirResumption, next], seed: 6))
        #expect(third.hasKeys(of: fourth))
        #expect(!third.hasKeys(of: ours))
    }

    @Test("a responder that does not know the session goes on with certificates")
    func forgotten() throws {
        let before = try Acquainted()
        var pair = before.pair(theirs: [])
        let sigma2 = try pair.message(2)
        #expect(sigma2.opcode == .sigma2)
        let (ours, theirs) = try CASEPair.establish(before.pair(theirs: []))
        #expect(ours.hasKeys(of: theirs))
        #expect(ours.resumption?.sharedSecret != before.ourResumption.sharedSecret)
    }

    @Test("an id without the secret resumes nothing")
    func wrongSecret() throws {
        let before = try Acquainted()
        let forged = SessionResumption(
            id: before.ourResumption.id, sharedSecret: Secret([UInt8](repeating: 1, count: 32)),
            peer: before.ourResumption.peer, fabricIndex: FabricIndex(1))
        var pair = before.pair(ours: forged)
        let sigma2 = try pair.message(2)
        #expect(sigma2.opcode == .sigma2)
    }

    @Test("a Sigma2Resume by somebody without the secret, or for nothing asked, is refused")
    func wrongAnswer() throws {
        let before = try Acquainted()
        for change in [1, 2] {
            var pair = before.pair()
            let sent = try pair.message(2)
            var sigma2 = try Sigma2Resume(tlv: sent.payload.span)
            if change == 1 { sigma2.sigma2ResumeMIC[3] ^= 1 } else { sigma2.resumptionID[3] ^= 1 }
            let message = HandshakeMessage(
                opcode: .sigma2Resume, payload: try sigma2.tlv(capacity: 200))
            #expect(throws: CASEError.resumptionFailed) { try pair.deliver(message, as: 2) }
        }
        var pair = before.pair()
        let sigma2 = try pair.message(2)
        var other = CASEPair()
        _ = try other.message(1)
        #expect(throws: CASEError.unexpected(.sigma2Resume)) { try other.deliver(sigma2, as: 2) }
    }

    @Test("every truncation and every altered bit throws, or changes no key", arguments: 1...3)
    func hostile(number: Int) throws {
        var pair = try Acquainted().pair()
        let message = try pair.message(number)
        for count in message.payload.indices {
            var pair = pair
            let cut = HandshakeMessage(
                opcode: message.opcode, payload: [UInt8](message.payload[..<count]))
            #expect(throws: CASEError.self) { try pair.deliver(cut, as: number) }
        }
        for bit in 0..<(message.payload.count * 8) {
            var pair = pair
            let flipped = HandshakeMessage(
                opcode: message.opcode, payload: message.payload.flippingBit(bit))
            do throws(CASEError) {
                let (ours, theirs) = try pair.run(flipped, as: number)
                // Session ids and parameters are not covered by the proofs (§4.14.2.2).
                if let ours, let theirs { #expect(ours.hasKeys(of: theirs)) }
            } catch { continue }
        }
    }

    @Test("a responder waits for the report of the initiator", arguments: refusals)
    func reports(report: StatusReport) throws {
        var pair = try Acquainted().pair()
        let last = try pair.message(3)
        #expect(last == HandshakeMessage(.sessionEstablished))
        #expect(throws: CASEError.statusReport(report)) {
            try pair.deliver(HandshakeMessage(report), as: 3)
        }
    }
}

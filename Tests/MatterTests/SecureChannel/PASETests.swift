import Base
import Crypto
import Matter
import TestVectors
import Testing

/// Both sides of one handshake in memory.
struct PASEPair {
    static let salt = [UInt8](0..<16)
    static let iterations: UInt32 = 1000
    static let verifier = SPAKE2PlusVerifier(
        SPAKE2PlusSecrets(passcode: passcode(20_202_021), salt: salt.span, iterations: 1000))

    var random: SeededRandom
    var initiator: PASEInitiator
    var responder: PASEResponder

    init(seed: UInt64 = 1, passcode: UInt32 = 20_202_021) {
        random = SeededRandom(seed: seed)
        initiator = PASEInitiator(
            passcode: Self.passcode(passcode), sessionID: SessionID(0x1111),
            parameters: SessionParameters(idleInterval: .milliseconds(700)),
            peerParameters: SessionParameters(idleInterval: .seconds(5)))
        responder = PASEResponder(
            verifier: Self.verifier, iterations: Self.iterations, salt: Self.salt,
            sessionID: SessionID(0x2222), parameters: nil)
    }

    static func passcode(_ number: UInt32) -> Secret {
        Secret((0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    mutating func atInitiator(_ message: HandshakeMessage) throws(PASEError) -> HandshakeStep {
        try initiator.receive(message.opcode, message.payload.span, using: &random)
    }

    mutating func atResponder(_ message: HandshakeMessage) throws(PASEError) -> HandshakeStep {
        try responder.receive(message.opcode, message.payload.span, using: &random)
    }

    /// Goes on until `count` messages are under way, and gives the last.
    mutating func message(_ count: Int) throws -> HandshakeMessage {
        var message = initiator.start(using: &random)
        for index in 1..<count {
            message = try #require(try deliver(message, as: index).message)
        }
        return message
    }

    /// Delivers a message that stands where the `number`th would.
    mutating func deliver(
        _ message: HandshakeMessage, as number: Int
    ) throws(PASEError) -> HandshakeStep {
        if number % 2 == 1 { return try atResponder(message) }
        return try atInitiator(message)
    }
}

@Suite("PASE")
struct PASETests {
    @Test("§4.14.1 both sides end with the same keys and each other's session id")
    func establishes() throws {
        var pair = PASEPair()
        let pake3 = try pair.message(5)
        #expect(pake3.opcode == .pake3)
        let last = try pair.atResponder(pake3)
        let report = try #require(last.message)
        #expect(report == HandshakeMessage(.sessionEstablished))
        let theirs = try #require(last.secrets)
        let ours = try #require(try pair.atInitiator(report).secrets)
        #expect(ours.hasKeys(of: theirs))
        #expect(ours.initiatorToResponder != ours.responderToInitiator)
        #expect(ours.localSessionID == SessionID(0x1111) && ours.peerSessionID == SessionID(0x2222))
        #expect(theirs.localSessionID == SessionID(0x2222))
        #expect(theirs.peerSessionID == SessionID(0x1111))
        // The responder said nothing of itself, so what was known before holds.
        #expect(ours.peerParameters.idleInterval == .seconds(5))
        #expect(theirs.peerParameters.idleInterval == .milliseconds(700))
    }

    @Test("a responder replays the recorded run octet by octet")
    func vector() throws {
        let run = TestVectors.load("spake2p")["matter_pase"].array[0]
        let request = run["pbkdf_param_request"].hex
        let expected = run["pbkdf_param_response"].hex
        let read = try PBKDFParamResponse(tlv: expected.span)
        let parameters = try #require(read.pbkdfParameters)
        let secrets = SPAKE2PlusSecrets(
            passcode: PASEPair.passcode(UInt32(run["passcode"].int)),
            salt: parameters.salt.bytes.span, iterations: Int(parameters.iterations))
        var responder = PASEResponder(
            verifier: SPAKE2PlusVerifier(secrets), iterations: parameters.iterations,
            salt: parameters.salt.bytes, sessionID: read.responderSessionID)
        var random = ScriptedRandom([UInt8](read.responderRandom) + run["y"].hex)

        let response = try responder.receive(.pbkdfParamRequest, request.span, using: &random)
        #expect(response.message?.payload == expected)
        let pake1 = try Pake1(pA: FixedBytes(copying: run["pA"].hex.span)).tlv(capacity: 100)
        let answer = try responder.receive(.pake1, pake1.span, using: &random)
        let answered = try #require(answer.message)
        let pake2 = try Pake2(tlv: answered.payload.span)
        #expect([UInt8](pake2.pB) == run["pB"].hex)
        #expect([UInt8](pake2.cB) == run["cB"].hex)
        let cA = run["cA_computed"].hex
        let pake3 = try Pake3(cA: FixedBytes(copying: cA.span)).tlv(capacity: 100)
        let last = try responder.receive(.pake3, pake3.span, using: &random)
        let keys = try #require(last.secrets)
        let recorded = run["session_keys_computed"]
        #expect(keys.initiatorToResponder.bytes == recorded["i2r"].hex)
        #expect(keys.responderToInitiator.bytes == recorded["r2i"].hex)
        #expect(keys.attestationChallenge.bytes == recorded["attestation_challenge"].hex)
    }

    @Test("§4.14.1.2 the context binds both payloads as they were sent")
    func context() {
        let example = TestVectors.load("spake2p")["context_hash_example"]
        let hash = PASEContext.hash(
            request: example["request"].hex, response: example["response"].hex)
        #expect([UInt8](hash) == example["context_hash"].hex)
    }

    @Test("a wrong passcode is found by the initiator and answered with invalid parameter")
    func wrongPasscode() throws {
        var pair = PASEPair(passcode: 20_202_022)
        let pake2 = try pair.message(4)
        #expect(throws: PASEError.wrongPasscode) { try pair.atInitiator(pake2) }
        #expect(PASEError.wrongPasscode.reply == StatusReport(.failure, .invalidParameter))
    }

    @Test("a wrong cA is refused by the responder")
    func wrongConfirmation() throws {
        var pair = PASEPair()
        _ = try pair.message(5)
        let pake3 = HandshakeMessage(
            opcode: .pake3, payload: try Pake3(cA: FixedBytes()).tlv(capacity: 100))
        #expect(throws: PASEError.wrongPasscode) { try pair.atResponder(pake3) }
    }

    @Test("§3.9 parameters out of bounds are refused before any work is done with them")
    func parameters() throws {
        let salt = PASEPair.salt
        let cases: [(UInt32, [UInt8], PASEError)] = [
            (999, salt, .iterationsOutOfRange(999)),
            (100_001, salt, .iterationsOutOfRange(100_001)),
            (.max, salt, .iterationsOutOfRange(.max)),
            (1000, [UInt8](repeating: 1, count: 15), .saltOutOfRange(bytes: 15)),
            (1000, [UInt8](repeating: 1, count: 33), .saltOutOfRange(bytes: 33)),
        ]
        for (iterations, salt, error) in cases {
            let thrown = try responseError { response in
                response.pbkdfParameters = PBKDFParameterSet(iterations: iterations, salt: salt)
            }
            #expect(thrown == error)
        }
        #expect(try responseError { $0.pbkdfParameters = nil } == .missingPBKDFParameters)
        #expect(try responseError { $0.responderSessionID = .unsecured } == .zeroSessionID)
        #expect(try responseError { $0.initiatorRandom[0] ^= 1 } == .randomMismatch)
    }

    private func responseError(_ change: (inout PBKDFParamResponse) -> Void) throws -> PASEError? {
        var pair = PASEPair()
        let sent = try pair.message(2)
        var response = try PBKDFParamResponse(tlv: sent.payload.span)
        change(&response)
        let payload = try response.tlv(capacity: 256)
        do throws(PASEError) {
            _ = try pair.atInitiator(
                HandshakeMessage(opcode: .pbkdfParamResponse, payload: payload))
            return nil
        } catch { return error }
    }

    @Test("a request with session id 0 or another passcode id is refused")
    func request() throws {
        var pair = PASEPair()
        let sent = try pair.message(1)
        var request = try PBKDFParamRequest(tlv: sent.payload.span)
        request.initiatorSessionID = .unsecured
        let zero = HandshakeMessage(
            opcode: .pbkdfParamRequest, payload: try request.tlv(capacity: 256))
        #expect(throws: PASEError.zeroSessionID) { try pair.atResponder(zero) }
        pair = PASEPair()
        request.initiatorSessionID = SessionID(1)
        request.passcodeID = 7
        let other = HandshakeMessage(
            opcode: .pbkdfParamRequest, payload: try request.tlv(capacity: 256))
        #expect(throws: PASEError.unknownPasscodeID(7)) { try pair.atResponder(other) }
    }

    @Test("a request that says it has the PBKDF parameters is answered without them")
    func knownParameters() throws {
        var pair = PASEPair()
        let sent = try pair.message(1)
        var request = try PBKDFParamRequest(tlv: sent.payload.span)
        request.hasPBKDFParameters = true
        let step = try pair.atResponder(
            HandshakeMessage(
                opcode: .pbkdfParamRequest, payload: try request.tlv(capacity: 256)))
        let answer = try #require(step.message)
        let response = try PBKDFParamResponse(tlv: answer.payload.span)
        #expect(response.pbkdfParameters == nil)
    }

    @Test("a share that is no point is refused by either side", arguments: [0, 1, 2])
    func points(kind: Int) throws {
        var point = FixedBytes<65>()
        if kind > 0 { point[0] = 4 }
        if kind > 1 { point[64] = 1 }
        var pair = PASEPair()
        _ = try pair.message(3)
        let pake1 = HandshakeMessage(
            opcode: .pake1, payload: try Pake1(pA: point).tlv(capacity: 100))
        #expect(throws: PASEError.invalidPoint) { try pair.atResponder(pake1) }
        let pake2 = HandshakeMessage(
            opcode: .pake2, payload: try Pake2(pB: point, cB: FixedBytes()).tlv(capacity: 200))
        #expect(throws: PASEError.invalidPoint) { try pair.atInitiator(pake2) }
    }
}

package import Base
package import Crypto

/// The side of PASE that has read a passcode. Core §4.14.1.
///
/// `start` gives the first message; each message of the peer then goes to `receive`. An error
/// ends the handshake; its `reply` is to be sent. Retransmission and time are the exchange's.
package struct PASEInitiator: Sendable {
    private var state: State

    private enum State: Sendable {
        case ready(Ready)
        case awaitingPBKDFParamResponse(AwaitingPBKDFParamResponse)
        case awaitingPake2(AwaitingPake2)
        case awaitingStatusReport(AwaitingStatusReport)
        case ended
    }

    /// - Parameters:
    ///   - passcode: 4 octets, least significant first.
    ///   - sessionID: not 0, and free at our side.
    ///   - parameters: what the peer is told of us; nil to tell nothing.
    ///   - peerParameters: what is known of the peer, from its DNS-SD record; holds for
    ///     whatever the peer does not say in the handshake.
    package init(
        passcode: Secret, sessionID: SessionID, parameters: SessionParameters? = nil,
        peerParameters: SessionParameters = SessionParameters()
    ) {
        precondition(passcode.count == 4, "a passcode is 4 octets, least significant first")
        precondition(sessionID != .unsecured, "session id 0 is the unsecured session")
        state = .ready(
            Ready(
                passcode: passcode, sessionID: sessionID,
                parameters: parameters.map(SessionParameterStruct.init),
                peerParameters: peerParameters))
    }

    /// Comes first, and once.
    package mutating func start(using random: inout some RandomSource) -> HandshakeMessage {
        guard case .ready(let ready) = state else { preconditionFailure("start comes once") }
        let (next, message) = ready.start(using: &random)
        state = .awaitingPBKDFParamResponse(next)
        return message
    }

    package mutating func receive(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>,
        using random: inout some RandomSource
    ) throws(PASEError) -> HandshakeStep {
        let current = state
        state = .ended
        switch current {
        case .awaitingPBKDFParamResponse(let current):
            let (next, message) = try current.receive(opcode, payload, using: &random)
            state = .awaitingPake2(next)
            return .send(message)
        case .awaitingPake2(let current):
            let (next, message) = try current.receive(opcode, payload)
            state = .awaitingStatusReport(next)
            return .send(message)
        case .awaitingStatusReport(let current):
            try PASEError.check(opcode, payload, isIn: .statusReport)
            try PASEError.success(payload)
            return .established(current.secrets)
        case .ready: preconditionFailure("start comes before the first message")
        case .ended: preconditionFailure("an ended handshake receives nothing")
        }
    }
}

private struct Ready {
    let passcode: Secret
    let sessionID: SessionID
    let parameters: SessionParameterStruct?
    let peerParameters: SessionParameters

    func start(
        using random: inout some RandomSource
    ) -> (AwaitingPBKDFParamResponse, HandshakeMessage) {
        var request = PBKDFParamRequest()
        request.initiatorRandom = random.bytes()
        request.initiatorSessionID = sessionID
        request.initiatorSessionParams = parameters
        let message = HandshakeMessage(.pbkdfParamRequest, request)
        let next = AwaitingPBKDFParamResponse(
            begun: self, initiatorRandom: request.initiatorRandom, request: message.payload)
        return (next, message)
    }
}

private struct AwaitingPBKDFParamResponse {
    let begun: Ready
    let initiatorRandom: FixedBytes<32>
    let request: [UInt8]

    func receive(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>,
        using random: inout some RandomSource
    ) throws(PASEError) -> (AwaitingPake2, HandshakeMessage) {
        try PASEError.check(opcode, payload, isIn: .pbkdfParamResponse)
        let response: PBKDFParamResponse = try PASEError.decode(payload)
        guard response.initiatorRandom == initiatorRandom else { throw .randomMismatch }
        guard response.responderSessionID != .unsecured else { throw .zeroSessionID }
        guard let parameters = response.pbkdfParameters else { throw .missingPBKDFParameters }
        try parameters.validate()
        let prover = SPAKE2PlusProver(
            secrets: SPAKE2PlusSecrets(
                passcode: begun.passcode, salt: parameters.salt.bytes.span,
                iterations: Int(parameters.iterations)),
            context: PASEContext.hash(request: request, response: [UInt8](payload)),
            using: &random)
        let next = AwaitingPake2(
            prover: prover, localSessionID: begun.sessionID,
            peerSessionID: response.responderSessionID,
            peerParameters: begun.peerParameters.updated(by: response.responderSessionParams))
        return (next, HandshakeMessage(.pake1, Pake1(pA: prover.pA)))
    }
}

private struct AwaitingPake2 {
    let prover: SPAKE2PlusProver
    let localSessionID: SessionID
    let peerSessionID: SessionID
    let peerParameters: SessionParameters

    func receive(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>
    ) throws(PASEError) -> (AwaitingStatusReport, HandshakeMessage) {
        try PASEError.check(opcode, payload, isIn: .pake2)
        let pake2: Pake2 = try PASEError.decode(payload)
        let result: (cA: FixedBytes<32>, ke: Secret)
        do throws(CryptoError) {
            result = try prover.finish(pB: pake2.pB.span, cB: pake2.cB.span)
        } catch { throw PASEError(error) }
        let secrets = SessionSecrets(
            keys: SessionKeys(result.ke, salt: Span(), info: "SessionKeys"),
            localSessionID: localSessionID, peerSessionID: peerSessionID,
            peerParameters: peerParameters)
        return (
            AwaitingStatusReport(secrets: secrets),
            HandshakeMessage(.pake3, Pake3(cA: result.cA))
        )
    }
}

private struct AwaitingStatusReport {
    let secrets: SessionSecrets
}

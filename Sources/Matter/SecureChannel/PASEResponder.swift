package import Base
package import Crypto

/// The side of PASE that knows the verifier of a passcode: the device. Core §4.14.1.
///
/// Each message of the peer goes to `receive`. An error ends the handshake; its `reply` is to
/// be sent. How many tries a passcode has, and when they end, is the owner's business.
package struct PASEResponder: Sendable {
    private var state: State

    private enum State: Sendable {
        case awaitingPBKDFParamRequest(AwaitingPBKDFParamRequest)
        case awaitingPake1(AwaitingPake1)
        case awaitingPake3(AwaitingPake3)
        case ended
    }

    /// - Parameters:
    ///   - iterations: with `salt`, what the verifier was made with.
    ///   - sessionID: not 0, and free at our side.
    ///   - parameters: what the peer is told of us; nil to tell nothing.
    package init(
        verifier: SPAKE2PlusVerifier, iterations: UInt32, salt: [UInt8], sessionID: SessionID,
        parameters: SessionParameters? = nil
    ) {
        precondition(Limits.pbkdfIterations.contains(iterations), "Core §3.9 bounds iterations")
        precondition(Limits.pbkdfSaltBytes.contains(salt.count), "Core §3.9 bounds the salt")
        precondition(sessionID != .unsecured, "session id 0 is the unsecured session")
        state = .awaitingPBKDFParamRequest(
            AwaitingPBKDFParamRequest(
                verifier: verifier,
                pbkdfParameters: PBKDFParameterSet(iterations: iterations, salt: salt),
                sessionID: sessionID, parameters: parameters.map(SessionParameterStruct.init)))
    }

    package mutating func receive(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>,
        using random: inout some RandomSource
    ) throws(PASEError) -> HandshakeStep {
        let current = state
        state = .ended
        switch current {
        case .awaitingPBKDFParamRequest(let current):
            let (next, message) = try current.receive(opcode, payload, using: &random)
            state = .awaitingPake1(next)
            return .send(message)
        case .awaitingPake1(let current):
            let (next, message) = try current.receive(opcode, payload, using: &random)
            state = .awaitingPake3(next)
            return .send(message)
        case .awaitingPake3(let current):
            let secrets = try current.receive(opcode, payload)
            return .sendAndEstablish(HandshakeMessage(.sessionEstablished), secrets)
        case .ended: preconditionFailure("an ended handshake receives nothing")
        }
    }
}

private struct AwaitingPBKDFParamRequest {
    let verifier: SPAKE2PlusVerifier
    let pbkdfParameters: PBKDFParameterSet
    let sessionID: SessionID
    let parameters: SessionParameterStruct?

    func receive(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>,
        using random: inout some RandomSource
    ) throws(PASEError) -> (AwaitingPake1, HandshakeMessage) {
        try PASEError.check(opcode, payload, isIn: .pbkdfParamRequest)
        let request: PBKDFParamRequest = try PASEError.decode(payload)
        guard request.initiatorSessionID != .unsecured else { throw .zeroSessionID }
        guard request.passcodeID == 0 else { throw .unknownPasscodeID(request.passcodeID) }
        var response = PBKDFParamResponse()
        response.initiatorRandom = request.initiatorRandom
        response.responderRandom = random.bytes()
        response.responderSessionID = sessionID
        response.pbkdfParameters = request.hasPBKDFParameters ? nil : pbkdfParameters
        response.responderSessionParams = parameters
        let message = HandshakeMessage(.pbkdfParamResponse, response)
        let next = AwaitingPake1(
            verifier: verifier,
            context: PASEContext.hash(request: [UInt8](payload), response: message.payload),
            localSessionID: sessionID, peerSessionID: request.initiatorSessionID,
            peerParameters: SessionParameters().updated(by: request.initiatorSessionParams))
        return (next, message)
    }
}

private struct AwaitingPake1 {
    let verifier: SPAKE2PlusVerifier
    let context: FixedBytes<32>
    let localSessionID: SessionID
    let peerSessionID: SessionID
    let peerParameters: SessionParameters

    func receive(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>,
        using random: inout some RandomSource
    ) throws(PASEError) -> (AwaitingPake3, HandshakeMessage) {
        try PASEError.check(opcode, payload, isIn: .pake1)
        let pake1: Pake1 = try PASEError.decode(payload)
        let responder = SPAKE2PlusResponder(verifier: verifier, context: context, using: &random)
        let response: SPAKE2PlusResponse
        do throws(CryptoError) { response = try responder.receive(pA: pake1.pA.span) } catch {
            throw PASEError(error)
        }
        let next = AwaitingPake3(
            response: response, localSessionID: localSessionID, peerSessionID: peerSessionID,
            peerParameters: peerParameters)
        return (next, HandshakeMessage(.pake2, Pake2(pB: response.pB, cB: response.cB)))
    }
}

private struct AwaitingPake3 {
    let response: SPAKE2PlusResponse
    let localSessionID: SessionID
    let peerSessionID: SessionID
    let peerParameters: SessionParameters

    func receive(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>
    ) throws(PASEError) -> SessionSecrets {
        try PASEError.check(opcode, payload, isIn: .pake3)
        let pake3: Pake3 = try PASEError.decode(payload)
        do throws(CryptoError) { try response.confirm(cA: pake3.cA.span) } catch {
            throw PASEError(error)
        }
        return SessionSecrets(
            keys: SessionKeys(response.ke, salt: Span(), info: "SessionKeys"),
            localSessionID: localSessionID, peerSessionID: peerSessionID,
            peerParameters: peerParameters)
    }
}

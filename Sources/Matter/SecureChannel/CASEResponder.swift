package import Base
internal import Crypto

/// The side of CASE that is sought, on any of its fabrics. Core §4.14.2.
///
/// Each message of the peer goes to `receive`. An error ends the handshake; its `reply` is to
/// be sent. Retransmission and time are the exchange's.
package struct CASEResponder: Sendable {
    private var state: State

    private enum State: Sendable {
        case awaitingSigma1(AwaitingSigma1)
        case awaitingSigma3(AwaitingSigma3)
        case awaitingStatusReport(AwaitingStatusReport)
        case ended
    }

    /// - Parameters:
    ///   - credentials: one for each fabric; a fabric in a change of its IPK may be there twice.
    ///   - sessionID: not 0, and free at our side.
    ///   - parameters: what the peer is told of us; nil to tell nothing.
    ///   - resumptions: of sessions with nodes of these fabrics.
    ///   - now: for the validity of the peer's certificates.
    package init(
        credentials: [CASECredentials], sessionID: SessionID,
        parameters: SessionParameters? = nil, resumptions: [SessionResumption] = [],
        at now: MatterTime
    ) {
        precondition(sessionID != .unsecured, "session id 0 is the unsecured session")
        state = .awaitingSigma1(
            AwaitingSigma1(
                credentials: credentials, sessionID: sessionID,
                parameters: parameters.map(SessionParameterStruct.init),
                resumptions: resumptions, now: now))
    }

    package mutating func receive(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>,
        using random: inout some RandomSource
    ) throws(CASEError) -> HandshakeStep {
        let current = state
        state = .ended
        switch current {
        case .awaitingSigma1(let current):
            try CASEError.check(opcode, payload, isIn: .sigma1)
            let sigma1: Sigma1 = try CASEError.decode(payload)
            guard sigma1.initiatorSessionID != .unsecured else { throw .zeroSessionID }
            if let resumption = try current.resumption(sigma1) {
                let (next, message) = current.resume(resumption, sigma1, using: &random)
                state = .awaitingStatusReport(next)
                return .send(message)
            }
            let (next, message) = try current.receive(sigma1, payload, using: &random)
            state = .awaitingSigma3(next)
            return .send(message)
        case .awaitingSigma3(let current):
            let secrets = try current.receive(opcode, payload)
            return .sendAndEstablish(HandshakeMessage(.sessionEstablished), secrets)
        case .awaitingStatusReport(let current):
            try CASEError.check(opcode, payload, isIn: .statusReport)
            try CASEError.success(payload)
            return .established(current.secrets)
        case .ended: preconditionFailure("an ended handshake receives nothing")
        }
    }
}

private struct AwaitingSigma1 {
    let credentials: [CASECredentials]
    let sessionID: SessionID
    let parameters: SessionParameterStruct?
    let resumptions: [SessionResumption]
    let now: MatterTime

    /// The resumption that a Sigma1 asks for and may have; nil leads to a full handshake.
    func resumption(_ sigma1: Sigma1) throws(CASEError) -> SessionResumption? {
        guard let id = sigma1.resumptionID, let mic = sigma1.initiatorResumeMIC else {
            guard sigma1.resumptionID == nil, sigma1.initiatorResumeMIC == nil else {
                throw .incompleteResumption
            }
            return nil
        }
        guard let resumption = resumptions.first(where: { $0.id == id }),
            mic == resumption.initiatorMIC(initiatorRandom: sigma1.initiatorRandom)
        else { return nil }
        return resumption
    }

    func resume(
        _ resumption: SessionResumption, _ sigma1: Sigma1, using random: inout some RandomSource
    ) -> (AwaitingStatusReport, HandshakeMessage) {
        var sigma2 = Sigma2Resume()
        sigma2.resumptionID = random.bytes()
        sigma2.sigma2ResumeMIC = resumption.responderMIC(
            initiatorRandom: sigma1.initiatorRandom, newID: sigma2.resumptionID)
        sigma2.responderSessionID = sessionID
        sigma2.responderSessionParams = parameters
        let secrets = SessionSecrets(
            keys: resumption.sessionKeys(initiatorRandom: sigma1.initiatorRandom),
            localSessionID: sessionID, peerSessionID: sigma1.initiatorSessionID,
            peerParameters: SessionParameters().updated(by: sigma1.initiatorSessionParams),
            resumption: resumption.renewed(sigma2.resumptionID))
        return (
            AwaitingStatusReport(secrets: secrets), HandshakeMessage(.sigma2Resume, sigma2)
        )
    }

    func receive(
        _ sigma1: Sigma1, _ payload: Span<UInt8>, using random: inout some RandomSource
    ) throws(CASEError) -> (AwaitingSigma3, HandshakeMessage) {
        let sought = credentials.first {
            $0.destinationID(of: $0.nodeID, initiatorRandom: sigma1.initiatorRandom)
                == sigma1.destinationID
        }
        guard let fabric = sought else { throw .noSharedTrustRoots }
        let ephemeral = P256.PrivateKey.generate(using: &random)
        let sharedSecret: Secret
        do throws(CryptoError) {
            sharedSecret = try ephemeral.sharedSecret(
                with: P256.PublicKey(sigma1.initiatorEphPubKey.span))
        } catch { throw CASEError(error) }

        let proof = TBEData2(
            fabric.proof(
                EphemeralKeys(
                    sender: ephemeral.publicKey.bytes, receiver: sigma1.initiatorEphPubKey)),
            resumptionID: random.bytes())
        var sigma2 = Sigma2()
        sigma2.responderRandom = random.bytes()
        sigma2.responderSessionID = sessionID
        sigma2.responderEphPubKey = ephemeral.publicKey.bytes
        sigma2.responderSessionParams = parameters
        let key = CASEKeys.sigma2(
            sharedSecret, ipk: fabric.ipk, responderRandom: sigma2.responderRandom,
            responderEphPubKey: sigma2.responderEphPubKey, sigma1: payload)
        sigma2.encrypted2 = Octets(CASESeal.sigma2.seal(proof.ownTLV().span, key: key))
        let message = HandshakeMessage(.sigma2, sigma2)
        let next = AwaitingSigma3(
            fabric: fabric, sharedSecret: sharedSecret,
            keys: EphemeralKeys(
                sender: sigma1.initiatorEphPubKey, receiver: ephemeral.publicKey.bytes),
            transcript: [UInt8](payload) + message.payload, resumptionID: proof.resumptionID,
            localSessionID: sessionID, peerSessionID: sigma1.initiatorSessionID,
            peerParameters: SessionParameters().updated(by: sigma1.initiatorSessionParams),
            now: now)
        return (next, message)
    }
}

private struct AwaitingSigma3 {
    let fabric: CASECredentials
    let sharedSecret: Secret
    let keys: EphemeralKeys
    /// The payloads of Sigma1 and Sigma2.
    let transcript: [UInt8]
    let resumptionID: FixedBytes<16>
    let localSessionID: SessionID
    let peerSessionID: SessionID
    let peerParameters: SessionParameters
    let now: MatterTime

    func receive(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>
    ) throws(CASEError) -> SessionSecrets {
        try CASEError.check(opcode, payload, isIn: .sigma3)
        let sigma3: Sigma3 = try CASEError.decode(payload)
        let key = CASEKeys.sigma3(sharedSecret, ipk: fabric.ipk, transcript: transcript.span)
        let plaintext: [UInt8]
        do throws(CryptoError) {
            plaintext = try CASESeal.sigma3.open(sigma3.encrypted3.bytes.span, key: key)
        } catch { throw CASEError(error) }
        let proof: TBEData3 = try CASEError.decode(plaintext.span)
        let peer = try fabric.verify(proof, keys, node: nil, at: now)
        var transcript = transcript
        transcript.append(contentsOf: payload)
        return SessionSecrets(
            keys: CASEKeys.session(sharedSecret, ipk: fabric.ipk, transcript: transcript.span),
            localSessionID: localSessionID, peerSessionID: peerSessionID,
            peerParameters: peerParameters,
            resumption: SessionResumption(
                id: resumptionID, sharedSecret: sharedSecret, peer: peer,
                fabricIndex: fabric.fabricIndex))
    }
}

private struct AwaitingStatusReport {
    let secrets: SessionSecrets
}

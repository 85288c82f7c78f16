package import Base
internal import Crypto

/// The side of CASE that seeks a node of its fabric. Core §4.14.2.
///
/// `start` gives the first message; each message of the peer then goes to `receive`. An error
/// ends the handshake; its `reply` is to be sent. A handshake that asked for a resumption and
/// failed is worth one more try without. Retransmission and time are the exchange's.
package struct CASEInitiator: Sendable {
    private var state: State

    private enum State: Sendable {
        case ready(Ready)
        case awaitingSigma2(AwaitingSigma2)
        case awaitingStatusReport(AwaitingStatusReport)
        case ended
    }

    /// - Parameters:
    ///   - peer: the node that is sought, on the fabric of `credentials`.
    ///   - sessionID: not 0, and free at our side.
    ///   - parameters: what the peer is told of us; nil to tell nothing.
    ///   - peerParameters: what is known of the peer, from its DNS-SD record; holds for
    ///     whatever the peer does not say in the handshake.
    ///   - resumption: of the last session with `peer`; a peer that does not know it answers
    ///     as if it were not there.
    ///   - now: for the validity of the peer's certificates.
    package init(
        credentials: CASECredentials, peer: NodeID, sessionID: SessionID,
        parameters: SessionParameters? = nil,
        peerParameters: SessionParameters = SessionParameters(),
        resumption: SessionResumption? = nil, at now: MatterTime
    ) {
        precondition(sessionID != .unsecured, "session id 0 is the unsecured session")
        if let known = resumption?.peer {
            precondition(
                known.nodeID == peer && known.fabricID == credentials.fabricID,
                "a resumption is with the peer of that session")
        }
        state = .ready(
            Ready(
                credentials: credentials, peer: peer, sessionID: sessionID,
                parameters: parameters.map(SessionParameterStruct.init),
                peerParameters: peerParameters, resumption: resumption, now: now))
    }

    /// Comes first, and once.
    package mutating func start(using random: inout some RandomSource) -> HandshakeMessage {
        guard case .ready(let ready) = state else { preconditionFailure("start comes once") }
        let (next, message) = ready.start(using: &random)
        state = .awaitingSigma2(next)
        return message
    }

    package mutating func receive(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>,
        using random: inout some RandomSource
    ) throws(CASEError) -> HandshakeStep {
        let current = state
        state = .ended
        switch current {
        case .awaitingSigma2(let current):
            if opcode == .sigma2Resume, let resumption = current.begun.resumption {
                let secrets = try current.resume(resumption, opcode, payload)
                return .sendAndEstablish(HandshakeMessage(.sessionEstablished), secrets)
            }
            let (next, message) = try current.receive(opcode, payload)
            state = .awaitingStatusReport(next)
            return .send(message)
        case .awaitingStatusReport(let current):
            try CASEError.check(opcode, payload, isIn: .statusReport)
            try CASEError.success(payload)
            return .established(current.secrets)
        case .ready: preconditionFailure("start comes before the first message")
        case .ended: preconditionFailure("an ended handshake receives nothing")
        }
    }
}

private struct Ready {
    let credentials: CASECredentials
    let peer: NodeID
    let sessionID: SessionID
    let parameters: SessionParameterStruct?
    let peerParameters: SessionParameters
    let resumption: SessionResumption?
    let now: MatterTime

    func start(using random: inout some RandomSource) -> (AwaitingSigma2, HandshakeMessage) {
        let ephemeral = P256.PrivateKey.generate(using: &random)
        var sigma1 = Sigma1()
        sigma1.initiatorRandom = random.bytes()
        sigma1.initiatorSessionID = sessionID
        sigma1.destinationID = credentials.destinationID(
            of: peer, initiatorRandom: sigma1.initiatorRandom)
        sigma1.initiatorEphPubKey = ephemeral.publicKey.bytes
        sigma1.initiatorSessionParams = parameters
        sigma1.resumptionID = resumption?.id
        sigma1.initiatorResumeMIC = resumption?.initiatorMIC(
            initiatorRandom: sigma1.initiatorRandom)
        let message = HandshakeMessage(.sigma1, sigma1)
        let next = AwaitingSigma2(
            begun: self, ephemeral: ephemeral, initiatorRandom: sigma1.initiatorRandom,
            sigma1: message.payload)
        return (next, message)
    }
}

private struct AwaitingSigma2 {
    let begun: Ready
    let ephemeral: P256.PrivateKey
    let initiatorRandom: FixedBytes<32>
    let sigma1: [UInt8]

    func receive(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>
    ) throws(CASEError) -> (AwaitingStatusReport, HandshakeMessage) {
        try CASEError.check(opcode, payload, isIn: .sigma2)
        let sigma2: Sigma2 = try CASEError.decode(payload)
        guard sigma2.responderSessionID != .unsecured else { throw .zeroSessionID }
        let credentials = begun.credentials
        let (proof, sharedSecret) = try open(sigma2)
        let peer = try credentials.verify(
            TBEData3(proof),
            EphemeralKeys(
                sender: sigma2.responderEphPubKey, receiver: ephemeral.publicKey.bytes),
            node: begun.peer, at: begun.now)

        var transcript = sigma1
        transcript.append(contentsOf: payload)
        let key = CASEKeys.sigma3(
            sharedSecret, ipk: credentials.ipk, transcript: transcript.span)
        let own = credentials.proof(
            EphemeralKeys(
                sender: ephemeral.publicKey.bytes, receiver: sigma2.responderEphPubKey))
        var sigma3 = Sigma3()
        sigma3.encrypted3 = Octets(CASESeal.sigma3.seal(own.ownTLV().span, key: key))
        let message = HandshakeMessage(.sigma3, sigma3)
        transcript.append(contentsOf: message.payload)
        let secrets = SessionSecrets(
            keys: CASEKeys.session(
                sharedSecret, ipk: credentials.ipk, transcript: transcript.span),
            localSessionID: begun.sessionID, peerSessionID: sigma2.responderSessionID,
            peerParameters: begun.peerParameters.updated(by: sigma2.responderSessionParams),
            resumption: SessionResumption(
                id: proof.resumptionID, sharedSecret: sharedSecret, peer: peer,
                fabricIndex: credentials.fabricIndex))
        return (AwaitingStatusReport(secrets: secrets), message)
    }

    /// - Returns: what the responder sealed, and the secret of the two ephemeral keys.
    private func open(_ sigma2: Sigma2) throws(CASEError) -> (TBEData2, Secret) {
        let plaintext: [UInt8]
        let sharedSecret: Secret
        do throws(CryptoError) {
            sharedSecret = try ephemeral.sharedSecret(
                with: P256.PublicKey(sigma2.responderEphPubKey.span))
            let key = CASEKeys.sigma2(
                sharedSecret, ipk: begun.credentials.ipk, responderRandom: sigma2.responderRandom,
                responderEphPubKey: sigma2.responderEphPubKey, sigma1: sigma1.span)
            plaintext = try CASESeal.sigma2.open(sigma2.encrypted2.bytes.span, key: key)
        } catch { throw CASEError(error) }
        return (try CASEError.decode(plaintext.span), sharedSecret)
    }

    func resume(
        _ resumption: SessionResumption, _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>
    ) throws(CASEError) -> SessionSecrets {
        try CASEError.check(opcode, payload, isIn: .sigma2Resume)
        let sigma2: Sigma2Resume = try CASEError.decode(payload)
        guard sigma2.responderSessionID != .unsecured else { throw .zeroSessionID }
        let expected = resumption.responderMIC(
            initiatorRandom: initiatorRandom, newID: sigma2.resumptionID)
        guard sigma2.sigma2ResumeMIC == expected else { throw .resumptionFailed }
        return SessionSecrets(
            keys: resumption.sessionKeys(initiatorRandom: initiatorRandom),
            localSessionID: begun.sessionID, peerSessionID: sigma2.responderSessionID,
            peerParameters: begun.peerParameters.updated(by: sigma2.responderSessionParams),
            resumption: resumption.renewed(sigma2.resumptionID))
    }
}

private struct AwaitingStatusReport {
    let secrets: SessionSecrets
}

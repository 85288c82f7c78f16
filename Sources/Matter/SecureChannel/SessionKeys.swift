internal import Base
package import Crypto

/// The three keys of a session, 16 octets each. Core §4.14.1.2.10, §4.14.2.6.6.
package struct SessionKeys: Sendable {
    package let initiatorToResponder: Secret
    package let responderToInitiator: Secret
    package let attestationChallenge: Secret

    init(_ secret: Secret, salt: Span<UInt8>, info: StaticString) {
        let keys = HKDF.derive(key: secret.span, salt: salt, info: info, count: 48)
        initiatorToResponder = Secret(keys.span.extracting(0..<16))
        responderToInitiator = Secret(keys.span.extracting(16..<32))
        attestationChallenge = Secret(keys.span.extracting(32..<48))
    }
}

/// What a finished handshake leaves behind.
package struct SessionSecrets: Sendable {
    /// The key of what the initiator of the handshake sends (I2RKey).
    package let initiatorToResponder: Secret
    /// The key of what the responder sends (R2IKey).
    package let responderToInitiator: Secret
    /// Signed by a device with what it attests.
    package let attestationChallenge: Secret
    /// What the peer writes into messages to us.
    package let localSessionID: SessionID
    /// What we write into messages to the peer.
    package let peerSessionID: SessionID
    package let peerParameters: SessionParameters
    /// Kept for the next session with this peer; nil after PASE.
    package let resumption: SessionResumption?

    init(
        keys: SessionKeys, localSessionID: SessionID, peerSessionID: SessionID,
        peerParameters: SessionParameters, resumption: SessionResumption? = nil
    ) {
        initiatorToResponder = keys.initiatorToResponder
        responderToInitiator = keys.responderToInitiator
        attestationChallenge = keys.attestationChallenge
        self.localSessionID = localSessionID
        self.peerSessionID = peerSessionID
        self.peerParameters = peerParameters
        self.resumption = resumption
    }

    /// Whom the session is with, as its certificates proved; nil after PASE.
    package var peer: OperationalIdentity? { resumption?.peer }

    /// The fabric of the session, in our own table; nil after PASE.
    package var fabricIndex: FabricIndex? { resumption?.fabricIndex }
}

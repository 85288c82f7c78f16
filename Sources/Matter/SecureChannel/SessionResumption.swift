package import Base
package import Crypto

/// What either side keeps of a CASE session so that the next one needs no certificates.
/// Core §4.14.2.2.
package struct SessionResumption: Sendable {
    /// Names this record at the responder that gave it.
    package let id: FixedBytes<16>
    /// That of the two ephemeral keys of the first handshake; 32 octets.
    package let sharedSecret: Secret
    /// Whom the certificates of that handshake proved.
    package let peer: OperationalIdentity
    /// The fabric, in our own table.
    package let fabricIndex: FabricIndex

    package init(
        id: FixedBytes<16>, sharedSecret: Secret, peer: OperationalIdentity,
        fabricIndex: FabricIndex
    ) {
        precondition(sharedSecret.count == 32, "the x coordinate of a point has 32 octets")
        self.id = id
        self.sharedSecret = sharedSecret
        self.peer = peer
        self.fabricIndex = fabricIndex
    }

    /// The same for the next session: the responder gives each a new id.
    func renewed(_ id: FixedBytes<16>) -> SessionResumption {
        SessionResumption(id: id, sharedSecret: sharedSecret, peer: peer, fabricIndex: fabricIndex)
    }
}

extension SessionResumption {
    /// Proves in Sigma1 that we know the secret.
    func initiatorMIC(initiatorRandom: FixedBytes<32>) -> FixedBytes<16> {
        mic(.sigma1Resume, info: "Sigma1_Resume", salt: salt(initiatorRandom, id))
    }

    /// Proves the same in Sigma2Resume, and binds the id of the next session.
    func responderMIC(initiatorRandom: FixedBytes<32>, newID: FixedBytes<16>) -> FixedBytes<16> {
        mic(.sigma2Resume, info: "Sigma2_Resume", salt: salt(initiatorRandom, newID))
    }

    func sessionKeys(initiatorRandom: FixedBytes<32>) -> SessionKeys {
        SessionKeys(
            sharedSecret, salt: salt(initiatorRandom, id).span, info: "SessionResumptionKeys")
    }

    /// The tag over nothing, under a key of its own.
    private func mic(_ seal: CASESeal, info: StaticString, salt: [UInt8]) -> FixedBytes<16> {
        let key = HKDF.derive(key: sharedSecret.span, salt: salt.span, info: info, count: 16)
        return FixedBytes(copying: seal.seal(Span(), key: key).span)
    }

    private func salt(_ initiatorRandom: FixedBytes<32>, _ id: FixedBytes<16>) -> [UInt8] {
        [UInt8](initiatorRandom) + [UInt8](id)
    }
}

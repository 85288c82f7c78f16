package import Base
package import Crypto

/// What CASE derives from the shared secret of the two ephemeral keys. Core §4.14.2.6.
package enum CASEKeys {
    /// S2K, which seals `TBEData2`.
    package static func sigma2(
        _ sharedSecret: Secret, ipk: Secret, responderRandom: FixedBytes<32>,
        responderEphPubKey: FixedBytes<65>, sigma1: Span<UInt8>
    ) -> Secret {
        let hash = SHA256.digest(sigma1)
        let salt = Secret(count: 16 + 32 + 65 + 32) { salt in
            salt.copy(ipk.span, to: 0)
            salt.copy(responderRandom.span, to: 16)
            salt.copy(responderEphPubKey.span, to: 48)
            salt.copy(hash.span, to: 113)
        }
        return HKDF.derive(key: sharedSecret.span, salt: salt.span, info: "Sigma2", count: 16)
    }

    /// S3K, which seals `TBEData3`.
    /// - Parameter transcript: the payloads of Sigma1 and Sigma2.
    package static func sigma3(
        _ sharedSecret: Secret, ipk: Secret, transcript: Span<UInt8>
    ) -> Secret {
        let salt = salt(ipk, transcript)
        return HKDF.derive(key: sharedSecret.span, salt: salt.span, info: "Sigma3", count: 16)
    }

    /// - Parameter transcript: the payloads of Sigma1, Sigma2 and Sigma3.
    package static func session(
        _ sharedSecret: Secret, ipk: Secret, transcript: Span<UInt8>
    ) -> SessionKeys {
        let salt = salt(ipk, transcript)
        return SessionKeys(sharedSecret, salt: salt.span, info: "SessionKeys")
    }

    private static func salt(_ ipk: Secret, _ transcript: Span<UInt8>) -> Secret {
        let hash = SHA256.digest(transcript)
        return Secret(count: 16 + 32) { salt in
            salt.copy(ipk.span, to: 0)
            salt.copy(hash.span, to: 16)
        }
    }
}

/// How CASE seals under a key that is used once, and so may have a fixed nonce.
package enum CASESeal {
    case sigma2, sigma3, sigma1Resume, sigma2Resume

    package func seal(_ plaintext: Span<UInt8>, key: Secret) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: plaintext.count + AESCCM.tagBytes)
        var output = sealed.mutableSpan
        AESCCM(key: key.span).seal(plaintext, nonce: nonce, authenticating: Span(), into: &output)
        return sealed
    }

    /// - Throws: `authenticationFailed`.
    package func open(_ sealed: Span<UInt8>, key: Secret) throws(CryptoError) -> [UInt8] {
        guard sealed.count >= AESCCM.tagBytes else { throw .authenticationFailed }
        var plaintext = [UInt8](repeating: 0, count: sealed.count - AESCCM.tagBytes)
        var output = plaintext.mutableSpan
        try AESCCM(key: key.span).open(
            sealed, nonce: nonce, authenticating: Span(), into: &output)
        return plaintext
    }

    private var nonce: FixedBytes<13> {
        switch self {
        case .sigma2: Self.sigma2Nonce
        case .sigma3: Self.sigma3Nonce
        case .sigma1Resume: Self.sigma1ResumeNonce
        case .sigma2Resume: Self.sigma2ResumeNonce
        }
    }

    private static let sigma2Nonce = nonce("NCASE_Sigma2N")
    private static let sigma3Nonce = nonce("NCASE_Sigma3N")
    private static let sigma1ResumeNonce = nonce("NCASE_SigmaS1")
    private static let sigma2ResumeNonce = nonce("NCASE_SigmaS2")

    private static func nonce(_ text: String) -> FixedBytes<13> {
        let bytes = [UInt8](text.utf8)
        return FixedBytes(copying: bytes.span)
    }
}

extension MutableSpan where Element == UInt8 {
    @_lifetime(self: copy self)
    fileprivate mutating func copy(_ bytes: Span<UInt8>, to offset: Int) {
        for index in bytes.indices { self[offset + index] = bytes[index] }
    }
}

/// SPAKE2+ on P-256 with SHA-256, HKDF and HMAC, in the draft that Matter keeps to:
/// draft-bar-cfrg-spake2plus-01. Core §3.10.
///
/// Here are what a passcode becomes on either side; the run itself is in SPAKE2PlusProver and
/// SPAKE2PlusResponder. Not here: messages, the rules for iterations and salts, counting of tries.
package import Base

/// What the prover needs of a passcode: it never goes over the wire and is never stored.
package struct SPAKE2PlusSecrets: Sendable {
    /// 32 octets each, 1 ... n - 1.
    package let w0: Secret
    package let w1: Secret

    /// - Parameters:
    ///   - passcode: 4 octets, least significant first.
    ///   - iterations: of PBKDF2, 1 or more; what a peer may ask for is bounded by the caller.
    package init(passcode: Secret, salt: Span<UInt8>, iterations: Int) {
        precondition(passcode.count == 4, "a passcode has 4 octets")
        // Eight octets more than a scalar has, each: the remainders are as good as uniform.
        let derived = PBKDF2.derive(
            password: passcode.span, salt: salt, iterations: iterations, count: 80)
        w0 = P256Scalar.reduced(derived.span.extracting(0..<40))
        w1 = P256Scalar.reduced(derived.span.extracting(40..<80))
        precondition(
            P256Scalar.isScalar(w0.span) && P256Scalar.isScalar(w1.span),
            "no salt that can be found gives zero")
    }

    /// - Throws: `invalidParameter` when one is not 32 octets or out of range.
    package init(w0: Secret, w1: Secret) throws(CryptoError) {
        guard P256Scalar.isScalar(w0.span), P256Scalar.isScalar(w1.span) else {
            throw .invalidParameter
        }
        self.w0 = w0
        self.w1 = w1
    }
}

/// What the responder keeps of a passcode. The passcode can be guessed from it, so it is secret,
/// but it does not suffice to play the prover.
package struct SPAKE2PlusVerifier: Sendable {
    package static let serializedBytes = 97

    /// 32 octets, 1 ... n - 1.
    package let w0: Secret
    /// w1 * G, uncompressed.
    package let l: FixedBytes<65>

    package init(_ secrets: SPAKE2PlusSecrets) {
        w0 = secrets.w0
        l = P256Scalar.publicPoint(of: secrets.w1)
    }

    /// - Parameter serialized: w0, then L: 97 octets.
    /// - Throws: `invalidParameter` for another size or a w0 out of range, `invalidPublicKey`
    ///   when L is no point.
    package init(_ serialized: Span<UInt8>) throws(CryptoError) {
        guard serialized.count == SPAKE2PlusVerifier.serializedBytes,
            P256Scalar.isScalar(serialized.extracting(0..<32))
        else { throw .invalidParameter }
        l = try P256.PublicKey(serialized.extracting(32..<97)).bytes
        w0 = Secret(serialized.extracting(0..<32))
    }

    /// w0, then L: what OpenCommissioningWindow carries. Core §11.19.8.1
    package var serialized: Secret {
        Secret(count: SPAKE2PlusVerifier.serializedBytes) { output in
            for index in 0..<32 { output[index] = w0.span[index] }
            for index in 0..<65 { output[32 + index] = l[index] }
        }
    }
}

/// The names of the two sides, which the run confirms. Matter leaves both empty.
package struct SPAKE2PlusIdentities: Sendable {
    package let prover: [UInt8]
    package let verifier: [UInt8]

    package init(prover: [UInt8] = [], verifier: [UInt8] = []) {
        self.prover = prover
        self.verifier = verifier
    }
}

package import Base

/// The side that keeps the verifier: a device in its commissioning window.
package struct SPAKE2PlusResponder: Sendable {
    private let y: Secret
    private let verifier: SPAKE2PlusVerifier
    private let context: [UInt8]
    private let identities: SPAKE2PlusIdentities

    /// - Parameters:
    ///   - context: what both sides must have seen alike; in Matter a SHA-256.
    ///   - random: draws y, new for each run.
    package init(
        verifier: SPAKE2PlusVerifier, context: Span<UInt8>,
        identities: SPAKE2PlusIdentities = SPAKE2PlusIdentities(),
        using random: inout some RandomSource
    ) {
        y = P256Scalar.random(using: &random)
        self.verifier = verifier
        self.context = [UInt8](context)
        self.identities = identities
    }

    package init(
        verifier: SPAKE2PlusVerifier, context: FixedBytes<32>, using random: inout some RandomSource
    ) {
        self.init(verifier: verifier, context: context.span, using: &random)
    }

    /// - Throws: `invalidPublicKey` when pA is no point or gives infinity.
    package func receive(pA: Span<UInt8>) throws(CryptoError) -> SPAKE2PlusResponse {
        let point = try SPAKE2PlusPoints.shared.withoutM(pA, w0: verifier.w0)
        let l = try CurvePoint(verifier.l.span)
        let z = try CurvePoint(point, times: y).secretEncoding()
        let v = try CurvePoint(l, times: y).secretEncoding()
        let pB = SPAKE2PlusPoints.shared.blindedByN(y, w0: verifier.w0)
        let keys = SPAKE2PlusKeys(
            context: context.span, identities: identities, pA: pA, pB: pB.span, z: z, v: v,
            w0: verifier.w0)
        return SPAKE2PlusResponse(pB: pB, cB: keys.cB, expectedCA: keys.cA, ke: keys.ke)
    }
}

/// What the responder sends, and what it waits for before it uses the key.
package struct SPAKE2PlusResponse: Sendable {
    package let pB: FixedBytes<65>
    package let cB: FixedBytes<32>
    /// Not to be shown to anybody: it is for comparing with what the prover sends.
    package let expectedCA: FixedBytes<32>
    /// 16 octets; of worth only once `confirm(cA:)` has passed.
    package let ke: Secret

    /// - Throws: `authenticationFailed` when the prover does not know the passcode.
    package func confirm(cA: Span<UInt8>) throws(CryptoError) {
        guard expectedCA.span.isEqual(to: cA) else { throw .authenticationFailed }
    }
}

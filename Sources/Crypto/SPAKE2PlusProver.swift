package import Base

/// The side that knows the passcode: a commissioner.
package struct SPAKE2PlusProver: Sendable {
    /// What goes to the responder first.
    package let pA: FixedBytes<65>
    private let x: Secret
    private let secrets: SPAKE2PlusSecrets
    private let context: [UInt8]
    private let identities: SPAKE2PlusIdentities

    /// - Parameters:
    ///   - context: what both sides must have seen alike; in Matter a SHA-256.
    ///   - random: draws x, new for each run.
    package init(
        secrets: SPAKE2PlusSecrets, context: Span<UInt8>,
        identities: SPAKE2PlusIdentities = SPAKE2PlusIdentities(),
        using random: inout some RandomSource
    ) {
        x = P256Scalar.random(using: &random)
        pA = SPAKE2PlusPoints.shared.blindedByM(x, w0: secrets.w0)
        self.secrets = secrets
        self.context = [UInt8](context)
        self.identities = identities
    }

    package init(
        secrets: SPAKE2PlusSecrets, context: FixedBytes<32>, using random: inout some RandomSource
    ) {
        self.init(secrets: secrets, context: context.span, using: &random)
    }

    /// Takes the responder's answer. A run may take only one: another answer is another guess.
    /// - Returns: the confirmation for the responder, and Ke, 16 octets.
    /// - Throws: `invalidPublicKey` when pB is no point or gives infinity,
    ///   `authenticationFailed` when the other side's passcode or context is not ours.
    package func finish(
        pB: Span<UInt8>, cB: Span<UInt8>
    ) throws(CryptoError) -> (cA: FixedBytes<32>, ke: Secret) {
        let point = try SPAKE2PlusPoints.shared.withoutN(pB, w0: secrets.w0)
        let z = try CurvePoint(point, times: x).secretEncoding()
        let v = try CurvePoint(point, times: secrets.w1).secretEncoding()
        let keys = SPAKE2PlusKeys(
            context: context.span, identities: identities, pA: pA.span, pB: pB, z: z, v: v,
            w0: secrets.w0)
        guard keys.cB.span.isEqual(to: cB) else { throw .authenticationFailed }
        return (keys.cA, keys.ke)
    }
}

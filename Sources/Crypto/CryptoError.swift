/// What a peer, a stored record or a typed code can get wrong in cryptography.
///
/// A failure of libcrypto itself (no memory, no randomness, an algorithm that is not there)
/// is no case of this: nothing sensible can be done, and the process stops.
package enum CryptoError: Error, Equatable {
    /// Not an uncompressed point of P-256, not on the curve, or the point at infinity.
    case invalidPublicKey
    /// Not 32 octets, or not in 1 ... n - 1.
    case invalidPrivateKey
    /// A tag or a confirmation does not match.
    case authenticationFailed
    /// A serialized value has the wrong size or is out of its range.
    case invalidParameter
}

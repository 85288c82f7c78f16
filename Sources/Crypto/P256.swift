package import Base
internal import Synchronization

/// Keys on P-256 (secp256r1), the one curve of Matter. Core §3.5.
package enum P256 {
    /// A point that was checked: on the curve and not infinity.
    package struct PublicKey: Hashable, Sendable {
        /// The uncompressed form: 04, x, y.
        package let bytes: FixedBytes<65>

        /// - Throws: `invalidPublicKey` when `bytes` is anything but a finite point of the
        ///   curve in its uncompressed form.
        package init(_ bytes: Span<UInt8>) throws(CryptoError) {
            _ = try CurvePoint(bytes)
            guard let copy = FixedBytes<65>(bytes) else { throw .invalidPublicKey }
            self.bytes = copy
        }

        /// - Parameter point: what libcrypto itself encoded.
        fileprivate init(encoded point: FixedBytes<65>) {
            bytes = point
        }

        /// ECDSA with SHA-256.
        /// - Parameter signature: r and s in 32 octets each; anything may be in them.
        package func verify(_ signature: FixedBytes<64>, over message: Span<UInt8>) -> Bool {
            let digest = SHA256.digest(message)
            return ECDSAVerification.shared.withLock { verification in
                verification.verify(signature, digest: digest, publicKey: bytes)
            }
        }
    }

    /// A scalar and its point.
    package final class PrivateKey: Sendable {
        /// 32 octets, most significant first, 1 ... n - 1.
        package let scalar: Secret
        package let publicKey: PublicKey
        private let signing: Mutex<ECDSASigning>

        /// A new key; a source that can be repeated gives a key that can be repeated.
        package static func generate(using random: inout some RandomSource) -> PrivateKey {
            PrivateKey(checked: P256Scalar.random(using: &random))
        }

        /// - Throws: `invalidPrivateKey` when the scalar is not 32 octets or out of range.
        package convenience init(scalar: Secret) throws(CryptoError) {
            guard P256Scalar.isScalar(scalar.span) else { throw .invalidPrivateKey }
            self.init(checked: scalar)
        }

        private init(checked scalar: Secret) {
            self.scalar = scalar
            publicKey = PublicKey(encoded: P256Scalar.publicPoint(of: scalar))
            signing = Mutex(ECDSASigning())
        }

        /// ECDSA with SHA-256: r and s in 32 octets each. The nonce is libcrypto's own draw, so
        /// the same message is signed differently each time.
        package func sign(_ message: Span<UInt8>) -> FixedBytes<64> {
            let digest = SHA256.digest(message)
            return signing.withLock { signing in
                signing.sign(digest, scalar: scalar, publicKey: publicKey.bytes)
            }
        }

        /// ECDH: the x coordinate of the common point, 32 octets. SEC 1 §3.3.1.
        package func sharedSecret(with peer: PublicKey) throws(CryptoError) -> Secret {
            let point = try CurvePoint(peer.bytes.span)
            return try CurvePoint(point, times: scalar).secretX()
        }
    }
}

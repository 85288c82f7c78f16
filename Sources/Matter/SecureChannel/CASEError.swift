internal import Crypto

/// Why a CASE handshake ended without a session. Core §4.14.2.
package enum CASEError: Error, Equatable {
    /// The peer gave up and said why.
    case statusReport(StatusReport)
    /// The peer has no room for us now; another try after `wait` may do.
    case busy(wait: Duration)
    /// A message that has no place at this point.
    case unexpected(SecureChannelOpcode)
    /// A payload beyond `Limits.handshakeMessageBytes`.
    case oversized(bytes: Int)
    case malformed(TLVError)
    /// Session id 0 is the unsecured session.
    case zeroSessionID
    /// A Sigma1 for a node that we are on none of our fabrics.
    case noSharedTrustRoots
    /// An ephemeral key that is no point of the curve.
    case invalidPoint
    /// Encrypted certificates that do not open: other keys, or altered on the way.
    case authenticationFailed
    /// The peer's certificates do not make an identity of our fabric.
    case certificate(CertificateError)
    /// The peer is on another fabric than the one it was sought on.
    case wrongFabric(FabricID)
    /// Another node answered than the one that was sought.
    case wrongNode(NodeID)
    /// The peer does not have the private key of its certificate.
    case invalidSignature
    /// A Sigma1 with half of what a resumption needs.
    case incompleteResumption
    /// The answer to a resumption comes from somebody who does not know the earlier secret.
    case resumptionFailed
}

extension CASEError: HandshakeError {
    /// What cryptography refuses in what the peer sent.
    init(_ error: CryptoError) {
        switch error {
        case .invalidPublicKey: self = .invalidPoint
        case .authenticationFailed: self = .authenticationFailed
        case .invalidPrivateKey, .invalidParameter:
            preconditionFailure("only our own secrets can be of the wrong size")
        }
    }

    /// What to tell the peer; nil where the peer ended the handshake itself.
    package var reply: StatusReport? {
        switch self {
        case .statusReport, .busy: nil
        case .noSharedTrustRoots: StatusReport(.failure, .noSharedTrustRoots)
        case .unexpected, .oversized, .malformed, .zeroSessionID, .invalidPoint,
            .authenticationFailed, .certificate, .wrongFabric, .wrongNode, .invalidSignature,
            .incompleteResumption, .resumptionFailed:
            StatusReport(.failure, .invalidParameter)
        }
    }
}

internal import Crypto

/// Why a PASE handshake ended without a session. Core §4.14.1.
package enum PASEError: Error, Equatable {
    /// The peer gave up and said why.
    case statusReport(StatusReport)
    /// The peer serves somebody else; another try after `wait` may do.
    case busy(wait: Duration)
    /// A message that has no place at this point.
    case unexpected(SecureChannelOpcode)
    /// A payload beyond `Limits.handshakeMessageBytes`.
    case oversized(bytes: Int)
    case malformed(TLVError)
    /// The response repeats another random than that of our request.
    case randomMismatch
    /// Session id 0 is the unsecured session.
    case zeroSessionID
    /// A passcode other than that of the setup payload is asked for.
    case unknownPasscodeID(UInt16)
    /// The response lacks the PBKDF parameters that the request asked for.
    case missingPBKDFParameters
    case iterationsOutOfRange(UInt32)
    case saltOutOfRange(bytes: Int)
    /// A share that is no point of the curve, or is the point at infinity.
    case invalidPoint
    /// The key confirmation does not hold: the two sides used different passcodes.
    case wrongPasscode
}

extension PASEError: HandshakeError {
    /// What SPAKE2+ refuses in what the peer sent.
    init(_ error: CryptoError) {
        switch error {
        case .invalidPublicKey: self = .invalidPoint
        case .authenticationFailed: self = .wrongPasscode
        case .invalidPrivateKey, .invalidParameter:
            preconditionFailure("only our own secrets can be of the wrong size")
        }
    }

    /// What to tell the peer; nil where the peer ended the handshake itself.
    package var reply: StatusReport? {
        switch self {
        case .statusReport, .busy: nil
        case .unexpected, .oversized, .malformed, .randomMismatch, .zeroSessionID,
            .unknownPasscodeID, .missingPBKDFParameters, .iterationsOutOfRange, .saltOutOfRange,
            .invalidPoint, .wrongPasscode:
            StatusReport(.failure, .invalidParameter)
        }
    }
}

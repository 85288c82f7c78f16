/// Every bound of the protocol code, with its reason.
package enum Limits {
    /// Containers inside containers. The deepest Matter message, a list of structures inside a
    /// chunked report, needs 9; two bits for each must fit 64.
    package static let tlvDepth = 16

    /// Characters of a setup code: the most that one QR symbol holds (ISO/IEC 18004 version 40,
    /// alphanumeric). It also bounds the devices of one code, to 214.
    package static let setupCharacters = 4296

    /// Payload of a handshake message: a datagram that passes every IPv6 link (1280 octets)
    /// without its IPv6 and UDP headers. The longest, a Sigma2 with two certificates of 400
    /// octets, needs 1,100.
    package static let handshakeMessageBytes = 1232

    /// Core §4.13.1: the longest interval and threshold that a node may announce.
    package static let sessionInterval = Duration.seconds(3600)

    /// Core §3.9 (CRYPTO_PBKDF_ITERATIONS_MIN and MAX). A peer chooses them, so they also bound
    /// the time of one derivation.
    package static let pbkdfIterations: ClosedRange<UInt32> = 1_000...100_000

    /// Core §3.9: octets of the salt.
    package static let pbkdfSaltBytes = 16...32
}

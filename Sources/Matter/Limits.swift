/// Every bound of the protocol code, with its reason.
package enum Limits {
    /// Containers inside containers. The deepest Matter message, a list of structures inside a
    /// chunked report, needs 9; two bits for each must fit 64.
    package static let tlvDepth = 16

    /// Characters of a setup code: the most that one QR symbol holds (ISO/IEC 18004 version 40,
    /// alphanumeric). It also bounds the devices of one code, to 214.
    package static let setupCharacters = 4296

    /// A UDP datagram that fits the smallest IPv6 link: 1280 less the two headers. Core §4.4.4.
    package static let datagramBytes = 1232
    /// Sessions at once: two for each of 100 nodes while they change over, and handshakes.
    /// A power of two, for the slot is part of a session's id.
    package static let sessions = 256
    /// Exchanges at once: one for each node that is asked and each that reports.
    package static let exchanges = 256
    /// Datagrams made in one turn and not yet handed to the link; beyond it they are lost and
    /// sent again later, as if the network had lost them.
    package static let outbox = 64

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

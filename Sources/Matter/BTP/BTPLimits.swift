extension Limits {
    /// Octets of a segment. The least is what an ATT packet of 23 octets carries, the most an
    /// attribute value in one link-layer packet of 251. Core §4.20.3.
    package static let btpSegmentBytes = 20...244
    /// Octets of a message: what fits the smallest IPv6 link fits here too. Core §4.4.4.
    package static let btpMessageBytes = 1280
    /// Messages that wait for the link: one of each exchange that commissioning has at once, and
    /// an acknowledgement or report beside each.
    package static let btpMessages = 4
    /// Segments a peer may send before we acknowledge. A response of three full segments in both
    /// directions passes without a stand-alone acknowledgement.
    package static let btpWindow: UInt8 = 6
    /// From the handshake request to its response. Core §4.20.3 says 5 s; devices that compute
    /// while they answer took longer, so CHIP waits as long as this.
    package static let btpHandshakeWait = Duration.seconds(15)
    /// BTP_ACK_TIMEOUT: a segment without acknowledgement for this long ends the session.
    package static let btpAcknowledgementWait = Duration.seconds(15)
    /// How long a received segment may wait for one of ours to carry its acknowledgement: far
    /// below half of the peer's patience.
    package static let btpAcknowledgementDelay = Duration.milliseconds(2500)
    /// BTP_CONN_IDLE_TIMEOUT: no message either way for this long ends the session.
    package static let btpIdle = Duration.seconds(30)
}

/// Every bound of the virtual device, each with its reason.
enum Limits {
    /// Core §11.18.5.3: at least five fabrics; more than the least would only hide a full table
    /// from its tests.
    static let fabrics = 5
    /// Core §2.11.2.1: what a node keeps at least of access control, for each fabric.
    static let accessControlEntries = 4
    static let subjects = 4
    static let targets = 3
    /// Core §9.10.5.7: an extension for each fabric, of so many octets.
    static let extensions = 1
    static let extensionOctets = 128
    /// Core §2.11.1.2: the least that a node keeps for each fabric.
    static let groups = 4
    static let groupKeySets = 3
    /// Core §4.14.2.2.1: sessions that can be resumed, for each fabric, at least three.
    static let resumptions = 3
    /// More than one so that there is an order of networks.
    static let networks = 4
    /// Core §11.9.7: octets of a name, a passphrase and a Thread dataset.
    static let ssidOctets = 1...32
    static let wiFiCredentialsOctets = 64
    static let datasetOctets = 254

    /// Core §5.4.2.1: the announcement of a device that was not commissioned yet.
    static let announcement = Duration.seconds(15 * 60)
    /// Core §11.19.8.1: how long an administrator may have a window open, in seconds.
    static let windowSeconds: ClosedRange<UInt16> = 180...900
    /// Core §11.19.8.4: tries of the passcode after which the window closes.
    static let failedTries = 20
    /// Core §5.5: one try occupies the window for at most that long.
    static let handshake = Duration.seconds(60)
    /// Core §5.5: armed when a session by passcode is there.
    static let firstFailSafe = Duration.seconds(60)
    /// Core §11.10.6.2: what is recommended for each arming, and the bound of all of them.
    static let failSafeSeconds: UInt16 = 60
    static let cumulativeFailSafeSeconds: UInt16 = 900

    /// Handshakes at once: one for each fabric, and one by passcode.
    static let handshakes = 6
    /// Octets of AttestationElements: a declaration of 100 products has 550. Core §11.18.4.7.
    static let attestationElements = 900
    /// Core §6.5.1: octets of a certificate in the Matter encoding.
    static let certificate = 400
    /// Octets of all that is kept: five fabrics with three resumptions each need 14,000.
    static let stateOctets = 64 * 1024
    /// Event numbers that a start skips, so that none is given twice. Core §7.14.1.1.
    static let eventNumbers: UInt64 = 1000
    /// Core §11.1.5: characters of NodeLabel, and of a fabric's label.
    static let label = 32
    /// Octets of a datagram's buffer: one more than Core §4.4.4 allows, so that a longer one shows.
    static let datagramOctets = 1233
    /// RFC 6762 §17: a message of multicast DNS has at most 9,000 octets.
    static let multicastOctets = 9001
    /// Datagrams taken in one turn, so that a flood cannot starve the timers.
    static let datagramsPerTurn = 64
}

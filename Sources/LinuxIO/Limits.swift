/// Every bound of this module, with its reason.
enum Limits {
    /// Watched descriptors: about ten of the gateway's own, its installer inputs, and as many
    /// console clients as the socket admits.
    static let descriptors = 64
    /// Failed receptions in a row (reports of earlier sendings) passed over before the loop gets
    /// its turn again.
    static let receptionErrors = 16
    /// Interfaces with multicast: a board has two or three; each costs two sendings a query.
    static let multicastInterfaces = 8

    // MARK: Board

    /// Edges of a button taken at once: what the kernel keeps of them.
    static let edges = 16
    /// Readings of edges in one turn: a line that flutters starves nobody.
    static let edgeReadings = 4
    /// Until a device that has gone is looked for first, and at most: whoever puts a scanner back
    /// looks at it for so long.
    static let reopenFirst: Duration = .milliseconds(250)
    static let reopenMost: Duration = .seconds(4)
    /// Until a part of the board that cannot be used is tried again: whoever ends what holds its
    /// line looks at it for so long, and it costs next to nothing.
    static let partRetry: Duration = .seconds(30)
    /// Octets that wait for a slow serial line: 17 s of it at 9600 bit/s.
    static let serialOutput = 16 << 10
    /// Octets given to a serial line at once.
    static let serialWriting = 512

    // MARK: Input

    /// A passphrase or setup payload typed at a prompt; Wi-Fi's are at most 64 octets, several
    /// payloads joined are the longest.
    static let secretLine = 1024
    /// Everything on the standard input, for a secret: a Thread dataset in hexadecimal has 508.
    static let secretInput = 4096
    /// A line of a console: its commands are a tenth of that.
    static let inputLine = 512
    /// JSON text of a command: the longest list that a device takes in one write is smaller.
    static let jsonBytes = 64 << 10
    /// Containers inside containers, as in TLV.
    static let jsonDepth = 16
    /// A configuration file: ten times the example with all its comments.
    static let configurationBytes = 64 << 10
    /// A line of it: what libinih's 200 octets hold beside the ends of line and text.
    static let configurationLine = 196

    /// Files of networks in one folder: what somebody who travels with the board has seen.
    static let networkFiles = 256
    /// A file of networks: a wpa_supplicant.conf with hundreds.
    static let networkFileBytes = 64 << 10

    // MARK: Consoles

    /// Octets that wait for a console that does not read: the largest listing, several times.
    static let streamBacklog = 1 << 20
    /// Connections that wait to be accepted: as many as a shell script begins at once.
    static let pendingConsoles: Int32 = 16
    /// /etc/group of a machine with many users.
    static let groupFile = 1 << 20

    // MARK: Store

    /// Kept events: months of a busy site, about a megabyte.
    static let events = 10_000
    /// Events in the last good copy: what somebody who looks after a failure wants to see.
    static let copiedEvents = 200
    /// The database file, in pages of 4 KiB: 16 MiB. A hundred nodes need 0.2, all events 2.
    static let databasePages = 4096
    /// The copy, which holds fewer events than the database.
    static let copyBytes = 16 << 20
    /// Damaged databases kept for whoever wants to look; the last number is used again.
    static let damagedFiles = 8
    /// Stores that were replaced and are kept beside; the last number is used again.
    static let replacedFiles = 8
    /// How long the previous process may take to give up the store.
    static let lockPatience: Duration = .seconds(2)

    // MARK: MQTT

    /// For a name to be looked up: the C library asks three servers twice in so long.
    static let lookup: Duration = .seconds(12)
    /// Until a child that was ended is looked after again.
    static let childPatience: Duration = .milliseconds(50)
    /// For connecting with one address, with TLS and the broker's answer: a slow board needs a
    /// second for TLS, a packet that is lost three.
    static let brokerConnection: Duration = .seconds(15)
    /// MQTT's keep alive: a connection that is gone is noticed after one and a half of it.
    static let brokerKeepAliveSeconds: Int32 = 60
    /// How often the library may look at its clock for that.
    static let brokerTick: Duration = .seconds(5)
    /// Messages that a broker has not acknowledged: more than the owner has at once.
    static let brokerInFlight: UInt32 = 64
    /// Events of one turn that wait for the owner: what a broker says beyond that is lost.
    static let brokerEvents = 256
    /// A command; longer payloads are passed over.
    static let brokerPayload = 4096
    /// A password is one line.
    static let passwordFile = 1024
}

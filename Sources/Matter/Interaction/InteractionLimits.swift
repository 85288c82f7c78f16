extension Limits {
    /// Octets of a message we send. A datagram has 1,232 (Core §4.4.4: 1,280 less the IPv6 and
    /// UDP headers); from these go at most 24 of message header, 12 of protocol header, 16 of tag.
    package static let interactionPayload = 1_180
    /// Paths in one read: what every server must take (Core §2.11.2).
    package static let pathsPerRead = 9
    /// Paths in one subscription: what every server must take (Core §2.11.2.2).
    package static let pathsPerSubscription = 3
    /// Filters by data version in one request; with the most paths they fit one message.
    package static let dataVersionFilters = 32
    /// Attributes in one write; as many of the shortest fit one message.
    package static let attributesPerWrite = 64
    /// Messages of one write: `writtenListOctets` in messages that hold half of what they could.
    package static let chunksPerWrite = 32
    /// Octets of a list that is written: an access control list of 30 full entries.
    package static let writtenListOctets = 8 * 1_024
    /// Octets of a request around its commands or attributes: the structure, its flags, the list
    /// and the revision.
    static let messageOverhead = 24
    /// Octets around the fields of a command: structure, path (17 at most), reference and tags.
    static let commandOverhead = 28
    /// Commands in one message, whatever the peer takes: as many without fields fit.
    package static let commandsPerInvoke = 32
    /// Invokes that wait for their answers at once in a session with a peer that takes one
    /// command in each; a device has a handful of exchanges for all who talk to it.
    package static let invokesAtOnce = 4
    /// Reports that one read may gather. A bridge of 64 devices has about 100 attributes each.
    package static let reportsPerRead = 8_192
    /// Events that one read may gather; a device keeps some hundred.
    package static let eventsPerRead = 4_096
    /// Octets of values that one read may gather, so that a peer cannot fill the memory of a
    /// board; the same bridge sends about 150,000.
    package static let octetsPerRead = 512 * 1_024
    /// Messages that one read may take: `octetsPerRead` in messages that are half full.
    package static let chunksPerRead = 1_024
    /// Milliseconds between a timed request and its action: three round trips to a device that
    /// sleeps for 3 s.
    package static let timedRequestMilliseconds: UInt16 = 10_000
}

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
    /// Sessions at once: two for each of 250 nodes while they change over, and handshakes. They
    /// take memory as they come. A power of two, for the slot is part of a session's id.
    package static let sessions = 512
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

    /// Octets of a domain name, its final zero octet included (RFC 1035 §2.3.4).
    package static let dnsNameOctets = 255
    /// Compression pointers in one name. The longest names seen on links, those of reverse
    /// look-ups of IPv6, have 34 labels, each of which may stand behind a pointer of its own.
    package static let dnsNamePointers = 40

    /// Queries at a time: a controller that looks for 100 nodes after a power cut, and the
    /// browsing that a person may start besides.
    package static let mdnsQueries = 128
    /// Interfaces that are asked: a board has Ethernet, Wi-Fi and perhaps USB; each one more
    /// multiplies what is sent.
    package static let mdnsInterfaces = 8
    /// Names that records are kept for: the queries' own, and an instance and a host for each of
    /// 256 services. When they are used up, what else is listed waits until one goes.
    package static let mdnsNames = 768
    /// Records in all: 128 instances, each listed, with host, text and five addresses, on two
    /// interfaces. The one that was not heard for longest makes room.
    package static let mdnsRecords = 2048
    /// Instances listed under one name, counted on each interface apart; the one that was not
    /// heard for longest makes room. A building's 100 nodes fit on two interfaces.
    package static let mdnsListedInstances = 256
    /// SRV or TXT records of one instance: the value of today and the one that it replaces, on
    /// two interfaces.
    package static let mdnsRecordsOfInstance = 4
    /// Addresses of one host: link-local, IPv4, two prefixes with a temporary address each and
    /// those of a change of prefix, on two interfaces.
    package static let mdnsAddressesPerHost = 16
    /// Octets of a TXT record. Matter's keys together stay below 400, a border router's below
    /// 500; RFC 6763 §6.2 advises against more than 1,300.
    package static let mdnsTextOctets = 1300
    /// Records of one message that are looked at: a border router with 30 devices sends some 150
    /// in a message of the greatest size (9,000 octets, RFC 6762 §17).
    package static let mdnsRecordsPerMessage = 256
    /// Questions that are sent at a time; some five messages of them. More follow at once, after
    /// the owner took these.
    package static let mdnsQuestionsPerRound = 128
    /// The longest life of a record, the usual one of records without addresses
    /// (RFC 6762 §10): no answer is believed for longer without being heard again.
    package static let mdnsLongestLife = Duration.seconds(4500)
    /// The shortest life of a record that is no goodbye: it is asked for again within its life,
    /// and no responder may make us ask without pause.
    package static let mdnsShortestLife = Duration.seconds(15)

    /// Services that one host announces: a node on 16 fabrics, commissionable besides, and as
    /// much again for a process that plays several.
    package static let mdnsServices = 32
    /// Subtypes of one service: Matter has five.
    package static let mdnsSubtypes = 8
    /// Octets of the text that we announce: with its names, a port and five addresses it must
    /// fit one datagram. Matter's keys together stay below 400.
    package static let mdnsOwnTextOctets = 600
    /// Questions of one message that are answered; a query for all that a node has takes 12.
    package static let mdnsQuestionsPerMessage = 64
    /// Askers that wait for a unicast answer on one interface; the next are answered by
    /// multicast, which serves all of them at once.
    package static let mdnsAskers = 16
}

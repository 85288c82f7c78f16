extension Limits {
    /// Octets of one attribute of ours: five fabrics with certificates of 400 octets each and a
    /// list of 255 short items both fit.
    package static let attributeOctets = 16 * 1_024
    /// Octets of one report below which a status of one path, the longest thing that cannot be
    /// split, would not fit.
    package static let smallestServerMessage = 80
    /// Exchanges at a server at once: one for each subscription of five fabrics, and as many
    /// that ask. Beyond it the answer is that the node is busy.
    package static let serverExchanges = 32
    /// Subscriptions at a server, of all fabrics: three for each of five.
    package static let serverSubscriptions = 15
    /// The least of the longest intervals that a server promises: a subscriber that asks for
    /// none must not be told without pause that the node is there.
    package static let serverMaxIntervalSeconds: UInt16 = 1
    /// Events that a server keeps; the oldest makes room. Readers that were away for a while
    /// find the last hundred.
    package static let serverEvents = 128
    /// How long a peer may leave a server waiting in an exchange: the five transmissions to a
    /// peer that sleeps for 3 s take 38 s.
    package static let serverPatience = Duration.seconds(60)
}

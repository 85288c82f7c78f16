extension Limits {
    /// The ATT_MTU that we offer: a packet of this and its L2CAP header fill one link-layer packet
    /// of 251 octets, and more would not make segments larger. Core §4.20.2.1.
    package static let attMTU = 247
    /// The ATT_MTU before any is agreed on. Bluetooth Core, volume 3, part G, §5.2.1.
    package static let attMTUMinimum = 23
    /// Octets of an attribute's value. Bluetooth Core, volume 3, part F, §3.2.9.
    package static let attributeBytes = 512
    /// A transaction that takes longer has failed, and with it the bearer. Part F, §3.3.3.
    package static let attTransaction = Duration.seconds(30)
    /// Requests of one discovery. A device has some five services and a handful of characteristics
    /// in Matter's; each answer of the shortest size names one or two.
    package static let gattDiscoveryRequests = 64
    /// From a discovery that missed something to the only other one: devices connect before their
    /// table is complete.
    package static let gattRediscoveryDelay = Duration.seconds(1)
    /// Octets of advertising data in one report: the legacy 31, or an extended advertisement in
    /// one piece. Bluetooth Core, volume 4, part E, §7.7.65.13.
    package static let advertisingBytes = 229
}

package import Base

/// Tells the link which services this host has: the answering side of multicast DNS (RFC 6762).
///
/// Scope: announcements, answers, goodbyes. Not scope: asking (`MDNSQuerier`), sockets, and
/// choosing names. It does not probe (RFC 6762 §8.1): the names of Matter's services are unique
/// by how they are made, from random numbers, link-layer addresses and the ids of a fabric
/// (Core §4.3.1.1, §4.3.2.1), and a second owner could not be told to take another. Who probes
/// for one of these names is answered, and so learns that it is taken.
///
/// The contract of every machine: after each mutation take all transmits, then wait until
/// `nextDeadline` at the latest. What was not taken holds up what would follow.
package struct MDNSResponder: Sendable {
    private var speakers: [MDNSSpeaker]
    private var services: [MDNSOwnService] = []
    private var jitter: JitterSource
    private var transmits: [MDNSResponse] = []
    private var now = Instant(nanoseconds: 0)

    /// Silent until services are published and addresses are known.
    /// - Parameters:
    ///   - interfaces: their indices; at most `Limits.mdnsInterfaces` are used.
    ///   - seed: random; it spreads the answers of many hosts (RFC 6762 §6).
    package init(interfaces: [UInt32], seed: UInt64) {
        speakers = interfaces.prefix(Limits.mdnsInterfaces).map { MDNSSpeaker($0) }
        jitter = JitterSource(state: seed)
    }

    /// What the hosts of all services are reached at on this interface; at most
    /// `Limits.mdnsAddressesPerHost`. A change is announced, and none silences the interface.
    package mutating func set(
        addresses: [IPAddress], on interface: UInt32, at now: Instant
    ) {
        guard let index = speakers.firstIndex(where: { $0.interface == interface }) else {
            return
        }
        speakers[index].addresses = Array(addresses.prefix(Limits.mdnsAddressesPerHost))
        update(at: now)
    }

    /// Announces a service, or what changed of one of the same kind and instance.
    package mutating func publish(_ service: MDNSService, at now: Instant) {
        let own = MDNSOwnService(service)
        if let index = services.firstIndex(where: { $0.instance == own.instance }) {
            services[index] = own
        } else {
            precondition(services.count < Limits.mdnsServices, "a host has few services")
            services.append(own)
        }
        update(at: now)
    }

    /// Says goodbye (RFC 6762 §10.1); nothing when there is no such service.
    package mutating func withdraw(_ instance: String, _ kind: ServiceKind, at now: Instant) {
        let name = MDNSOwnService.instanceName(instance, kind)
        services.removeAll { $0.instance == name }
        update(at: now)
    }

    package var published: [MDNSService] { services.map(\.service) }

    /// Takes a datagram that arrived on this interface; what is no query is passed over.
    /// - Throws: what is malformed; nothing of such a message is answered.
    package mutating func receive(
        _ datagram: Span<UInt8>, from source: SocketAddress, on interface: UInt32,
        at now: Instant
    ) throws(DNSError) {
        self.now = max(now, self.now)
        guard source.port != 0, !source.address.isMulticast,
            let index = speakers.firstIndex(where: { $0.interface == interface })
        else { return settle() }
        do throws(DNSError) {
            let reply = try speakers[index].receive(
                datagram, from: source, jitter: &jitter, at: self.now)
            if let reply, transmits.count < Limits.outbox { transmits.append(reply) }
            settle()
        } catch {
            settle()
            throw error
        }
    }

    package mutating func advance(to now: Instant) {
        self.now = max(now, self.now)
        settle()
    }

    package mutating func nextTransmit() -> MDNSResponse? {
        transmits.isEmpty ? nil : transmits.removeFirst()
    }

    package var nextDeadline: Instant? { speakers.compactMap(\.nextDue).min() }

    private mutating func update(at instant: Instant) {
        now = max(now, instant)
        for index in speakers.indices {
            let records = services.records(with: speakers[index].addresses)
            transmits += speakers[index].hold(records, at: now)
        }
        settle()
    }

    private mutating func settle() {
        guard transmits.isEmpty else { return }
        for index in speakers.indices { transmits += speakers[index].speak(at: now) }
    }
}

/// A response to be sent from port 5353, with a hop limit of 255.
package struct MDNSResponse: Equatable, Sendable {
    package enum Destination: Hashable, Sendable {
        /// The groups of both families, as of `MDNSTransmit`.
        case group(interface: UInt32)
        case asker(SocketAddress)
    }

    package let payload: [UInt8]
    package let destination: Destination
}

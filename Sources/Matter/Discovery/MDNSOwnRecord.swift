internal import Base

/// A record of which this host is the source.
struct MDNSOwnRecord: Hashable, Sendable {
    let name: DomainName
    let data: Data

    enum Data: Hashable, Sendable {
        case known(MDNSRecordData)
        /// The name has records of these types and no others (NSEC, RFC 6762 §6.1).
        case nothingBut(MDNSRecordTypes)
    }

    init(_ name: DomainName, _ data: MDNSRecordData) {
        self.name = name
        self.data = .known(data)
    }

    init(_ name: DomainName, nothingBut types: MDNSRecordTypes) {
        self.name = name
        self.data = .nothingBut(types)
    }

    /// Nil for what only says that there is nothing.
    var known: MDNSRecordData? {
        if case .known(let data) = data { data } else { nil }
    }

    /// Others may have records of the same name and type (RFC 6762 §2).
    var isShared: Bool { known?.type == .ptr }

    /// RFC 6762 §10: what has to do with a host lives shortly, the rest for 75 minutes.
    var timeToLiveSeconds: UInt32 {
        switch known {
        case .ptr, .txt: 4500
        case .srv, .address, nil: 120
        }
    }

    func answers(_ question: borrowing DNSQuestion) -> Bool {
        guard let known, question.isInternet, name.isEqual(to: question.name) else { return false }
        return question.type == .any || MDNSRecordTypes(question.type) == known.type
    }

    /// RFC 6762 §7.1: the asker has it, with more than half of its life left.
    func isKnown(by answer: borrowing DNSRecord) -> Bool {
        guard let known, answer.timeToLiveSeconds >= timeToLiveSeconds / 2,
            MDNSRecordTypes(answer.data.type) == known.type, name.isEqual(to: answer.name)
        else { return false }
        let address: IPAddress?
        switch answer.data {
        case .a(let octets): address = IPAddress(ipv4: octets)
        case .aaaa(let octets): address = IPAddress(octets)
        default: address = nil
        }
        return known.isEqual(to: answer.data, address)
    }

    func isOfSameSet(as other: MDNSOwnRecord) -> Bool {
        known?.type == other.known?.type && name == other.name
    }
}

extension MDNSRecordTypes: Hashable {}

/// A service with its names, as it is announced.
struct MDNSOwnService: Sendable {
    let service: MDNSService
    let instance: DomainName
    let host: DomainName
    /// All but the host's addresses.
    let records: [MDNSOwnRecord]

    init(_ service: MDNSService) {
        self.service = service
        let type = DomainName(labels: service.kind.labels)
        instance = Self.instanceName(service.instance, service.kind)
        host = DomainName(labels: [service.host, "local"])
        var text = service.text.flatMap { [UInt8($0.count)] + $0 }
        // RFC 6763 §6.1: an empty text is one empty string.
        if text.isEmpty { text = [0] }
        let lists =
            [type]
            + service.subtypes.map { DomainName(labels: [$0, "_sub"] + service.kind.labels) }
        records =
            lists.map { [instance] list in MDNSOwnRecord(list, .ptr(instance)) } + [
                // RFC 6763 §9: which services there are at all.
                MDNSOwnRecord(
                    DomainName(labels: ["_services", "_dns-sd", "_udp", "local"]), .ptr(type)),
                MDNSOwnRecord(instance, .srv(port: service.port, host: host)),
                MDNSOwnRecord(instance, .txt(text)),
            ]
    }

    static func instanceName(_ instance: String, _ kind: ServiceKind) -> DomainName {
        DomainName(labels: [instance] + kind.labels)
    }
}

extension [MDNSOwnService] {
    /// Everything that there is to say on an interface with these addresses, each record once;
    /// nothing where the hosts have no address.
    func records(with addresses: [IPAddress]) -> [MDNSOwnRecord] {
        guard !addresses.isEmpty else { return [] }
        var seen: Set<MDNSOwnRecord> = []
        return flatMap { service in
            service.records
                + addresses.map { MDNSOwnRecord(service.host, .address($0.scoped(to: 0))) }
        }.filter { seen.insert($0).inserted }
    }
}

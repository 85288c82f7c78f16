internal import Base

/// Where the walk from the queries found an instance with a host and an address.
struct MDNSVisit {
    let instance: Int
    let host: Int
    let revision: Revision

    /// The state of the two places; equal revisions stand for equal records.
    struct Revision: Equatable {
        let instance: UInt64
        let host: UInt64
    }
}

extension MDNSTable {
    /// Reaches an instance and its host, wants what is missing or old there, and says where they
    /// are once there is an address.
    mutating func visit(
        _ name: DomainName, interfaces: [UInt32], at now: Instant
    ) -> MDNSVisit? {
        guard let index = reach(name, as: .instance) else { return nil }
        let instance = places[index]
        for type in [MDNSRecordTypes.srv, .txt] {
            if !instance.holds(type) || instance.holdsOld(type, at: now) {
                want(type, at: index)
            }
        }
        guard let service = instance.current(.srv, interfaces: interfaces),
            case .srv(_, let hostName) = service.data,
            let hostIndex = reach(hostName, as: .host)
        else { return nil }
        let host = places[hostIndex]
        // Matter is spoken over IPv6: an IPv4 address does not end the search for a better one.
        if !host.holds(.aaaa) || host.holdsOld(.aaaa, at: now) { want(.aaaa, at: hostIndex) }
        if host.records.isEmpty || host.holdsOld(.a, at: now) { want(.a, at: hostIndex) }
        guard host.holds([.aaaa, .a]) else { return nil }
        return MDNSVisit(
            instance: index, host: hostIndex,
            revision: .init(instance: instance.revision, host: host.revision))
    }

    func record(_ kind: ServiceKind, _ visit: MDNSVisit, interfaces: [UInt32]) -> ServiceRecord? {
        let instance = places[visit.instance]
        guard let service = instance.current(.srv, interfaces: interfaces),
            case .srv(let port, let host) = service.data
        else { return nil }
        var rawText: [UInt8] = []
        if let text = instance.current(.txt, interfaces: interfaces),
            case .txt(let octets) = text.data
        {
            rawText = octets
        }
        var text = ServiceText()
        if kind != .borderRouter, let checked = DNSText(rawText.span) {
            text = ServiceText(checked)
        }
        return ServiceRecord(
            kind: kind, instance: instance.name.firstLabel, hostName: host, port: port,
            addresses: places[visit.host].addresses(interfaces: interfaces),
            rawText: rawText, text: text, interface: service.interface)
    }
}

extension MDNSPlace {
    /// The record that counts where one alone can: not one that is ending if there is another,
    /// then of the preferred interface, then the one learnt last.
    func current(_ type: MDNSRecordTypes, interfaces: [UInt32]) -> MDNSRecord? {
        var best: (record: MDNSRecord, rank: Int)?
        for record in records where record.data.type == type {
            let rank = interfaces.firstIndex(of: record.interface) ?? 0
            guard let known = best else {
                best = (record, rank)
                continue
            }
            let isBetter =
                if record.isEnding != known.record.isEnding {
                    known.record.isEnding
                } else if rank != known.rank {
                    rank < known.rank
                } else {
                    record.learnt >= known.record.learnt
                }
            if isBetter { best = (record, rank) }
        }
        return best?.record
    }

    /// Each address once, those of the preferred interface first.
    func addresses(interfaces: [UInt32]) -> [IPAddress] {
        var addresses: [IPAddress] = []
        for interface in interfaces {
            for record in records where record.interface == interface {
                if case .address(let address) = record.data, !addresses.contains(address) {
                    addresses.append(address)
                }
            }
        }
        return addresses
    }
}

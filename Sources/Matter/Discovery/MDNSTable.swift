internal import Base

/// The cache of a querier: places by name, records in them, all bounded.
struct MDNSTable: Sendable {
    private(set) var places: [MDNSPlace] = []
    /// The hashes of the places' names, in the same order, to be searched quickly.
    private var hashes: [UInt32] = []
    private var recordCount = 0
    private var changes: UInt64 = 0
    /// Something changed that queries may have to know of.
    var isDirty = false

    func index(of name: borrowing DNSName) -> Int? {
        let hash = name.foldedHash
        for index in hashes.indices where hashes[index] == hash {
            if places[index].name.isEqual(to: name) { return index }
        }
        return nil
    }

    func index(of name: DomainName) -> Int? {
        for index in hashes.indices where hashes[index] == name.hash {
            if places[index].name == name { return index }
        }
        return nil
    }

    /// The place of a name that is of interest, made if there is none yet; nil when there is no
    /// room for one.
    mutating func reach(_ name: DomainName, as use: MDNSPlace.Uses) -> Int? {
        if let index = index(of: name) {
            places[index].uses.insert(use)
            places[index].isReached = true
            return index
        }
        guard places.count < Limits.mdnsNames else { return nil }
        changes += 1
        places.append(MDNSPlace(name, uses: use, revision: changes))
        hashes.append(name.hash)
        return places.count - 1
    }

    mutating func list(instancesOf service: DomainName, at index: Int) {
        places[index].service = service
    }

    /// During a walk.
    mutating func want(_ types: MDNSRecordTypes, at index: Int) {
        places[index].willWant.formUnion(types)
    }

    mutating func restart(at index: Int, now: Instant) { places[index].restart(at: now) }

    mutating func asked(at index: Int, now: Instant) { places[index].asked(at: now) }

    /// Begins a walk that reaches anew what is of interest; `sweep` ends it.
    mutating func beginWalk() {
        for index in places.indices {
            places[index].isReached = false
            places[index].uses = []
            places[index].willWant = []
        }
    }

    /// Forgets the places that the walk did not reach, and records of no use where they are.
    mutating func sweep(at now: Instant) {
        if places.contains(where: { !$0.isReached }) {
            places.removeAll { !$0.isReached }
            hashes = places.map(\.name.hash)
        }
        recordCount = 0
        for index in places.indices {
            let types = places[index].uses.types
            places[index].records.removeAll { !types.contains($0.data.type) }
            recordCount += places[index].records.count
            places[index].settleWants(at: now)
        }
    }
}

extension MDNSTable {
    /// Takes a record of a name that has a place for it.
    mutating func hear(
        _ record: borrowing DNSRecord, as type: MDNSRecordTypes, on interface: UInt32,
        isFromLoopback: Bool, at now: Instant
    ) {
        guard let index = index(of: record.name), accepts(record, as: type, at: index) else {
            return
        }
        var address: IPAddress?
        if type == .a || type == .aaaa {
            address = MDNSTable.address(
                in: record.data, on: interface, acceptsLoopback: isFromLoopback)
            guard address != nil else { return }
        }
        let same = places[index].records.firstIndex { known in
            known.interface == interface && known.data.isEqual(to: record.data, address)
        }
        guard record.timeToLiveSeconds > 0 else {
            if let same { finish(same, at: index, now: now) }
            return
        }
        if record.flushesCache { replace(type, except: same, at: index, on: interface, now: now) }
        let life = min(
            max(.seconds(record.timeToLiveSeconds), Limits.mdnsShortestLife),
            Limits.mdnsLongestLife)
        if let same {
            renew(same, at: index, type: type, life: life, now: now)
        } else if let data = MDNSRecordData(record.data, address) {
            add(MDNSRecord(data, interface: interface, life: life, at: now), at: index)
        }
    }

    /// Ends what has outlived its time, and notes what grows old.
    mutating func expire(at now: Instant) {
        for index in places.indices {
            let count = places[index].records.count
            if places[index].records.contains(where: { $0.end <= now }) {
                places[index].records.removeAll { $0.end <= now }
                recordCount -= count - places[index].records.count
                touch(index)
            }
            let wanted = places[index].wanted
            if places[index].records.contains(where: {
                $0.growsOld <= now && !wanted.contains($0.data.type)
            }) {
                isDirty = true
            }
        }
    }

    /// Forgets what was heard on interfaces other than these, and asks for everything again.
    mutating func use(interfaces: [UInt32], at now: Instant) {
        recordCount = 0
        for index in places.indices {
            places[index].records.removeAll { !interfaces.contains($0.interface) }
            recordCount += places[index].records.count
            places[index].restart(at: now)
            touch(index)
        }
    }

    /// When something expires, grows old or, where there is whom to ask, is to be asked for.
    func deadline(canAsk: Bool) -> Instant {
        var deadline = Instant.distantFuture
        for place in places {
            if canAsk, !place.wanted.isEmpty { deadline = min(deadline, place.nextAsk) }
            for record in place.records {
                deadline = min(deadline, record.end)
                if !place.wanted.contains(record.data.type) {
                    deadline = min(deadline, record.growsOld)
                }
            }
        }
        return deadline
    }
}

extension MDNSTable {
    /// Whether the place is one for such records, and the record is one that can be true.
    private func accepts(
        _ record: borrowing DNSRecord, as type: MDNSRecordTypes, at index: Int
    ) -> Bool {
        let uses = places[index].uses
        switch record.data {
        case .ptr(let target):
            guard uses.contains(.listing), !target.firstLabel.isEmpty,
                let service = places[index].service
            else { return false }
            return service.isEqual(to: target.parent)
        case .srv(let service):
            return uses.contains(.instance) && service.port != 0 && !service.target.isRoot
        case .txt(let text):
            return uses.contains(.instance) && text.octets.count <= Limits.mdnsTextOctets
        case .a, .aaaa:
            return uses.contains(.host)
        case .other:
            return false
        }
    }

    /// The address of a record, or nil for one that no other node can be reached at. An IPv4
    /// address disguised as an IPv6 one is none.
    private static func address(
        in data: DNSRecordData, on interface: UInt32, acceptsLoopback: Bool
    ) -> IPAddress? {
        let address: IPAddress
        switch data {
        case .a(let octets): address = IPAddress(ipv4: octets)
        case .aaaa(let octets):
            address = IPAddress(octets, scope: interface)
            guard !address.isIPv4 else { return nil }
        default: return nil
        }
        let isBroadcast = address.isIPv4 && address.octets[12] >= 240
        guard !address.isMulticast, !address.isUnspecified, !isBroadcast else { return nil }
        return address.isLoopback && !acceptsLoopback ? nil : address
    }

    private mutating func add(_ record: MDNSRecord, at index: Int) {
        let type = record.data.type
        if places[index].records.count(where: { $0.data.type == type }) >= type.limit {
            evict(from: index...index, ofType: type)
        } else if recordCount >= Limits.mdnsRecords {
            evict(from: 0...(places.count - 1), ofType: nil)
        }
        places[index].records.append(record)
        recordCount += 1
        touch(index)
        switch record.data {
        case .ptr(let target): _ = reach(target, as: .instance)
        case .srv(_, let host): _ = reach(host, as: .host)
        case .txt, .address: break
        }
    }

    /// Removes the record that was not heard for longest.
    private mutating func evict(from range: ClosedRange<Int>, ofType type: MDNSRecordTypes?) {
        var oldest: (place: Int, record: Int)?
        var heard = Instant.distantFuture
        for place in range {
            for (index, record) in places[place].records.enumerated()
            where record.heard < heard && (type == nil || record.data.type == type) {
                oldest = (place, index)
                heard = record.heard
            }
        }
        guard let oldest else { return }
        places[oldest.place].records.remove(at: oldest.record)
        recordCount -= 1
        touch(oldest.place)
    }

    private mutating func renew(
        _ record: Int, at index: Int, type: MDNSRecordTypes, life: Duration, now: Instant
    ) {
        if places[index].records[record].isEnding { touch(index) }
        if type != .ptr, places[index].wanted.contains(type) { isDirty = true }
        places[index].records[record].renew(life: life, at: now)
    }

    private mutating func finish(_ record: Int, at index: Int, now: Instant) {
        places[index].records[record].finish(at: now)
        touch(index)
    }

    /// RFC 6762 §10.2: records of this type heard on the same link more than a second ago are
    /// void, unless they are repeated.
    private mutating func replace(
        _ type: MDNSRecordTypes, except same: Int?, at index: Int, on interface: UInt32,
        now: Instant
    ) {
        for other in places[index].records.indices where other != same {
            let record = places[index].records[other]
            guard record.interface == interface, record.data.type == type, !record.isEnding,
                record.heard + .seconds(1) < now
            else { continue }
            finish(other, at: index, now: now)
        }
    }

    private mutating func touch(_ index: Int) {
        changes += 1
        places[index].revision = changes
        isDirty = true
    }
}

extension MDNSRecordData {
    /// - Parameter address: that of an address record.
    init?(_ data: DNSRecordData, _ address: IPAddress?) {
        switch data {
        case .ptr(let target): self = .ptr(DomainName(target))
        case .srv(let service): self = .srv(port: service.port, host: DomainName(service.target))
        case .txt(let text): self = .txt([UInt8](text.octets))
        case .a, .aaaa:
            guard let address else { return nil }
            self = .address(address)
        case .other: return nil
        }
    }

    func isEqual(to data: DNSRecordData, _ address: IPAddress?) -> Bool {
        switch self {
        case .ptr(let known):
            if case .ptr(let target) = data { known.isEqual(to: target) } else { false }
        case .srv(let port, let host):
            if case .srv(let service) = data {
                port == service.port && host.isEqual(to: service.target)
            } else {
                false
            }
        case .txt(let known):
            if case .txt(let text) = data { known.span.isEqual(to: text.octets) } else { false }
        case .address(let known): known == address
        }
    }
}

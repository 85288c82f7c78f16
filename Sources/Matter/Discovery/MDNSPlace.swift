internal import Base

/// What is known under one name that is of interest, and when it is asked for.
///
/// There is a place for each name that a query asks for, for each instance listed under one, and
/// for the host of each instance. Records of other names find no place and are not kept.
struct MDNSPlace: Sendable {
    let name: DomainName
    /// What the name is looked at as; records that do not fit this are not taken.
    var uses: Uses
    /// What instances listed here must be instances of.
    var service: DomainName?
    var records: [MDNSRecord] = []
    /// Another number after each change; never that of another state of any place.
    var revision: UInt64
    /// What is missing here or grows old.
    private(set) var wanted: MDNSRecordTypes = []
    /// What the walk from the queries has found to be wanted so far.
    var willWant: MDNSRecordTypes = []
    /// When to ask for it; without meaning while nothing is wanted.
    private(set) var nextAsk = Instant.distantFuture
    /// Whether the next question is the first of its kind, which asks for a unicast answer.
    private(set) var isFirstAsk = true
    private var interval = MDNSPlace.firstInterval
    private var lastAsked: Instant?
    /// Found again on the walk from the queries; see `MDNSTable.sweep`.
    var isReached = true

    struct Uses: OptionSet {
        let rawValue: UInt8
        static let listing = Uses(rawValue: 1)
        static let instance = Uses(rawValue: 2)
        static let host = Uses(rawValue: 4)

        /// The records that are of use here.
        var types: MDNSRecordTypes {
            var types: MDNSRecordTypes = []
            if contains(.listing) { types.insert(.ptr) }
            if contains(.instance) { types.formUnion([.srv, .txt]) }
            if contains(.host) { types.formUnion([.aaaa, .a]) }
            return types
        }
    }

    init(_ name: DomainName, uses: Uses, revision: UInt64) {
        self.name = name
        self.uses = uses
        self.revision = revision
    }

    func holds(_ types: MDNSRecordTypes) -> Bool {
        records.contains { types.contains($0.data.type) }
    }

    func holdsOld(_ types: MDNSRecordTypes, at now: Instant) -> Bool {
        records.contains { types.contains($0.data.type) && $0.growsOld <= now }
    }

    /// RFC 6762 §5.2: after the first question at least a second, then longer and longer.
    private static let firstInterval = Duration.seconds(1)
    private static let intervalFactor = 3
    private static let longestInterval = Duration.seconds(60)

    /// Wants exactly what the walk said from now on. What was not wanted so far is asked for at
    /// once, and never within a second of the last question.
    mutating func settleWants(at now: Instant) {
        if !willWant.subtracting(wanted).isEmpty { restart(at: now) }
        wanted = willWant
    }

    mutating func restart(at now: Instant) {
        nextAsk = max(now, lastAsked.map { $0 + Self.firstInterval } ?? now)
        interval = Self.firstInterval
        isFirstAsk = true
    }

    mutating func asked(at now: Instant) {
        lastAsked = now
        nextAsk = now + interval
        interval = min(interval * Self.intervalFactor, Self.longestInterval)
        isFirstAsk = false
    }
}

/// A record as it was heard on one interface.
struct MDNSRecord: Sendable {
    let data: MDNSRecordData
    let interface: UInt32
    /// When it was first heard.
    let learnt: Instant
    /// When it was last heard.
    private(set) var heard: Instant
    /// Void within a second: it said goodbye or was replaced (RFC 6762 §10.1, §10.2).
    private(set) var isEnding = false
    /// RFC 6762 §5.2: from 80 per cent of its life on it is asked for again.
    private(set) var growsOld: Instant
    private(set) var end: Instant
    /// Half of its life.
    private var middle: Instant

    init(_ data: MDNSRecordData, interface: UInt32, life: Duration, at now: Instant) {
        self.data = data
        self.interface = interface
        learnt = now
        heard = now
        growsOld = now + life * 4 / 5
        middle = now + life / 2
        end = now + life
    }

    /// Heard again.
    mutating func renew(life: Duration, at now: Instant) {
        isEnding = false
        heard = now
        growsOld = now + life * 4 / 5
        middle = now + life / 2
        end = now + life
    }

    mutating func finish(at now: Instant) {
        isEnding = true
        growsOld = .distantFuture
        end = min(end, now + MDNSRecord.grace)
    }

    /// RFC 6762 §7.1: listed as known while more than half of its life is left.
    func isWorthListing(at now: Instant) -> Bool { !isEnding && now < middle }

    private static let grace = Duration.seconds(1)
}

enum MDNSRecordData: Hashable, Sendable {
    case ptr(DomainName)
    case srv(port: UInt16, host: DomainName)
    case txt([UInt8])
    case address(IPAddress)

    var type: MDNSRecordTypes {
        switch self {
        case .ptr: .ptr
        case .srv: .srv
        case .txt: .txt
        case .address(let address): address.isIPv4 ? .a : .aaaa
        }
    }
}

/// A set of the types of records that matter here.
struct MDNSRecordTypes: OptionSet, Sendable {
    let rawValue: UInt8
    static let ptr = MDNSRecordTypes(rawValue: 1)
    static let srv = MDNSRecordTypes(rawValue: 2)
    static let txt = MDNSRecordTypes(rawValue: 4)
    static let aaaa = MDNSRecordTypes(rawValue: 8)
    static let a = MDNSRecordTypes(rawValue: 16)

    /// Each alone, with its number on the wire.
    static let wire: [(MDNSRecordTypes, DNSType)] = [
        (.ptr, .ptr), (.srv, .srv), (.txt, .txt), (.aaaa, .aaaa), (.a, .a),
    ]

    /// Empty for a type that does not matter.
    init(_ type: DNSType) {
        self = MDNSRecordTypes.wire.first { $0.1 == type }?.0 ?? []
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// How many records of this type a place keeps.
    var limit: Int {
        switch self {
        case .ptr: Limits.mdnsListedInstances
        case .srv, .txt: Limits.mdnsRecordsOfInstance
        default: Limits.mdnsAddressesPerHost
        }
    }
}

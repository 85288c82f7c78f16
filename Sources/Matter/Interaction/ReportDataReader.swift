internal import Base

/// Walks the attributes and events of one ReportData payload where it stands, without allocating.
/// Reads and subscriptions are both built on it. Core §10.7.3.
package struct ReportDataReader: ~Escapable {
    package let subscriptionID: UInt32?
    /// Another message of the same report follows.
    package let hasMoreChunks: Bool
    /// The sender wants no StatusResponse.
    package let suppressesResponse: Bool
    private var reports: TLVReader
    var events: TLVReader
    /// Of the event read last; the next one may count from it.
    var timestamp: EventTimestamp?

    /// - Throws: `malformed` when the payload is not one structure, whole to its end.
    @_lifetime(copy payload)
    package init(_ payload: Span<UInt8>) throws(InteractionError) {
        do throws(TLVError) {
            var reader = TLVReader(payload)
            let message = try reader.require()
            try message.expect(.structure)
            var subscription: UInt32?
            var more = false
            var suppress = false
            reports = TLVReader(payload.extracting(..<0), in: .array)
            events = TLVReader(payload.extracting(..<0), in: .array)
            while let member = try reader.member() {
                switch member.contextTag {
                case 0: subscription = try member.integer()
                case 1:
                    try member.expect(.array)
                    reports = TLVReader(try reader.content(), in: .array)
                case 2:
                    try member.expect(.array)
                    events = TLVReader(try reader.content(), in: .array)
                case 3: more = try member.boolean()
                case 4: suppress = try member.boolean()
                default: try reader.skip(member)
                }
            }
            guard reader.isAtEnd else { throw .trailingBytes(at: reader.offset) }
            subscriptionID = subscription
            hasMoreChunks = more
            suppressesResponse = suppress
        } catch {
            throw .malformed(error)
        }
    }

    /// The next attribute, or nil after the last.
    @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func next() throws(InteractionError) -> ReportedAttribute? {
        do throws(TLVError) {
            guard let report = try reports.next() else { return nil }
            try report.expect(.structure)
            return try ReportedAttribute(&reports)
        } catch {
            throw .malformed(error)
        }
    }
}

/// One attribute as a report gives it; the value borrows the payload.
package struct ReportedAttribute: ~Escapable {
    package enum Value: ~Escapable {
        /// One TLV element; its tag has no meaning.
        case data(Span<UInt8>)
        /// Why there is no value.
        case status(InteractionStatus, clusterStatus: UInt8?)
    }

    package let path: ConcreteAttributePath
    /// The value is one more item of the list reported last for this path.
    package let isListItem: Bool
    /// Of the cluster; nil where there is no value.
    package let dataVersion: UInt32?
    package let value: Value

    /// Reads the members of an AttributeReportIB, to its end. One of the two must be there; what
    /// later editions add is passed over.
    @_lifetime(copy reader)
    fileprivate init(_ reader: inout TLVReader) throws(TLVError) {
        while let member = try reader.member() {
            guard member.contextTag == 0 || member.contextTag == 1 else {
                try reader.skip(member)
                continue
            }
            try member.expect(.structure)
            if member.contextTag == 0 {
                self = try ReportedAttribute(status: &reader)
            } else {
                self = try ReportedAttribute(data: &reader)
            }
            while let rest = try reader.member() { try reader.skip(rest) }
            return
        }
        throw .missing(tag: 1)
    }

    /// Reads the members of an AttributeDataIB, to its end. Core §10.6.4.
    @_lifetime(copy reader)
    private init(data reader: inout TLVReader) throws(TLVError) {
        var location: Location?
        var version: UInt32?
        var octets: Span<UInt8>?
        while let member = try reader.member() {
            switch member.contextTag {
            case 0: version = try member.integer()
            case 1:
                try member.expect(.list)
                location = try Location(&reader)
            case 2: octets = try reader.whole(member)
            default: try reader.skip(member)
            }
        }
        guard let location else { throw .missing(tag: 1) }
        guard let octets else { throw .missing(tag: 2) }
        path = location.path
        isListItem = location.isListItem
        dataVersion = version
        value = .data(octets)
    }

    /// Reads the members of an AttributeStatusIB, to its end. Core §10.6.16.
    @_lifetime(copy reader)
    private init(status reader: inout TLVReader) throws(TLVError) {
        var location: Location?
        var status: StatusIB?
        while let member = try reader.member() {
            switch member.contextTag {
            case 0:
                try member.expect(.list)
                location = try Location(&reader)
            case 1: status = try StatusIB(from: member, &reader)
            default: try reader.skip(member)
            }
        }
        guard let location else { throw .missing(tag: 0) }
        guard let status else { throw .missing(tag: 1) }
        path = location.path
        isListItem = false
        dataVersion = nil
        value = .status(status.status, clusterStatus: status.clusterStatus)
    }
}

/// What a reported AttributePathIB says. Its three ids must be there: tag compression, which
/// would leave some out, is refused with them. Core §10.6.2.
private struct Location {
    let path: ConcreteAttributePath
    let isListItem: Bool

    init(_ reader: inout TLVReader) throws(TLVError) {
        var endpoint: UInt16?
        var cluster: UInt32?
        var attribute: UInt32?
        var item = false
        while let member = try reader.member() {
            switch member.contextTag {
            case 2: endpoint = try member.integer()
            case 3: cluster = try member.integer()
            case 4: attribute = try member.integer()
            case 5:
                guard member.isNull else { throw .wrongType(tag: 5) }
                item = true
            default: try reader.skip(member)
            }
        }
        guard let endpoint else { throw .missing(tag: 2) }
        guard let cluster else { throw .missing(tag: 3) }
        guard let attribute else { throw .missing(tag: 4) }
        path = ConcreteAttributePath(
            endpoint: EndpointID(endpoint), cluster: ClusterID(cluster),
            attribute: AttributeID(attribute))
        isListItem = item
    }
}

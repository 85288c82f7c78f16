internal import Base

/// How much an event matters. Core §7.14.1.4.
package enum EventPriority: UInt8, NamedNumber {
    case debug = 0
    case info = 1
    case critical = 2
}

/// An event that happened, as a server writes it. Core §10.6.9.
package struct EventDataIB: TLVStructure, Hashable, Sendable {
    package var path = EventPath()
    package var eventNumber: UInt64 = 0
    package var priority = OpenEnum(EventPriority.info)
    /// Milliseconds since 1970.
    package var epochTimestamp: UInt64?
    /// Milliseconds since the node started.
    package var systemTimestamp: UInt64?
    /// Since the event before it in the message; likewise the next.
    package var deltaEpochTimestamp: UInt64?
    package var deltaSystemTimestamp: UInt64?
    package var data = EncodedElement.emptyStructure

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "path", &path)
        try field(1, "eventNumber", &eventNumber)
        try field(2, "priority", &priority)
        try field(3, "epochTimestamp", &epochTimestamp)
        try field(4, "systemTimestamp", &systemTimestamp)
        try field(5, "deltaEpochTimestamp", &deltaEpochTimestamp)
        try field(6, "deltaSystemTimestamp", &deltaSystemTimestamp)
        try field(7, "data", &data)
    }
}

/// Core §10.6.15.
package struct EventStatusIB: TLVStructure, Hashable, Sendable {
    package var path = EventPath()
    package var status = StatusIB()

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "path", &path)
        try field(1, "status", &status)
    }
}

/// One of the two. Core §10.6.10.
package struct EventReportIB: TLVStructure, Hashable, Sendable {
    package var eventStatus: EventStatusIB?
    package var eventData: EventDataIB?

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "eventStatus", &eventStatus)
        try field(1, "eventData", &eventData)
    }
}

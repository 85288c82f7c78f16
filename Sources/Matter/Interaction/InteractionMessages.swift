internal import Base

// The messages of Core §10.7, as both sides read and write them. Each ends with the revision of
// the interaction model; it is not required on reading, and fields unknown here are passed over.

/// Core §10.7.1.
package struct StatusResponse: TLVStructure, Hashable, Sendable {
    package var status = InteractionStatus.success
    package var interactionModelRevision: UInt8? = Specification.interactionModelRevision

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "status", &status)
        try field(0xFF, "interactionModelRevision", &interactionModelRevision)
    }
}

/// Core §10.7.2.
package struct ReadRequest: TLVStructure, Hashable, Sendable {
    package var attributeRequests: [AttributePath]?
    package var eventRequests: [EventPath]?
    package var eventFilters: [EventFilterIB]?
    /// Leaves out the items of lists that belong to other fabrics.
    package var fabricFiltered = true
    package var dataVersionFilters: [DataVersionFilterIB]?
    package var interactionModelRevision: UInt8? = Specification.interactionModelRevision

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "attributeRequests", &attributeRequests)
        try field(1, "eventRequests", &eventRequests)
        try field(2, "eventFilters", &eventFilters)
        try field(3, "fabricFiltered", &fabricFiltered)
        try field(4, "dataVersionFilters", &dataVersionFilters)
        try field(0xFF, "interactionModelRevision", &interactionModelRevision)
    }
}

/// The whole of a report. A reader walks it with `ReportDataReader` instead. Core §10.7.3.
package struct ReportData: TLVStructure, Hashable, Sendable {
    package var subscriptionID: UInt32?
    package var attributeReports: [AttributeReportIB]?
    package var eventReports: [EventReportIB]?
    package var moreChunkedMessages: Bool?
    package var suppressResponse: Bool?
    package var interactionModelRevision: UInt8? = Specification.interactionModelRevision

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "subscriptionID", &subscriptionID)
        try field(1, "attributeReports", &attributeReports)
        try field(2, "eventReports", &eventReports)
        try field(3, "moreChunkedMessages", &moreChunkedMessages)
        try field(4, "suppressResponse", &suppressResponse)
        try field(0xFF, "interactionModelRevision", &interactionModelRevision)
    }
}

/// Core §10.7.4.
package struct SubscribeRequest: TLVStructure, Hashable, Sendable {
    package var keepSubscriptions = false
    package var minIntervalFloorSeconds: UInt16 = 0
    package var maxIntervalCeilingSeconds: UInt16 = 0
    package var attributeRequests: [AttributePath]?
    package var eventRequests: [EventPath]?
    package var eventFilters: [EventFilterIB]?
    package var fabricFiltered = true
    package var dataVersionFilters: [DataVersionFilterIB]?
    package var interactionModelRevision: UInt8? = Specification.interactionModelRevision

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "keepSubscriptions", &keepSubscriptions)
        try field(1, "minIntervalFloor", &minIntervalFloorSeconds)
        try field(2, "maxIntervalCeiling", &maxIntervalCeilingSeconds)
        try field(3, "attributeRequests", &attributeRequests)
        try field(4, "eventRequests", &eventRequests)
        try field(5, "eventFilters", &eventFilters)
        try field(7, "fabricFiltered", &fabricFiltered)
        try field(8, "dataVersionFilters", &dataVersionFilters)
        try field(0xFF, "interactionModelRevision", &interactionModelRevision)
    }
}

/// Core §10.7.5.
package struct SubscribeResponse: TLVStructure, Hashable, Sendable {
    package var subscriptionID: UInt32 = 0
    package var maxIntervalSeconds: UInt16 = 0
    package var interactionModelRevision: UInt8? = Specification.interactionModelRevision

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "subscriptionID", &subscriptionID)
        try field(2, "maxInterval", &maxIntervalSeconds)
        try field(0xFF, "interactionModelRevision", &interactionModelRevision)
    }
}

/// Core §10.7.6.
package struct WriteRequest: TLVStructure, Hashable, Sendable {
    package var suppressResponse: Bool?
    package var timedRequest = false
    package var writeRequests: [AttributeDataIB] = []
    package var moreChunkedMessages: Bool?
    package var interactionModelRevision: UInt8? = Specification.interactionModelRevision

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "suppressResponse", &suppressResponse)
        try field(1, "timedRequest", &timedRequest)
        try field(2, "writeRequests", &writeRequests)
        try field(3, "moreChunkedMessages", &moreChunkedMessages)
        try field(0xFF, "interactionModelRevision", &interactionModelRevision)
    }
}

/// Core §10.7.7.
package struct WriteResponse: TLVStructure, Hashable, Sendable {
    package var writeResponses: [AttributeStatusIB] = []
    package var interactionModelRevision: UInt8? = Specification.interactionModelRevision

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "writeResponses", &writeResponses)
        try field(0xFF, "interactionModelRevision", &interactionModelRevision)
    }
}

/// Core §10.7.8.
package struct TimedRequest: TLVStructure, Hashable, Sendable {
    package var timeoutMilliseconds: UInt16 = 0
    package var interactionModelRevision: UInt8? = Specification.interactionModelRevision

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "timeout", &timeoutMilliseconds)
        try field(0xFF, "interactionModelRevision", &interactionModelRevision)
    }
}

/// Core §10.7.9.
package struct InvokeRequest<Fields: TLVCodable & Sendable>: TLVStructure, Sendable {
    package var suppressResponse = false
    package var timedRequest = false
    package var invokeRequests: [CommandDataIB<Fields>] = []
    package var interactionModelRevision: UInt8? = Specification.interactionModelRevision

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "suppressResponse", &suppressResponse)
        try field(1, "timedRequest", &timedRequest)
        try field(2, "invokeRequests", &invokeRequests)
        try field(0xFF, "interactionModelRevision", &interactionModelRevision)
    }
}

/// Core §10.7.10.
package struct InvokeResponse: TLVStructure, Equatable, Sendable {
    package var suppressResponse = false
    package var invokeResponses: [InvokeResponseIB] = []
    package var moreChunkedMessages: Bool?
    package var interactionModelRevision: UInt8? = Specification.interactionModelRevision

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "suppressResponse", &suppressResponse)
        try field(1, "invokeResponses", &invokeResponses)
        try field(2, "moreChunkedMessages", &moreChunkedMessages)
        try field(0xFF, "interactionModelRevision", &interactionModelRevision)
    }
}

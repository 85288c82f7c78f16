internal import Base

/// Core §10.6.17.
package struct StatusIB: TLVStructure, Hashable, Sendable {
    package var status = InteractionStatus.success
    package var clusterStatus: UInt8?

    package init() {}

    package init(_ status: InteractionStatus, clusterStatus: UInt8? = nil) {
        self.status = status
        self.clusterStatus = clusterStatus
    }

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "status", &status)
        try field(1, "clusterStatus", &clusterStatus)
    }
}

/// Core §10.6.16.
package struct AttributeStatusIB: TLVStructure, Hashable, Sendable {
    package var path = AttributePath()
    package var status = StatusIB()

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "path", &path)
        try field(1, "status", &status)
    }
}

/// Core §10.6.4.
package struct AttributeDataIB: TLVStructure, Hashable, Sendable {
    /// Written only while the cluster's data still has this version.
    package var dataVersion: UInt32?
    package var path = AttributePath()
    package var data = EncodedElement.emptyStructure

    package init() {}

    package init(dataVersion: UInt32? = nil, path: AttributePath, data: EncodedElement) {
        self.dataVersion = dataVersion
        self.path = path
        self.data = data
    }

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "dataVersion", &dataVersion)
        try field(1, "path", &path)
        try field(2, "data", &data)
    }
}

/// One of the two. Core §10.6.5.
package struct AttributeReportIB: TLVStructure, Hashable, Sendable {
    package var attributeStatus: AttributeStatusIB?
    package var attributeData: AttributeDataIB?

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "attributeStatus", &attributeStatus)
        try field(1, "attributeData", &attributeData)
    }
}

/// Leaves out what the reader already has in this version. Core §10.6.3.
package struct DataVersionFilterIB: TLVStructure, Hashable, Sendable {
    package var path = ClusterPath()
    package var dataVersion: UInt32 = 0

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "path", &path)
        try field(1, "dataVersion", &dataVersion)
    }
}

/// Leaves out events below this number. Core §10.6.6.
package struct EventFilterIB: TLVStructure, Hashable, Sendable {
    package var node: NodeID?
    package var eventMin: UInt64 = 0

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "node", &node)
        try field(1, "eventMin", &eventMin)
    }
}

/// A command or its response. `Fields` is the command's own structure when it is sent and an
/// `EncodedElement` when it is received. Core §10.6.12.
package struct CommandDataIB<Fields: TLVCodable & Sendable>: TLVStructure, Sendable {
    package var commandPath = CommandPath()
    package var commandFields: Fields?
    /// Tells the commands of one message apart.
    package var commandRef: UInt16?

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "commandPath", &commandPath)
        try field(1, "commandFields", &commandFields)
        try field(2, "commandRef", &commandRef)
    }
}

extension CommandDataIB: Equatable where Fields: Equatable {}

/// Core §10.6.14.
package struct CommandStatusIB: TLVStructure, Hashable, Sendable {
    package var commandPath = CommandPath()
    package var status = StatusIB()
    package var commandRef: UInt16?

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "commandPath", &commandPath)
        try field(1, "status", &status)
        try field(2, "commandRef", &commandRef)
    }
}

/// One of the two. Core §10.6.13.
package struct InvokeResponseIB: TLVStructure, Equatable, Sendable {
    package var command: CommandDataIB<EncodedElement>?
    package var status: CommandStatusIB?

    package init() {}

    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "command", &command)
        try field(1, "status", &status)
    }
}

internal import Base

/// What is on an endpoint. Core §9.5  Descriptor
package enum Descriptor: Cluster {
    package static let id = ClusterID(0x001D)
    package static let name: StaticString = "descriptor"

    package static let deviceTypeList = Attribute<[DeviceTypeStruct]>(
        id, 0x0000, "device-type-list")
    package static let serverList = Attribute<[ClusterID]>(id, 0x0001, "server-list")
    package static let clientList = Attribute<[ClusterID]>(id, 0x0002, "client-list")
    package static let partsList = Attribute<[EndpointID]>(id, 0x0003, "parts-list")
    package static let tagList = Attribute<[SemanticTagStruct]>(id, 0x0004, "tag-list")
    package static let endpointUniqueID = Attribute<String>(id, 0x0005, "endpoint-unique-id")

    package static let attributes = table(
        deviceTypeList, serverList, clientList, partsList, tagList, endpointUniqueID)
    package static let commands: [CommandInfo] = []
}

extension Descriptor {
    /// Core §9.5.5.1
    package struct DeviceTypeStruct: TLVStructure, Hashable, Sendable {
        package var deviceType = DeviceTypeID(0)
        package var revision: UInt16 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "deviceType", &deviceType)
            try field(1, "revision", &revision)
        }
    }

    /// Tells endpoints of the same type apart. Core §7.19.2.43
    package struct SemanticTagStruct: TLVStructure, Hashable, Sendable {
        package var mfgCode: Nullable<VendorID> = .null
        package var namespaceID: UInt8 = 0
        package var tag: UInt8 = 0
        package var label: Nullable<String>?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "mfgCode", &mfgCode)
            try field(1, "namespaceID", &namespaceID)
            try field(2, "tag", &tag)
            try field(3, "label", &label)
        }
    }
}

internal import Base

/// Who made a node and what it is called. Core §11.1  Basic Information
package enum BasicInformation: Cluster {
    package static let id = ClusterID(0x0028)
    package static let name: StaticString = "basic-information"

    package static let dataModelRevision = Attribute<UInt16>(id, 0x0000, "data-model-revision")
    package static let vendorName = Attribute<String>(id, 0x0001, "vendor-name")
    package static let vendorID = Attribute<VendorID>(id, 0x0002, "vendor-id")
    package static let productName = Attribute<String>(id, 0x0003, "product-name")
    package static let productID = Attribute<ProductID>(id, 0x0004, "product-id")
    package static let nodeLabel = Attribute<String>(id, 0x0005, "node-label", access: .readWrite)
    package static let location = Attribute<String>(id, 0x0006, "location", access: .readWrite)
    package static let hardwareVersion = Attribute<UInt16>(id, 0x0007, "hardware-version")
    package static let hardwareVersionString = Attribute<String>(
        id, 0x0008, "hardware-version-string")
    package static let softwareVersion = Attribute<UInt32>(id, 0x0009, "software-version")
    package static let softwareVersionString = Attribute<String>(
        id, 0x000A, "software-version-string")
    package static let manufacturingDate = Attribute<String>(id, 0x000B, "manufacturing-date")
    package static let partNumber = Attribute<String>(id, 0x000C, "part-number")
    package static let productURL = Attribute<String>(id, 0x000D, "product-url")
    package static let productLabel = Attribute<String>(id, 0x000E, "product-label")
    package static let serialNumber = Attribute<String>(id, 0x000F, "serial-number")
    package static let localConfigDisabled = Attribute<Bool>(
        id, 0x0010, "local-config-disabled", access: .readWrite)
    package static let reachable = Attribute<Bool>(id, 0x0011, "reachable")
    package static let uniqueID = Attribute<String>(id, 0x0012, "unique-id")
    package static let capabilityMinima = Attribute<CapabilityMinimaStruct>(
        id, 0x0013, "capability-minima")
    package static let productAppearance = Attribute<ProductAppearanceStruct>(
        id, 0x0014, "product-appearance")
    package static let specificationVersion = Attribute<UInt32>(id, 0x0015, "specification-version")
    package static let maxPathsPerInvoke = Attribute<UInt16>(id, 0x0016, "max-paths-per-invoke")
    package static let configurationVersion = Attribute<UInt32>(id, 0x0018, "configuration-version")

    package static let attributes = table(
        dataModelRevision, vendorName, vendorID, productName, productID, nodeLabel, location,
        hardwareVersion, hardwareVersionString, softwareVersion, softwareVersionString,
        manufacturingDate, partNumber, productURL, productLabel, serialNumber, localConfigDisabled,
        reachable, uniqueID, capabilityMinima, productAppearance, specificationVersion,
        maxPathsPerInvoke, configurationVersion)
    package static let commands: [CommandInfo] = []
}

extension BasicInformation {
    /// Core §11.1.4.4
    package struct CapabilityMinimaStruct: TLVStructure, Hashable, Sendable {
        package var caseSessionsPerFabric: UInt16 = 0
        package var subscriptionsPerFabric: UInt16 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "caseSessionsPerFabric", &caseSessionsPerFabric)
            try field(1, "subscriptionsPerFabric", &subscriptionsPerFabric)
        }
    }

    /// Core §11.1.4.3
    package struct ProductAppearanceStruct: TLVStructure, Hashable, Sendable {
        package var finish = OpenEnum(ProductFinish.other)
        package var primaryColor: Nullable<OpenEnum<Color>> = .null

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "finish", &finish)
            try field(1, "primaryColor", &primaryColor)
        }
    }

    /// Core §11.1.6.1: the node has started.
    package struct StartUp: TLVStructure, Hashable, Sendable {
        package static let id = EventID(0x00)

        package var softwareVersion: UInt32 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "softwareVersion", &softwareVersion)
        }
    }

    /// Core §11.1.6.2: the node stops in order.
    package struct ShutDown: TLVStructure, Hashable, Sendable {
        package static let id = EventID(0x01)

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {}
    }

    /// Core §11.1.6.3: the node is about to leave a fabric.
    package struct Leave: TLVStructure, Hashable, Sendable {
        package static let id = EventID(0x02)

        package var fabricIndex = FabricIndex(0)

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "fabricIndex", &fabricIndex)
        }
    }

    /// Core §11.1.4.1
    package enum ProductFinish: UInt8, NamedNumber {
        case other = 0
        case matte = 1
        case satin = 2
        case polished = 3
        case rugged = 4
        case fabric = 5
    }

    /// Core §11.1.4.2
    package enum Color: UInt8, NamedNumber {
        case black = 0
        case navy = 1
        case green = 2
        case teal = 3
        case maroon = 4
        case purple = 5
        case olive = 6
        case gray = 7
        case blue = 8
        case lime = 9
        case aqua = 10
        case red = 11
        case fuchsia = 12
        case yellow = 13
        case white = 14
        case nickel = 15
        case chrome = 16
        case brass = 17
        case copper = 18
        case silver = 19
        case gold = 20
    }
}

internal import Base

/// Who made a device behind a bridge and what it is called. Core §9.13  Bridged Device Basic
/// Information
package enum BridgedDeviceBasicInformation: Cluster {
    package static let id = ClusterID(0x0039)
    package static let name: StaticString = "bridged-device-basic-information"

    package static let vendorName = Attribute<String>(id, 0x0001, "vendor-name")
    package static let vendorID = Attribute<VendorID>(id, 0x0002, "vendor-id")
    package static let productName = Attribute<String>(id, 0x0003, "product-name")
    package static let productID = Attribute<UInt16>(id, 0x0004, "product-id")
    package static let nodeLabel = Attribute<String>(id, 0x0005, "node-label", access: .readWrite)
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
    package static let reachable = Attribute<Bool>(id, 0x0011, "reachable")
    package static let uniqueID = Attribute<String>(id, 0x0012, "unique-id")
    package static let productAppearance = Attribute<BasicInformation.ProductAppearanceStruct>(
        id, 0x0014, "product-appearance")
    package static let configurationVersion = Attribute<UInt32>(id, 0x0018, "configuration-version")

    package static let attributes = table(
        vendorName, vendorID, productName, productID, nodeLabel, hardwareVersion,
        hardwareVersionString, softwareVersion, softwareVersionString, manufacturingDate,
        partNumber, productURL, productLabel, serialNumber, reachable, uniqueID, productAppearance,
        configurationVersion)
    package static let commands = table(KeepActive.self)
}

extension BridgedDeviceBasicInformation {
    /// Core §9.13.6.1. Both in milliseconds.
    package struct KeepActive: Command, Equatable {
        package static let cluster = BridgedDeviceBasicInformation.id
        package static let id = CommandID(0x80)
        package static let name: StaticString = "keep-active"

        package var stayActiveDuration: UInt32 = 0
        package var timeoutMs: UInt32 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "stayActiveDuration", &stayActiveDuration)
            try field(1, "timeoutMs", &timeoutMs)
        }
    }
}

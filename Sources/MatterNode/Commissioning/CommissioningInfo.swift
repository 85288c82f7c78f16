internal import Base
internal import Crypto
package import Matter

/// What a device says of itself before it is commissioned, in one read. Core §5.5 step 4.
struct CommissioningInfo {
    let basicInfo: GeneralCommissioning.BasicCommissioningInfo?
    /// The location to set: the device's choice where it has one.
    let regulatoryConfig: OpenEnum<GeneralCommissioning.RegulatoryLocationType>
    let hasTimeSynchronization: Bool
    let fabrics: [OperationalCredentials.FabricDescriptorStruct]
    let vendorID: VendorID
    let productID: ProductID
    let vendorName: String
    let productName: String
    let serialNumber: String
    let endpoints: [EndpointRecord]

    /// Six paths: a server takes nine.
    static let paths = [
        AttributePath(endpoint: .root, cluster: GeneralCommissioning.id, attribute: nil),
        AttributePath(endpoint: .root, cluster: BasicInformation.id, attribute: nil),
        AttributePath(OperationalCredentials.fabrics, endpoint: .root),
        AttributePath(TimeSynchronization.featureMap, endpoint: .root),
        AttributePath(Descriptor.deviceTypeList, endpoint: nil),
        AttributePath(Descriptor.serverList, endpoint: nil),
    ]

    init(_ reports: AttributeReports) throws(PeerError) {
        do throws(InteractionError) {
            basicInfo = try reports.value(GeneralCommissioning.basicCommissioningInfo, .root)
            regulatoryConfig = try Self.regulatoryConfig(reports)
            hasTimeSynchronization =
                try reports.value(TimeSynchronization.featureMap, .root) != nil
            fabrics = try reports.value(OperationalCredentials.fabrics, .root) ?? []
            vendorID = try reports.value(BasicInformation.vendorID, .root) ?? VendorID(0)
            productID = try reports.value(BasicInformation.productID, .root) ?? ProductID(0)
            vendorName = try reports.value(BasicInformation.vendorName, .root) ?? ""
            productName = try reports.value(BasicInformation.productName, .root) ?? ""
            serialNumber = try reports.value(BasicInformation.serialNumber, .root) ?? ""
            endpoints = try EndpointRecord.described(by: reports)
        } catch { throw .interaction(error) }
    }

    /// Our place in its fabric table, as far as it has one. Core §11.18.4.5: a fabric is known by
    /// its root's public key and its id.
    func membership(in fabric: Fabric) -> OperationalCredentials.FabricDescriptorStruct? {
        let root = fabric.authority.root.publicKey.bytes
        return fabrics.first {
            $0.rootPublicKey == root && $0.fabricID == fabric.record.fabricID
        }
    }

    /// The device as the node that the run makes of it.
    func node(_ run: RunRecord, _ fabricIndex: FabricIndex) -> NodeRecord {
        var node = NodeRecord(
            nodeID: run.nodeID, fabricIndex: fabricIndex, vendorID: vendorID,
            productID: productID)
        node.vendorName = vendorName
        node.productName = productName
        node.serialNumber = serialNumber
        node.endpoints = endpoints
        node.name = run.name
        node.room = run.room
        node.isAttested = run.isAttested
        node.lastAddress = run.lastAddress
        return node
    }

    /// A device that can be anywhere keeps what it has; another is set to the only place it can
    /// be in.
    private static func regulatoryConfig(
        _ reports: AttributeReports
    ) throws(InteractionError) -> OpenEnum<GeneralCommissioning.RegulatoryLocationType> {
        let capability = try reports.value(GeneralCommissioning.locationCapability, .root)
        guard let capability, capability != OpenEnum(.indoorOutdoor) else {
            return try reports.value(GeneralCommissioning.regulatoryConfig, .root)
                ?? OpenEnum(.outdoor)
        }
        return capability
    }
}

extension EndpointRecord {
    /// What a node says of its endpoints, where it was asked for their DeviceTypeList and
    /// ServerList.
    package static func described(
        by reports: AttributeReports
    ) throws(InteractionError) -> [EndpointRecord] {
        var endpoints: [EndpointRecord] = []
        for endpoint in reports.endpoints(with: Descriptor.serverList).sorted() {
            let types = try reports.value(Descriptor.deviceTypeList, endpoint) ?? []
            let clusters = try reports.value(Descriptor.serverList, endpoint) ?? []
            endpoints.append(
                EndpointRecord(
                    endpoint: endpoint, deviceTypes: types.map(\.deviceType), clusters: clusters))
        }
        return endpoints
    }
}

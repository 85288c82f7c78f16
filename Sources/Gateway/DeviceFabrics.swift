internal import Crypto
package import Matter
package import MatterNode

/// Who administers a device, as the device says. Core §11.18.5.
package struct DeviceFabrics: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package let descriptor: OperationalCredentials.FabricDescriptorStruct
        package let isOurs: Bool
    }

    package let fabrics: [Entry]
    /// How many it can have; nil when it does not say.
    package let supported: UInt8?

    /// - Parameters:
    ///   - current: the place of who asked; nil when the device does not say.
    ///   - fabric: our own, by which it is known where a device leaves out the places.
    package init(
        _ descriptors: [OperationalCredentials.FabricDescriptorStruct], supported: UInt8?,
        current: FabricIndex?, fabric: Fabric
    ) {
        let root = fabric.authority.root.publicKey.bytes
        fabrics = descriptors.map { descriptor in
            let isOurs =
                if let index = descriptor.fabricIndex, let current {
                    index == current
                } else {
                    descriptor.rootPublicKey == root
                        && descriptor.fabricID == fabric.record.fabricID
                }
            return Entry(descriptor: descriptor, isOurs: isOurs)
        }
        self.supported = supported
    }

    init(_ reports: AttributeReports, fabric: Fabric) throws(InteractionError) {
        self.init(
            try reports.value(OperationalCredentials.fabrics, .root) ?? [],
            supported: try reports.value(OperationalCredentials.supportedFabrics, .root),
            current: try reports.value(OperationalCredentials.currentFabricIndex, .root),
            fabric: fabric)
    }

    static let paths = [
        AttributePath(OperationalCredentials.fabrics, endpoint: .root),
        AttributePath(OperationalCredentials.supportedFabrics, endpoint: .root),
        AttributePath(OperationalCredentials.currentFabricIndex, endpoint: .root),
    ]
}

extension Gateway {
    /// Asks a device for its fabrics, those of others among them.
    package func fabrics(of record: NodeRecord) async throws(GatewayError) -> DeviceFabrics {
        let reports = try await ask(record) { peer throws(PeerError) in
            try await peer.report(DeviceFabrics.paths, isFabricFiltered: false)
        }
        do throws(InteractionError) {
            return try DeviceFabrics(reports, fabric: fabric)
        } catch {
            throw .peer(.interaction(error))
        }
    }
}

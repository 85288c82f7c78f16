package import Matter
package import MatterNode

/// Who administers a device, as the device says. Core §11.18.5.
package struct DeviceFabrics: Equatable, Sendable {
    package let fabrics: [OperationalCredentials.FabricDescriptorStruct]
    /// How many it can have; nil when it does not say.
    package let supported: UInt8?
    /// Which of them asked; nil when it does not say.
    package let current: FabricIndex?

    package init(
        fabrics: [OperationalCredentials.FabricDescriptorStruct], supported: UInt8?,
        current: FabricIndex?
    ) {
        self.fabrics = fabrics
        self.supported = supported
        self.current = current
    }

    init(_ reports: AttributeReports) throws(InteractionError) {
        fabrics = try reports.value(OperationalCredentials.fabrics, .root) ?? []
        supported = try reports.value(OperationalCredentials.supportedFabrics, .root)
        current = try reports.value(OperationalCredentials.currentFabricIndex, .root)
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
        let peer = try await connect(record)
        let reports: AttributeReports
        do throws(PeerError) {
            reports = try await peer.report(DeviceFabrics.paths, isFabricFiltered: false)
        } catch { throw .peer(error) }
        do throws(InteractionError) { return try DeviceFabrics(reports) } catch {
            throw .peer(.interaction(error))
        }
    }
}

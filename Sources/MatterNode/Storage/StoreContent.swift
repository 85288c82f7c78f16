package import Base

/// Something that people set, under the key by which they know it. The value is as it was
/// checked when it was set.
package struct SettingRecord: Sendable, Equatable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// A product attestation authority that people added to those built in. Core §6.2.2.5.
package struct AuthorityRecord: Sendable, Equatable {
    /// Its subject key identifier.
    package var keyID: FixedBytes<20>
    /// X.509 DER.
    package var certificate: [UInt8]

    package init(keyID: FixedBytes<20>, certificate: [UInt8]) {
        self.keyID = keyID
        self.certificate = certificate
    }
}

/// All of a store that makes another machine this gateway: what a backup holds. Not in it is
/// what ages at once (resumptions, runs in progress) and what only looks back (events).
package struct StoreContent: Sendable {
    package var fabric: FabricRecord
    /// In the order in which they were commissioned.
    package var nodes: [NodeRecord] = []
    package var settings: [SettingRecord] = []
    package var authorities: [AuthorityRecord] = []
    package var networks = NetworksRecord()
    package var alerts: [AlertRecord] = []

    package init(fabric: FabricRecord) {
        self.fabric = fabric
    }

    /// - Returns: nil for a store without a fabric: nothing depends on that yet.
    package init?(_ store: any Store) throws(StoreError) {
        guard let fabric = try store.fabric() else { return nil }
        self.init(fabric: fabric)
        nodes = try store.nodes()
        settings = try store.settings()
        authorities = try store.authorities()
        networks = try store.networks()
        alerts = try store.alerts()
    }
}

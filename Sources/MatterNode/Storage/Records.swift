package import Base
package import Crypto
package import Matter

/// Our own fabric as it is kept: who we are and the keys that prove it.
package struct FabricRecord: Sendable {
    package var fabricID: FabricID
    /// The node id of this gateway.
    package var nodeID: NodeID
    /// The vendor id under which we administer, Core §11.18.6.8.
    package var adminVendorID: VendorID
    /// The root's private key, 32 octets. Who has it can join anything to the fabric.
    package var rootKey: Secret
    /// Matter TLV.
    package var rootCertificate: [UInt8]
    /// The private key of this gateway's own node, 32 octets.
    package var operationalKey: Secret
    /// Matter TLV.
    package var operationalCertificate: [UInt8]
    /// The epoch key of the identity protection key, 16 octets. Core §4.16.2.
    package var epochKey: Secret

    package init(
        fabricID: FabricID, nodeID: NodeID, adminVendorID: VendorID, rootKey: Secret,
        rootCertificate: [UInt8], operationalKey: Secret, operationalCertificate: [UInt8],
        epochKey: Secret
    ) {
        self.fabricID = fabricID
        self.nodeID = nodeID
        self.adminVendorID = adminVendorID
        self.rootKey = rootKey
        self.rootCertificate = rootCertificate
        self.operationalKey = operationalKey
        self.operationalCertificate = operationalCertificate
        self.epochKey = epochKey
    }
}

/// A device that was commissioned.
package struct NodeRecord: Sendable, Equatable {
    package var nodeID: NodeID
    /// Our place in the node's fabric table; needed to remove ourselves.
    package var fabricIndex: FabricIndex
    package var vendorID: VendorID
    package var productID: ProductID
    package var vendorName = ""
    package var productName = ""
    package var serialNumber = ""
    /// What each endpoint is, from its Descriptor.
    package var endpoints: [EndpointRecord] = []
    /// Given by people; empty until then.
    package var name = ""
    package var room = ""
    /// Where it was last reached. A hint only.
    package var lastAddress: SocketAddress?
    /// Whether its attestation was verified when it was commissioned.
    package var isAttested = true
    /// Seconds since 1970, by the clock of that moment; 0 when that clock was not plausible.
    package var commissionedAt: Int64 = 0
    /// Under which history is kept: the node's own id, or that of the first of the devices whose
    /// place it took one after the other. What was measured in a place stays one series when a
    /// dead device is replaced there.
    package var historyID: NodeID

    package init(
        nodeID: NodeID, fabricIndex: FabricIndex, vendorID: VendorID, productID: ProductID
    ) {
        self.nodeID = nodeID
        historyID = nodeID
        self.fabricIndex = fabricIndex
        self.vendorID = vendorID
        self.productID = productID
    }
}

package struct EndpointRecord: Sendable, Equatable {
    package var endpoint: EndpointID
    package var deviceTypes: [DeviceTypeID]
    /// Server clusters.
    package var clusters: [ClusterID]

    package init(endpoint: EndpointID, deviceTypes: [DeviceTypeID], clusters: [ClusterID]) {
        self.endpoint = endpoint
        self.deviceTypes = deviceTypes
        self.clusters = clusters
    }
}

/// Something that happened and that a person may ask about later.
package struct EventRecord: Sendable, Equatable {
    /// Seconds since 1970.
    package var time: Int64
    package var kind: Kind
    package var node: NodeID?
    /// One line for people; no secret and no control character.
    package var text: String

    package enum Kind: String, Sendable {
        case commissioned, failed, removed, renamed, shared, warning, storeRecovered, restored
        /// A network that devices are given was set or forgotten.
        case network
        case left, alert
        /// Who may use a console has changed.
        case access
    }

    package init(time: Int64, kind: Kind, node: NodeID?, text: String) {
        self.time = time
        self.kind = kind
        self.node = node
        self.text = text
    }
}

package import Base
internal import Crypto
package import Matter

/// A fabric that the node is a member of, and its identity there. Core §7.5.
package struct NodeFabric: Sendable {
    package let index: FabricIndex
    package let fabricID: FabricID
    package let nodeID: NodeID
    let root: MatterCertificate
    /// Matter TLV.
    let rootTLV: [UInt8]
    let noc: [UInt8]
    let icac: [UInt8]?
    let key: P256.PrivateKey
    /// Of group key set 0, 16 octets.
    let epochKey: Secret
    package let compressedFabricID: FixedBytes<8>
    package let credentials: CASECredentials
    package internal(set) var vendorID: VendorID
    package internal(set) var label: String

    /// - Throws: when a certificate is none, or the NOC is no node's.
    init(
        index: FabricIndex, vendorID: VendorID, label: String = "", root: [UInt8], noc: [UInt8],
        icac: [UInt8]?, key: P256.PrivateKey, epochKey: Secret
    ) throws(CertificateError) {
        let certificate = try MatterCertificate(tlv: noc.span)
        guard let nodeID = certificate.subject.nodeID,
            let fabricID = certificate.subject.fabricID
        else { throw .wrongSubject(.node) }
        self.root = try MatterCertificate(tlv: root.span)
        self.index = index
        self.fabricID = fabricID
        self.nodeID = nodeID
        self.vendorID = vendorID
        self.label = label
        rootTLV = root
        self.noc = noc
        self.icac = icac
        self.key = key
        self.epochKey = epochKey
        compressedFabricID = FabricKeys.compressedFabricID(
            root: self.root.publicKey, fabricID: fabricID)
        credentials = CASECredentials(
            fabricIndex: index, fabricID: fabricID, nodeID: nodeID, root: self.root, noc: noc,
            icac: icac, privateKey: key,
            ipk: FabricKeys.operationalKey(
                epochKey: epochKey, compressedFabricID: compressedFabricID))
    }

    package var operationalName: OperationalName {
        OperationalName(compressedFabricID: compressedFabricID, nodeID: nodeID)
    }

    /// The same with another key of group key set 0.
    func rekeyed(_ epochKey: Secret) -> NodeFabric {
        do throws(CertificateError) {
            return try NodeFabric(
                index: index, vendorID: vendorID, label: label, root: rootTLV, noc: noc,
                icac: icac, key: key, epochKey: epochKey)
        } catch { preconditionFailure("these certificates were read before") }
    }

    var descriptor: OperationalCredentials.FabricDescriptorStruct {
        OperationalCredentials.FabricDescriptorStruct {
            $0.rootPublicKey = root.publicKey.bytes
            $0.vendorID = vendorID
            $0.fabricID = fabricID
            $0.nodeID = nodeID
            $0.label = label
            $0.fabricIndex = index
        }
    }

    var certificates: OperationalCredentials.NOCStruct {
        OperationalCredentials.NOCStruct {
            $0.noc = Octets(noc)
            $0.icac = Nullable(icac.map(Octets.init))
            $0.fabricIndex = index
        }
    }
}

extension Nullable {
    init(_ value: Wrapped?) {
        self = value.map(Nullable.value) ?? .null
    }
}

package import Base
package import Crypto
package import Matter

/// Our own fabric, ready for use: who we are, the authority that lets devices in, and what every
/// handshake needs of us.
package struct Fabric: Sendable {
    package let record: FabricRecord
    package let authority: FabricAuthority
    package let credentials: CASECredentials
    package let compressedID: FixedBytes<8>

    /// A fabric that was stored.
    /// - Throws: what is wrong with its keys or certificates; the store is not to be trusted then.
    package init(_ record: FabricRecord) throws(FabricError) {
        self.record = record
        let root: MatterCertificate
        let rootKey: P256.PrivateKey
        let operationalKey: P256.PrivateKey
        do throws(CryptoError) {
            rootKey = try P256.PrivateKey(scalar: record.rootKey)
            operationalKey = try P256.PrivateKey(scalar: record.operationalKey)
        } catch { throw .key(error) }
        do throws(CertificateError) {
            root = try MatterCertificate(tlv: record.rootCertificate.span)
            authority = try FabricAuthority(
                key: rootKey, root: root, fabricID: record.fabricID)
        } catch { throw .certificate(error) }
        compressedID = FabricKeys.compressedFabricID(
            root: root.publicKey, fabricID: record.fabricID)
        credentials = CASECredentials(
            fabricID: record.fabricID, nodeID: record.nodeID, root: root,
            noc: record.operationalCertificate, privateKey: operationalKey,
            ipk: FabricKeys.operationalKey(
                epochKey: record.epochKey, compressedFabricID: compressedID))
    }

    /// A new fabric: random root, ids and keys, and a certificate for this gateway.
    package static func create(
        adminVendorID: VendorID, using random: inout some RandomSource
    ) -> FabricRecord {
        let fabricID = FabricID(max(1, random.uint64()))
        let authority = FabricAuthority(fabricID: fabricID, using: &random)
        let nodeID = NodeID.random(using: &random)
        let operationalKey = P256.PrivateKey.generate(using: &random)
        let noc = authority.issueNOC(
            publicKey: operationalKey.publicKey, nodeID: nodeID, using: &random)
        let epochKey = Secret(count: 16) { bytes in random.fill(&bytes) }
        return FabricRecord(
            fabricID: fabricID, nodeID: nodeID, adminVendorID: adminVendorID,
            rootKey: authority.key.scalar, rootCertificate: authority.root.tlv(),
            operationalKey: operationalKey.scalar, operationalCertificate: noc.tlv(),
            epochKey: epochKey)
    }

    package func name(of node: NodeID) -> OperationalName {
        OperationalName(compressedFabricID: compressedID, nodeID: node)
    }
}

package enum FabricError: Error, Equatable {
    case key(CryptoError)
    case certificate(CertificateError)
}

extension NodeID {
    /// A random operational id: the chance that two of them meet is nil for any building.
    package static func random(using random: inout some RandomSource) -> NodeID {
        while true {
            let node = NodeID(random.uint64())
            if node.isOperational { return node }
        }
    }
}

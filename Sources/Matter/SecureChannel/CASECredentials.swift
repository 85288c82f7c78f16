internal import Base
package import Crypto

/// Who we are on one fabric, prepared for any number of handshakes.
package struct CASECredentials: Sendable {
    /// The fabric's place in our own table; goes into `SessionSecrets`.
    package let fabricIndex: FabricIndex
    package let fabricID: FabricID
    package let nodeID: NodeID
    /// The root that the certificates of this fabric's nodes lead to.
    package let root: MatterCertificate
    /// The operational group key of the fabric's group key set 0; 16 octets.
    package let ipk: Secret
    private let noc: Octets
    private let icac: Octets?
    private let privateKey: P256.PrivateKey

    /// - Parameters:
    ///   - noc: Matter TLV, with `icac` between it and the root if there is one.
    ///   - privateKey: that of the key in `noc`.
    package init(
        fabricIndex: FabricIndex = FabricIndex(1), fabricID: FabricID, nodeID: NodeID,
        root: MatterCertificate, noc: [UInt8], icac: [UInt8]? = nil,
        privateKey: P256.PrivateKey, ipk: Secret
    ) {
        precondition(ipk.count == 16, "an operational group key has 16 octets")
        precondition(
            noc.count <= Limits.certificateTLV && (icac?.count ?? 0) <= Limits.certificateTLV,
            "a certificate was checked before it became ours")
        self.fabricIndex = fabricIndex
        self.fabricID = fabricID
        self.nodeID = nodeID
        self.root = root
        self.ipk = ipk
        self.noc = Octets(noc)
        self.icac = icac.map(Octets.init)
        self.privateKey = privateKey
    }

    func destinationID(of node: NodeID, initiatorRandom: FixedBytes<32>) -> FixedBytes<32> {
        FabricKeys.destinationID(
            ipk: ipk, initiatorRandom: initiatorRandom, root: root.publicKey, fabricID: fabricID,
            nodeID: node)
    }
}

extension CASECredentials {
    /// Our certificates, and the signature that binds them to this handshake.
    func proof(_ keys: EphemeralKeys) -> TBEData3 {
        var proof = TBEData3()
        proof.noc = noc
        proof.icac = icac
        proof.signature = privateKey.sign(proof.signedData(keys).span)
        return proof
    }

    /// Who sent `proof`: a node of this fabric that has the private key of its certificate.
    /// - Throws: `certificate`, `wrongFabric`, `invalidSignature`; `wrongNode` unless it is
    ///   `node`, where one is expected.
    func verify(
        _ proof: TBEData3, _ keys: EphemeralKeys, node: NodeID?, at now: MatterTime
    ) throws(CASEError) -> OperationalIdentity {
        let identity: OperationalIdentity
        do throws(CertificateError) {
            let noc = try MatterCertificate(tlv: proof.noc.bytes.span)
            var icac: MatterCertificate?
            if let octets = proof.icac { icac = try MatterCertificate(tlv: octets.bytes.span) }
            identity = try CertificateChain.verify(noc: noc, icac: icac, root: root, at: now)
        } catch { throw .certificate(error) }
        guard identity.fabricID == fabricID else { throw .wrongFabric(identity.fabricID) }
        if let node, identity.nodeID != node { throw .wrongNode(identity.nodeID) }
        guard identity.publicKey.verify(proof.signature, over: proof.signedData(keys).span) else {
            throw .invalidSignature
        }
        return identity
    }
}

/// The ephemeral public keys of a handshake, as the side sees them that signs.
struct EphemeralKeys {
    let sender: FixedBytes<65>
    let receiver: FixedBytes<65>
}

extension TBEData3 {
    fileprivate func signedData(_ keys: EphemeralKeys) -> [UInt8] {
        var data = TBSData()
        data.noc = noc
        data.icac = icac
        data.senderEphPubKey = keys.sender
        data.receiverEphPubKey = keys.receiver
        return data.ownTLV()
    }
}

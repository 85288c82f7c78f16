package import Base
package import Crypto

/// The certificate authority of our own fabric: a root key, its certificate, and the fabric id.
///
/// It issues node certificates straight from the root. No certificate of it ever ends, and all
/// begin at one date in the past: a device without a set clock refuses what begins in its future.
package struct FabricAuthority: Sendable {
    package let key: P256.PrivateKey
    package let root: MatterCertificate
    package let fabricID: FabricID

    /// An authority that was stored.
    /// - Throws: `wrongAuthorityKey` when key and certificate do not belong together.
    package init(
        key: P256.PrivateKey, root: MatterCertificate, fabricID: FabricID
    ) throws(CertificateError) {
        guard root.publicKey == key.publicKey, root.subjectKeyID != nil else {
            throw .wrongAuthorityKey
        }
        self.key = key
        self.root = root
        self.fabricID = fabricID
    }

    /// A new authority with a new root key.
    package init(fabricID: FabricID, using random: inout some RandomSource) {
        self.init(key: P256.PrivateKey.generate(using: &random), fabricID: fabricID, using: &random)
    }

    /// A new authority around a root key.
    /// - Parameter fabricID: not 0.
    package init(
        key: P256.PrivateKey, fabricID: FabricID, using random: inout some RandomSource
    ) {
        precondition(fabricID.rawValue != 0, "fabric id 0 is reserved, Core §2.5.1")
        let name = DistinguishedName([.number(.rcacID, random.uint64())])
        let keyID = KeyIdentifier.of(key.publicKey)
        self.key = key
        self.fabricID = fabricID
        self.root = MatterCertificate(
            serialNumber: Self.serialNumber(&random), issuer: name, subject: name,
            validity: Self.validity, publicKey: key.publicKey,
            extensions: [
                .basicConstraints(isCA: true, pathLength: nil),
                .keyUsage([.keyCertSign, .crlSign]), .subjectKeyID(keyID), .authorityKeyID(keyID),
            ]
        ).signed(by: key)
    }

    /// Issues the certificate of a node on this fabric.
    /// - Parameters:
    ///   - nodeID: operational.
    ///   - cats: valid together, see `CASEAuthenticatedTag`.
    package func issueNOC(
        publicKey: P256.PublicKey, nodeID: NodeID, cats: [CASEAuthenticatedTag] = [],
        using random: inout some RandomSource
    ) -> MatterCertificate {
        precondition(nodeID.isOperational, "the caller chose a node id of Core §2.5.5.1")
        precondition(CASEAuthenticatedTag.areValid(cats), "the caller chose the tags")
        guard let authorityKeyID = root.subjectKeyID else {
            preconditionFailure("both initialisers made sure of the key id")
        }
        return MatterCertificate(
            serialNumber: Self.serialNumber(&random), issuer: root.subject,
            subject: DistinguishedName(
                [.number(.nodeID, nodeID.rawValue), .number(.fabricID, fabricID.rawValue)]
                    + cats.map { .number(.caseAuthenticatedTag, UInt64($0.rawValue)) }),
            validity: Self.validity, publicKey: publicKey,
            extensions: [
                .basicConstraints(isCA: false, pathLength: nil), .keyUsage(.digitalSignature),
                .extendedKeyUsage([.clientAuth, .serverAuth]),
                .subjectKeyID(KeyIdentifier.of(publicKey)), .authorityKeyID(authorityKeyID),
            ]
        ).signed(by: key)
    }

    /// 64 random bits as a positive INTEGER in its shortest form: the top bit clear, the next set.
    private static func serialNumber(_ random: inout some RandomSource) -> [UInt8] {
        var bytes: FixedBytes<8> = random.bytes()
        bytes[0] = bytes[0] & 0x3F | 0x40
        return [UInt8](bytes)
    }

    /// From 2021-01-01, before any Matter device was made.
    private static let validity = Validity(
        notBefore: MatterTime(secondsSince2000: 662_774_400), notAfter: .noExpiry)
}

/// The name of a key in certificates: SHA-1 of its 65 octets, RFC 5280 §4.2.1.2 (1).
package enum KeyIdentifier {
    package static func of(_ key: P256.PublicKey) -> FixedBytes<20> {
        SHA1.digest(key.bytes.span)
    }
}

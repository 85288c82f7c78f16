internal import Base
package import Crypto

/// The checks that make a node certificate an identity, Core §6.4.5 and RFC 5280 §6.1.
package enum CertificateChain {
    /// One signature is checked per certificate below the root, whose own is not: the root is
    /// trusted because the caller holds it.
    /// - Parameters:
    ///   - root: the caller's trusted root, not one that a peer sent.
    ///   - now: the latest time the caller knows to have passed.
    package static func verify(
        noc: MatterCertificate, icac: MatterCertificate?, root: MatterCertificate,
        at now: MatterTime
    ) throws(CertificateError) -> OperationalIdentity {
        let identity = try node(noc)
        try authority(root, .root, below: icac == nil ? 0 : 1, of: identity.fabricID)
        if let icac {
            try authority(icac, .intermediate, below: 0, of: identity.fabricID)
            try link(icac, .intermediate, to: root)
        }
        try link(noc, .node, to: icac ?? root)

        try validity(root, .root, at: now)
        if let icac { try validity(icac, .intermediate, at: now) }
        try validity(noc, .node, at: now)

        // Last, for they cost a thousand times the rest.
        if let icac, !icac.isSigned(by: root.publicKey) {
            throw .invalidSignature(.intermediate)
        }
        guard noc.isSigned(by: (icac ?? root).publicKey) else { throw .invalidSignature(.node) }
        return identity
    }

    /// What a root must be before it is trusted: a root by its subject and extensions, valid now
    /// and signed by itself.
    package static func verify(
        root: MatterCertificate, at now: MatterTime
    ) throws(CertificateError) {
        try authority(root, .root, below: 0, of: nil)
        try link(root, .root, to: root)
        try validity(root, .root, at: now)
        guard root.isSigned(by: root.publicKey) else { throw .invalidSignature(.root) }
    }

    /// Core §6.4.2: what only a node certificate has.
    private static func node(
        _ noc: MatterCertificate
    ) throws(CertificateError) -> OperationalIdentity {
        let tags = noc.subject.caseAuthenticatedTags
        guard let nodeID = noc.subject.nodeID, nodeID.isOperational,
            let fabricID = noc.subject.fabricID, fabricID.rawValue != 0,
            noc.subject.hasOnly(.nodeID), noc.subject.count(of: .fabricID) == 1,
            CASEAuthenticatedTag.areValid(tags)
        else { throw .wrongSubject(.node) }
        guard let constraints = noc.basicConstraints, !constraints.isCA else {
            throw .wrongBasicConstraints(.node)
        }
        guard let usage = noc.keyUsage, usage.contains(.digitalSignature) else {
            throw .wrongKeyUsage(.node)
        }
        guard noc.extendedKeyUsage.contains(.serverAuth),
            noc.extendedKeyUsage.contains(.clientAuth)
        else { throw .wrongExtendedKeyUsage(.node) }
        try extensions(noc, .node)
        return OperationalIdentity(
            nodeID: nodeID, fabricID: fabricID, cats: tags, publicKey: noc.publicKey)
    }

    /// Core §6.4.3 and §6.4.4.
    /// - Parameters:
    ///   - below: certificate authorities between this one and the node certificate.
    ///   - fabricID: nil where there is none to compare with.
    private static func authority(
        _ certificate: MatterCertificate, _ role: CertificateRole, below: UInt8,
        of fabricID: FabricID?
    ) throws(CertificateError) {
        let subject = certificate.subject
        guard subject.hasOnly(role == .root ? .rcacID : .icacID),
            subject.count(of: .caseAuthenticatedTag) == 0, subject.count(of: .fabricID) <= 1
        else { throw .wrongSubject(role) }
        if let fabricID, let own = subject.fabricID, own != fabricID { throw .wrongFabric(role) }
        guard let constraints = certificate.basicConstraints, constraints.isCA else {
            throw .wrongBasicConstraints(role)
        }
        if let pathLength = constraints.pathLength, pathLength < below {
            throw .pathTooLong(role)
        }
        guard let usage = certificate.keyUsage, usage.contains(.keyCertSign) else {
            throw .wrongKeyUsage(role)
        }
        try extensions(certificate, role)
    }

    private static func extensions(
        _ certificate: MatterCertificate, _ role: CertificateRole
    ) throws(CertificateError) {
        for case .other(_, isCritical: true) in certificate.extensions {
            throw .unknownCriticalExtension(role)
        }
    }

    /// Names and key ids say that `issuer` issued `certificate`; the signature proves it.
    private static func link(
        _ certificate: MatterCertificate, _ role: CertificateRole, to issuer: MatterCertificate
    ) throws(CertificateError) {
        guard certificate.issuer == issuer.subject, certificate.subjectKeyID != nil,
            let keyID = certificate.authorityKeyID, keyID == issuer.subjectKeyID
        else { throw .wrongIssuer(role) }
    }

    private static func validity(
        _ certificate: MatterCertificate, _ role: CertificateRole, at now: MatterTime
    ) throws(CertificateError) {
        guard certificate.validity.notBefore <= now else { throw .notYetValid(role) }
        guard now <= certificate.validity.notAfter else { throw .expired(role) }
    }
}

/// Who a node is, as its certificate says and its chain proves. Core §2.5.
package struct OperationalIdentity: Hashable, Sendable {
    package let nodeID: NodeID
    package let fabricID: FabricID
    /// At most `Limits.caseAuthenticatedTags`.
    package let cats: [CASEAuthenticatedTag]
    package let publicKey: P256.PublicKey

    package init(
        nodeID: NodeID, fabricID: FabricID, cats: [CASEAuthenticatedTag],
        publicKey: P256.PublicKey
    ) {
        self.nodeID = nodeID
        self.fabricID = fabricID
        self.cats = cats
        self.publicKey = publicKey
    }
}

extension DistinguishedName {
    /// True when the id that tells the role of a certificate is there once, and no other is.
    fileprivate func hasOnly(_ type: AttributeType) -> Bool {
        let roles: [AttributeType] = [.nodeID, .firmwareSigningID, .icacID, .rcacID]
        return roles.allSatisfy { count(of: $0) == ($0 == type ? 1 : 0) }
    }
}

package import Base
package import Crypto

/// Whom this gateway believes about devices: product attestation authorities, and the signers of
/// certification declarations. Public knowledge of 2026-11 is built in, more can be added.
package struct TrustAnchors: Sendable {
    private var addedAuthorities: [TrustAnchor] = []
    private var addedSigners: [TrustAnchor] = []

    /// Those that are built in. Costs nothing: the table is read when somebody is looked up.
    package init() {}

    /// Adds the authorities of a file.
    /// - Parameter file: one certificate in DER, or any number in PEM.
    /// - Returns: how many were added.
    /// - Throws: at the first that is no authority's; those before it stay.
    @discardableResult
    package mutating func add(authorities file: Span<UInt8>) throws(AttestationError) -> Int {
        let certificates: [[UInt8]]
        do throws(CertificateError) { certificates = try PEM.certificates(in: file) } catch {
            throw .malformed(.authority, error)
        }
        for bytes in certificates {
            try add(authority: TrustAnchor(authority: bytes.span))
        }
        return certificates.count
    }

    /// - Throws: `tooManyAuthorities`.
    package mutating func add(authority: TrustAnchor) throws(AttestationError) {
        guard addedAuthorities.count < Limits.addedAuthorities else {
            throw .tooManyAuthorities
        }
        addedAuthorities.append(authority)
    }

    /// - Throws: `tooManyAuthorities`.
    package mutating func add(declarationSigner signer: TrustAnchor) throws(AttestationError) {
        guard addedSigners.count < Limits.addedAuthorities else { throw .tooManyAuthorities }
        addedSigners.append(signer)
    }

    /// The authority with this key; who was added comes first.
    package func authority(_ keyID: FixedBytes<20>) -> TrustAnchor? {
        addedAuthorities.first { $0.subjectKeyID == keyID }
            ?? AnchorTable.find(keyID, in: AnchorTable.authorities)
            ?? AnchorTable.find(keyID, in: AnchorTable.testAuthorities, isTest: true)
    }

    package func declarationSigner(_ keyID: FixedBytes<20>) -> TrustAnchor? {
        addedSigners.first { $0.subjectKeyID == keyID }
            ?? AnchorTable.find(keyID, in: AnchorTable.declarationSigners)
            ?? AnchorTable.find(keyID, in: AnchorTable.testDeclarationSigners, isTest: true)
    }

    /// Every authority, for listings: the added ones, then those built in.
    package func authorities() -> [TrustAnchor] {
        addedAuthorities + AnchorTable.all(AnchorTable.authorities)
            + AnchorTable.all(AnchorTable.testAuthorities, isTest: true)
    }

    /// Every signer of declarations.
    package func declarationSigners() -> [TrustAnchor] {
        addedSigners + AnchorTable.all(AnchorTable.declarationSigners)
            + AnchorTable.all(AnchorTable.testDeclarationSigners, isTest: true)
    }
}

/// A key that is believed, and what for.
package struct TrustAnchor: Hashable, Sendable {
    package let name: String
    package let subjectKeyID: FixedBytes<20>
    package let publicKey: P256.PublicKey
    /// The one vendor it vouches for; nil for any.
    package let vendorID: VendorID?
    package let productID: ProductID?
    package let validity: Validity
    /// For prototypes only.
    package let isTest: Bool

    package init(
        name: String, subjectKeyID: FixedBytes<20>, publicKey: P256.PublicKey,
        vendorID: VendorID?, productID: ProductID? = nil, validity: Validity, isTest: Bool
    ) {
        self.name = name
        self.subjectKeyID = subjectKeyID
        self.publicKey = publicKey
        self.vendorID = vendorID
        self.productID = productID
        self.validity = validity
        self.isTest = isTest
    }

    /// An authority by its certificate, which is X.509 DER.
    /// - Throws: `malformed` or `wrongForm`. That the authority signed it is not checked here.
    package init(authority bytes: Span<UInt8>) throws(AttestationError) {
        let certificate = try AttestationCertificate(bytes, as: .authority)
        // A file must not turn a known test authority into another one.
        let test = AnchorTable.find(
            certificate.subjectKeyID, in: AnchorTable.testAuthorities, isTest: true)
        self.init(certificate, isTest: test != nil)
    }

    package init(_ certificate: AttestationCertificate, isTest: Bool) {
        self.init(
            name: certificate.name, subjectKeyID: certificate.subjectKeyID,
            publicKey: certificate.publicKey, vendorID: certificate.vendorID,
            productID: certificate.productID, validity: certificate.validity, isTest: isTest)
    }
}

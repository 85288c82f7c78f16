package import Base
package import Crypto

/// Decides whether a device is what it says it is: a product that the Alliance certified and
/// whose maker an authority vouches for. Core §6.2.3.
package struct AttestationVerifier: Sendable {
    private let anchors: TrustAnchors
    private let allowTestDevices: Bool

    /// - Parameter allowTestDevices: accept prototypes: test authorities, and declarations that
    ///   are signed with the test key or say that they are for tests.
    package init(anchors: TrustAnchors, allowTestDevices: Bool) {
        self.anchors = anchors
        self.allowTestDevices = allowTestDevices
    }

    /// Four signatures are checked, each after all that is cheaper and comes before it.
    /// - Parameter now: the latest time the caller knows to have passed.
    @discardableResult
    package func verify(
        _ evidence: AttestationEvidence, at now: MatterTime
    ) throws(AttestationError) -> AttestedDevice {
        let pai = try AttestationCertificate(evidence.pai.span, as: .intermediate)
        let dac = try AttestationCertificate(evidence.dac.span, as: .device)
        let ids = try Self.ids(dac, pai)

        guard evidence.response.elements.count <= Limits.attestationResponse else {
            throw .elementsTooLong
        }
        guard evidence.response.isSigned(by: dac.publicKey, challenge: evidence.challenge) else {
            throw .invalidSignature
        }
        let authority = try verify(dac: dac, pai: pai, at: now)

        let elements: AttestationElements
        do throws(TLVError) {
            elements = try AttestationElements(tlv: evidence.response.elements.span)
        } catch { throw .malformedElements(error) }
        guard elements.attestationNonce == evidence.nonce else { throw .nonceMismatch }
        let declaration: CertificationDeclaration
        do throws(DeclarationError) {
            declaration = try verify(declaration: elements.certificationDeclaration.bytes.span)
            try Self.check(declaration, evidence, ids, authority)
        } catch { throw .declaration(error) }
        return AttestedDevice(
            publicKey: dac.publicKey, vendorID: ids.vendor, productID: ids.product,
            authority: authority, declaration: declaration)
    }

    /// The certificates alone: that an authority known here vouches for them. They prove nothing
    /// about a device that has not signed with the key.
    package func verify(
        dac: AttestationCertificate, pai: AttestationCertificate, at now: MatterTime
    ) throws(AttestationError) -> TrustAnchor {
        let authority = try authority(of: pai, vendor: try Self.ids(dac, pai).vendor)
        try Self.chain(dac, pai, authority, at: now)
        return authority
    }

    /// What the device's certificate says it is; the one above must not say otherwise.
    private struct CertifiedIDs {
        let vendor: VendorID
        let product: ProductID
    }

    private static func ids(
        _ dac: AttestationCertificate, _ pai: AttestationCertificate
    ) throws(AttestationError) -> CertifiedIDs {
        guard let vendor = dac.vendorID, let product = dac.productID else {
            throw .wrongForm(.device, .vendorAndProduct)
        }
        guard let intermediateVendor = pai.vendorID else {
            throw .wrongForm(.intermediate, .vendorAndProduct)
        }
        guard vendor == intermediateVendor else {
            throw .vendorMismatch(device: vendor, intermediate: intermediateVendor)
        }
        if let intermediate = pai.productID, intermediate != product {
            throw .productMismatch(device: product, intermediate: intermediate)
        }
        return CertifiedIDs(vendor: vendor, product: product)
    }

    private func authority(
        of pai: AttestationCertificate, vendor: VendorID
    ) throws(AttestationError) -> TrustAnchor {
        guard let keyID = pai.authorityKeyID else { throw .wrongForm(.intermediate, .keyID) }
        guard let authority = anchors.authority(keyID) else {
            throw .unknownAuthority(keyID: keyID, vendorID: vendor)
        }
        guard allowTestDevices || !authority.isTest else {
            throw .testAuthority(keyID: keyID, vendorID: vendor)
        }
        if let authorityVendor = authority.vendorID, authorityVendor != vendor {
            throw .authorityVendorMismatch(authority: authorityVendor, device: vendor)
        }
        guard authority.productID == nil else { throw .authorityWithProduct(keyID: keyID) }
        return authority
    }

    /// The authority's name is not compared: its key id was, and its key signed.
    private static func chain(
        _ dac: AttestationCertificate, _ pai: AttestationCertificate, _ authority: TrustAnchor,
        at now: MatterTime
    ) throws(AttestationError) {
        guard dac.validity.notBefore <= now else { throw .notYetValid }
        guard now <= dac.validity.notAfter else { throw .expired }
        guard pai.validity.contains(dac.validity.notBefore) else {
            throw .issuedOutsideValidity(.intermediate)
        }
        guard authority.validity.contains(dac.validity.notBefore) else {
            throw .issuedOutsideValidity(.authority)
        }
        guard dac.names(issuer: pai) else { throw .wrongIssuer(.device) }
        guard pai.isSigned(by: authority.publicKey) else {
            throw .invalidCertificateSignature(.intermediate)
        }
        guard dac.isSigned(by: pai.publicKey) else {
            throw .invalidCertificateSignature(.device)
        }
    }
}

extension AttestationVerifier {
    /// The declaration alone: that one who may sign it did.
    /// - Parameter bytes: the CMS message.
    package func verify(
        declaration bytes: Span<UInt8>
    ) throws(DeclarationError) -> CertificationDeclaration {
        let signed: SignedDeclaration
        do throws(DERError) { signed = try SignedDeclaration(cms: bytes) } catch {
            throw .malformed(error)
        }
        guard let signer = anchors.declarationSigner(signed.signerKeyID) else {
            throw .unknownSigner(keyID: signed.signerKeyID)
        }
        guard allowTestDevices || !signer.isTest else {
            throw .testSigner(keyID: signed.signerKeyID)
        }
        guard signed.isSigned(by: signer.publicKey) else { throw .invalidSignature }
        let content: CertificationDeclaration
        do throws(TLVError) {
            content = try CertificationDeclaration(content: signed.content.span)
        } catch { throw .malformedContent(error) }
        guard content.formatVersion == 1,
            content.certificationType <= CertificationDeclaration.official
        else { throw .unknownForm }
        guard allowTestDevices || content.certificationType != CertificationDeclaration.test
        else { throw .testProduct }
        guard !signer.isTest || content.certificationType != CertificationDeclaration.official
        else { throw .testSignerOfCertifiedProduct }
        return content
    }

    /// Core §6.2.3.1: the declaration is about this product and its certificates.
    private static func check(
        _ declaration: CertificationDeclaration, _ evidence: AttestationEvidence,
        _ ids: CertifiedIDs, _ authority: TrustAnchor
    ) throws(DeclarationError) {
        guard declaration.vendorID == evidence.vendorID else {
            throw .vendorMismatch(declared: declaration.vendorID, device: evidence.vendorID)
        }
        guard declaration.productIDs.contains(evidence.productID) else {
            throw .productNotDeclared(evidence.productID)
        }
        guard ids.vendor == declaration.dacOriginVendorID ?? declaration.vendorID else {
            throw .certificateVendorNotDeclared(ids.vendor)
        }
        // A product id above the device's is the device's own, so one comparison does for both.
        let isDeclared =
            declaration.dacOriginProductID.map { $0 == ids.product }
            ?? declaration.productIDs.contains(ids.product)
        guard isDeclared else { throw .certificateProductNotDeclared(ids.product) }
        if let authorized = declaration.authorizedPAAs,
            !authorized.contains(authority.subjectKeyID)
        {
            throw .authorityNotDeclared(keyID: authority.subjectKeyID)
        }
    }
}

/// What a device showed, and what it was asked.
package struct AttestationEvidence: Sendable {
    /// X.509 DER, as the device sent them.
    package var dac: [UInt8]
    package var pai: [UInt8]
    package var response: SignedElements
    /// Of the session over which the device answered.
    package var challenge: Secret
    /// What AttestationRequest asked for.
    package var nonce: FixedBytes<32>
    /// VendorID and ProductID of the device's Basic Information.
    package var vendorID: VendorID
    package var productID: ProductID

    package init(
        dac: [UInt8], pai: [UInt8], response: SignedElements, challenge: Secret,
        nonce: FixedBytes<32>, vendorID: VendorID, productID: ProductID
    ) {
        self.dac = dac
        self.pai = pai
        self.response = response
        self.challenge = challenge
        self.nonce = nonce
        self.vendorID = vendorID
        self.productID = productID
    }
}

/// A device whose attestation holds.
package struct AttestedDevice: Sendable {
    /// That of the device attestation certificate; it signs the answer to CSRRequest too.
    package let publicKey: P256.PublicKey
    /// Of the certificate; the maker's, where the product is sold under another name.
    package let vendorID: VendorID
    package let productID: ProductID
    package let authority: TrustAnchor
    package let declaration: CertificationDeclaration
}

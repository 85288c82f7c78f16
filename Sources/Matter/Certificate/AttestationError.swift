package import Base

/// Why a device's attestation is refused. Core §6.2.3. What an installer reads about it is in
/// AttestationErrorText.swift.
package enum AttestationError: Error, Equatable {
    /// A certificate that is no X.509 with a P-256 key.
    case malformed(AttestationRole, CertificateError)
    case wrongForm(AttestationRole, AttestationForm)
    case vendorMismatch(device: VendorID, intermediate: VendorID)
    case productMismatch(device: ProductID, intermediate: ProductID)
    /// More than `Limits.attestationResponse` octets.
    case elementsTooLong
    /// The device has not the key of its certificate, or somebody stands between.
    case invalidSignature
    /// Nobody here knows who vouches for the device.
    case unknownAuthority(keyID: FixedBytes<20>, vendorID: VendorID)
    /// A known authority that vouches for prototypes only.
    case testAuthority(keyID: FixedBytes<20>, vendorID: VendorID)
    case authorityVendorMismatch(authority: VendorID, device: VendorID)
    /// An authority is for a vendor, never for one product.
    case authorityWithProduct(keyID: FixedBytes<20>)
    case notYetValid
    case expired
    /// The certificate above the device's had ended, or had not begun, when the device's began.
    case issuedOutsideValidity(AttestationRole)
    /// The issuer's name or key id is not that of the certificate above.
    case wrongIssuer(AttestationRole)
    /// The certificate above did not sign this one.
    case invalidCertificateSignature(AttestationRole)
    case malformedElements(TLVError)
    /// An answer to another request than ours.
    case nonceMismatch
    case declaration(DeclarationError)
    /// More than `Limits.addedAuthorities` were added to those built in.
    case tooManyAuthorities
    /// The operational key's request is malformed, or not signed by that key.
    case invalidSigningRequest(CertificateError)
}

/// What is wrong with a certification declaration, or with a device that shows it. Core §6.3.
package enum DeclarationError: Error, Equatable {
    case malformed(DERError)
    case malformedContent(TLVError)
    case unknownSigner(keyID: FixedBytes<20>)
    /// The signer of declarations for prototypes.
    case testSigner(keyID: FixedBytes<20>)
    case invalidSignature
    /// A format other than 1, or a kind of certification other than 0, 1 and 2.
    case unknownForm
    /// The product is declared to be a prototype.
    case testProduct
    /// The signer for prototypes declares a certified product.
    case testSignerOfCertifiedProduct
    case vendorMismatch(declared: VendorID, device: VendorID)
    case productNotDeclared(ProductID)
    /// The vendor of the certificates is not the one the declaration names for them.
    case certificateVendorNotDeclared(VendorID)
    case certificateProductNotDeclared(ProductID)
    case authorityNotDeclared(keyID: FixedBytes<20>)
}

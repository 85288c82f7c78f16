internal import Base

// All that an installer reads about a refused device, in one place.

extension AttestationError {
    /// What failed and what to do, in a line.
    package var explanation: String { problem + ". " + remedy }

    /// What failed, with the ids that name the culprit.
    package var problem: String {
        switch self {
        case .malformed(let role, _): "the \(role.words) is unreadable"
        case .wrongForm(let role, let form):
            "the \(role.words) has \(form.words)"
        case .vendorMismatch(let device, let intermediate):
            "the device certificate names vendor \(device.hex), the one above it "
                + intermediate.hex
        case .productMismatch(let device, let intermediate):
            "the device certificate names product \(device.hex), the one above it "
                + intermediate.hex
        case .elementsTooLong: "the device's statement is longer than allowed"
        case .invalidSignature: "the device could not prove that its certificate is its own"
        case .unknownAuthority(let keyID, let vendor):
            "nobody known here vouches for vendor \(vendor.hex): the device's certificates lead "
                + "to the authority with key id \(Hex.lower(keyID.span))"
        case .testAuthority(let keyID, let vendor):
            "the device (vendor \(vendor.hex)) is a prototype: only the test authority with key "
                + "id \(Hex.lower(keyID.span)) vouches for it"
        case .authorityVendorMismatch(let authority, let device):
            "the authority vouches for vendor \(authority.hex), not for \(device.hex)"
        case .authorityWithProduct(let keyID):
            "the authority with key id \(Hex.lower(keyID.span)) is for a single product"
        case .notYetValid: "the device certificate is not valid yet"
        case .expired: "the device certificate has expired"
        case .issuedOutsideValidity(let role):
            "the device certificate was not issued while the \(role.words) was valid"
        case .wrongIssuer(let role): "the \(role.words) names another issuer"
        case .invalidCertificateSignature(let role): "the \(role.words) is forged"
        case .malformedElements: "the device's statement is unreadable"
        case .nonceMismatch: "the device answered another question than the one asked"
        case .declaration(let error): error.problem
        case .tooManyAuthorities:
            "more than \(Limits.addedAuthorities) authorities are added to those built in"
        case .invalidSigningRequest: "the device's request for a certificate is invalid"
        }
    }

    /// What the installer can do about it.
    package var remedy: String {
        switch self {
        case .unknownAuthority:
            "If you trust its maker, keep its authority's certificate with authorities add FILE, "
                + "or accept this device once with --accept-unattested"
        case .testAuthority: "Use --allow-test-devices for prototypes"
        case .notYetValid: "Check the gateway's clock"
        case .tooManyAuthorities: "Give fewer of them"
        case .expired:
            "Check the gateway's clock; --accept-unattested accepts this device once"
        case .invalidSignature, .nonceMismatch, .malformedElements, .elementsTooLong,
            .invalidSigningRequest:
            "Reset the device and try again; if it stays so, do not use it"
        case .malformed, .wrongForm, .vendorMismatch, .productMismatch, .authorityVendorMismatch,
            .authorityWithProduct, .issuedOutsideValidity, .wrongIssuer,
            .invalidCertificateSignature:
            Self.suspicion
        case .declaration(let error): error.remedy
        }
    }

    fileprivate static let suspicion =
        "It may be a counterfeit: ask its maker; --accept-unattested accepts it once"
}

extension DeclarationError {
    fileprivate var problem: String {
        switch self {
        case .malformed:
            "the certification declaration is unreadable"
        case .malformedContent:
            "the certification declaration's content is unreadable"
        case .unknownSigner(let keyID):
            "the certification declaration is signed with an unknown key, key id "
                + Hex.lower(keyID.span)
        case .testSigner(let keyID):
            "the certification declaration is a prototype's, signed with the test key "
                + Hex.lower(keyID.span)
        case .invalidSignature: "the certification declaration is forged"
        case .unknownForm: "the certification declaration is of an unknown kind"
        case .testProduct: "the certification declaration says that this is a prototype"
        case .testSignerOfCertifiedProduct:
            "the certification declaration claims a certified product with the test key"
        case .vendorMismatch(let declared, let device):
            "the certification is for vendor \(declared.hex), the device says \(device.hex)"
        case .productNotDeclared(let product):
            "the certification does not cover product \(product.hex)"
        case .certificateVendorNotDeclared(let vendor):
            "the certification does not allow certificates of vendor \(vendor.hex)"
        case .certificateProductNotDeclared(let product):
            "the certification does not allow certificates of product \(product.hex)"
        case .authorityNotDeclared(let keyID):
            "the certification does not allow the authority with key id "
                + Hex.lower(keyID.span)
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .testSigner, .testProduct: "Use --allow-test-devices for prototypes"
        case .unknownSigner:
            "A newer version may know it; --accept-unattested accepts this device once"
        case .malformed, .malformedContent, .invalidSignature, .unknownForm,
            .testSignerOfCertifiedProduct, .vendorMismatch, .productNotDeclared,
            .certificateVendorNotDeclared, .certificateProductNotDeclared,
            .authorityNotDeclared:
            AttestationError.suspicion
        }
    }
}

extension AttestationRole {
    fileprivate var words: String {
        switch self {
        case .device: "device certificate"
        case .intermediate: "maker's certificate"
        case .authority: "authority's certificate"
        }
    }
}

extension AttestationForm {
    fileprivate var words: String {
        switch self {
        case .basicConstraints: "wrong constraints"
        case .keyUsage: "a wrong key usage"
        case .keyID: "no key id"
        case .extensions: "an extension that is not understood, or one twice"
        case .vendorAndProduct: "no proper vendor and product ids"
        }
    }
}

extension Identifier where RawValue == UInt16 {
    /// Four digits, as on data sheets and in certificates.
    fileprivate var hex: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

internal import Base
internal import Crypto
package import Matter
package import VirtualDevice

/// What a simulated device attests with: certificates, the key of its own, a declaration, and a
/// verifier that believes them. Made once, of keys that exist in this process alone.
package struct DeviceAttestation: Sendable {
    package static let shared = DeviceAttestation()

    package static let vendorID = VendorID(0x1234)
    package static let productID = ProductID(0xABCD)

    package let credentials: DeviceAttestationCredentials
    package let verifier: AttestationVerifier

    /// X.509 DER.
    package var paa: [UInt8] { credentials.paa }
    package var pai: [UInt8] { credentials.pai }
    package var dac: [UInt8] { credentials.dac }

    private init() {
        var random = SeededRandom(seed: 5)
        let signerKey = P256.PrivateKey.generate(using: &random)
        let credentials = DeviceAttestationCredentials(
            vendorID: Self.vendorID, productID: Self.productID,
            declaration: Self.declaration(signedBy: signerKey), authority: "PAA",
            using: &random)
        self.credentials = credentials
        var anchors = TrustAnchors()
        do throws(AttestationError) {
            try anchors.add(
                authority: TrustAnchor(
                    AttestationCertificate(credentials.paa.span, as: .authority),
                    isTest: false))
            try anchors.add(
                declarationSigner: TrustAnchor(
                    name: "signer", subjectKeyID: KeyIdentifier.of(signerKey.publicKey),
                    publicKey: signerKey.publicKey, vendorID: nil, validity: Self.validity,
                    isTest: false))
        } catch { preconditionFailure("our own authority is in order") }
        verifier = AttestationVerifier(anchors: anchors, allowTestDevices: false)
    }

    /// What the device says to AttestationRequest.
    func attest(_ nonce: FixedBytes<32>, challenge: Secret) -> SignedElements {
        credentials.attest(nonce, challenge: challenge)
    }

    /// What the device says to CSRRequest.
    func request(
        for operational: P256.PrivateKey, _ nonce: FixedBytes<32>, challenge: Secret
    ) -> SignedElements {
        credentials.request(for: operational, nonce, challenge: challenge)
    }

    private static func declaration(signedBy key: P256.PrivateKey) -> [UInt8] {
        var declaration = CertificationDeclaration()
        declaration.vendorID = vendorID
        declaration.productIDs = [productID]
        declaration.deviceTypeID = DeviceTypeID(0x0100)
        declaration.certificateID = "CSA00000SWC00000-00"
        declaration.certificationType = CertificationDeclaration.official
        return SignedDeclaration(
            content: declaration.octets(), signerKeyID: KeyIdentifier.of(key.publicKey),
            signedBy: key
        ).cms()
    }

    /// From 2021-01-01.
    private static let validity = Validity(
        notBefore: MatterTime(secondsSince2000: 662_774_400), notAfter: .noExpiry)
}

extension TLVCodable {
    /// Of a value of the test's own, which fits.
    package func octets() -> [UInt8] {
        do throws(TLVError) { return try tlv(capacity: 4096) } catch {
            preconditionFailure("a value of the test's own is small")
        }
    }
}

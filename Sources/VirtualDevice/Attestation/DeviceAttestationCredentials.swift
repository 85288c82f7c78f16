package import Base
package import Crypto
package import Matter

/// What a device proves its origin with: its certificate and key, the intermediate's, and the
/// declaration. Core §6.2.
package struct DeviceAttestationCredentials: Sendable {
    /// X.509 DER. The authority is for those who are to believe the device.
    package let paa: [UInt8]
    package let pai: [UInt8]
    package let dac: [UInt8]
    /// That of `dac`.
    package let key: P256.PrivateKey
    /// CMS.
    package let declaration: [UInt8]

    package init(
        paa: [UInt8], pai: [UInt8], dac: [UInt8], key: P256.PrivateKey, declaration: [UInt8]
    ) {
        self.paa = paa
        self.pai = pai
        self.dac = dac
        self.key = key
        self.declaration = declaration
    }

    /// A new authority, and everything below it. The keys of the two authorities are forgotten.
    /// - Parameter authority: its common name.
    package init(
        vendorID: VendorID, productID: ProductID, declaration: [UInt8],
        authority name: String = "PAA of a virtual device",
        using random: inout some RandomSource
    ) {
        let paaKey = P256.PrivateKey.generate(using: &random)
        let paiKey = P256.PrivateKey.generate(using: &random)
        let key = P256.PrivateKey.generate(using: &random)
        let vendor = AttestationName.vendorID(vendorID)
        let paaName: [AttestationName] = [.commonName(name)]
        let paiName: [AttestationName] = [.commonName("PAI of a virtual device"), vendor]
        let authority: CertificateExtension.KeyUsage = [.keyCertSign, .crlSign]
        self.init(
            paa: AttestationCertificatePlan(
                subject: paaName, issuer: paaName, pathLength: 1, usage: authority,
                key: paaKey.publicKey, authority: nil
            ).der(signedBy: paaKey),
            pai: AttestationCertificatePlan(
                subject: paiName, issuer: paaName, pathLength: 0, usage: authority,
                key: paiKey.publicKey, authority: paaKey.publicKey
            ).der(signedBy: paaKey),
            dac: AttestationCertificatePlan(
                subject: [.commonName("Virtual device"), vendor, .productID(productID)],
                issuer: paiName, pathLength: nil, usage: .digitalSignature, key: key.publicKey,
                authority: paiKey.publicKey
            ).der(signedBy: paiKey),
            key: key, declaration: declaration)
    }

    /// The answer to AttestationRequest.
    package func attest(_ nonce: FixedBytes<32>, challenge: Secret) -> SignedElements {
        var elements = AttestationElements()
        elements.certificationDeclaration = Octets(declaration)
        elements.attestationNonce = nonce
        return SignedElements(
            elements: Self.encoded(elements), challenge: challenge, signedBy: key)
    }

    /// The answer to CSRRequest.
    package func request(
        for operational: P256.PrivateKey, _ nonce: FixedBytes<32>, challenge: Secret
    ) -> SignedElements {
        var elements = NOCSRElements()
        elements.csr = Octets(SigningRequest.make(for: operational))
        elements.csrNonce = nonce
        return SignedElements(
            elements: Self.encoded(elements), challenge: challenge, signedBy: key)
    }

    private static func encoded(_ elements: some TLVStructure) -> [UInt8] {
        do throws(TLVError) {
            return try elements.tlv(capacity: Limits.attestationElements)
        } catch { preconditionFailure("a declaration has at most 100 products") }
    }
}

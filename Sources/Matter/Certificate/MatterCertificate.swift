package import Base
package import Crypto

/// An operational certificate: root (RCAC), intermediate (ICAC) or node (NOC), in the two forms
/// it has, Matter TLV and X.509 DER, each of which gives the other octet for octet. Core §6.5.
package struct MatterCertificate: Equatable, Sendable {
    /// 1 ... 20 octets, as in the content of the X.509 INTEGER.
    package let serialNumber: [UInt8]
    package let issuer: DistinguishedName
    package let subject: DistinguishedName
    package let validity: Validity
    package let publicKey: P256.PublicKey
    package let extensions: [CertificateExtension]
    /// r‖s, over `toBeSigned`. Not checked by parsing.
    package let signature: FixedBytes<64>
    /// The DER of all but the signature, made once: every use of a certificate needs it.
    let toBeSigned: [UInt8]

    /// - Parameter bytes: the TLV structure and nothing else.
    package init(tlv bytes: Span<UInt8>) throws(CertificateError) {
        guard bytes.count <= Limits.certificateTLV else { throw .tooLong }
        do throws(TLVError) { try self.init(decoding: bytes) } catch {
            throw error == .outOfRange(tag: CertificateTag.publicKey)
                ? .invalidPublicKey : .malformedTLV(error)
        }
        try validate()
        // Names are shorter in TLV, where a hexadecimal id is a number.
        guard derCount <= Limits.certificateDER else { throw .tooLong }
    }

    /// - Parameter bytes: the X.509 certificate and nothing else.
    /// - Throws: `notRepresentable` too, where TLV cannot give back these very octets.
    package init(der bytes: Span<UInt8>) throws(CertificateError) {
        guard bytes.count <= Limits.certificateDER else { throw .tooLong }
        do throws(DERError) { try self.init(try X509Certificate(bytes)) } catch {
            throw .malformedDER(error)
        }
        try validate()
        guard der().span.isEqual(to: bytes), isRepresentable else { throw .notRepresentable }
    }

    /// A certificate yet to be signed. The caller sees to its bounds.
    package init(
        serialNumber: [UInt8], issuer: DistinguishedName, subject: DistinguishedName,
        validity: Validity, publicKey: P256.PublicKey, extensions: [CertificateExtension],
        signature: FixedBytes<64> = FixedBytes()
    ) {
        self.serialNumber = serialNumber
        self.issuer = issuer
        self.subject = subject
        self.validity = validity
        self.publicKey = publicKey
        self.extensions = extensions
        self.signature = signature
        toBeSigned = Self.toBeSigned(
            serialNumber, issuer, subject, validity, publicKey, extensions)
    }

    private init(_ unsigned: MatterCertificate, signature: FixedBytes<64>) {
        serialNumber = unsigned.serialNumber
        issuer = unsigned.issuer
        subject = unsigned.subject
        validity = unsigned.validity
        publicKey = unsigned.publicKey
        extensions = unsigned.extensions
        toBeSigned = unsigned.toBeSigned
        self.signature = signature
    }
}

extension MatterCertificate {
    package var subjectKeyID: FixedBytes<20>? {
        for case .subjectKeyID(let id) in extensions { return id }
        return nil
    }

    package var authorityKeyID: FixedBytes<20>? {
        for case .authorityKeyID(let id) in extensions { return id }
        return nil
    }

    package var basicConstraints: (isCA: Bool, pathLength: UInt8?)? {
        for case .basicConstraints(let isCA, let pathLength) in extensions {
            return (isCA, pathLength)
        }
        return nil
    }

    package var isCA: Bool { basicConstraints?.isCA ?? false }

    /// Nil without the extension.
    package var keyUsage: CertificateExtension.KeyUsage? {
        for case .keyUsage(let usage) in extensions { return usage }
        return nil
    }

    /// Empty without the extension.
    package var extendedKeyUsage: [CertificateExtension.KeyPurpose] {
        for case .extendedKeyUsage(let purposes) in extensions { return purposes }
        return []
    }

    /// True when `key` signed this certificate. One signature check.
    package func isSigned(by key: P256.PublicKey) -> Bool {
        key.verify(signature, over: toBeSigned.span)
    }

    /// The same certificate with the signature of `key`.
    package func signed(by key: P256.PrivateKey) -> MatterCertificate {
        MatterCertificate(self, signature: key.sign(toBeSigned.span))
    }

    /// What both forms have in common and neither reader looks at.
    private func validate() throws(CertificateError) {
        guard (1...Limits.serialNumber).contains(serialNumber.count) else {
            throw .invalidSerialNumber
        }
        var seen: UInt8 = 0
        for member in extensions where member.tag != CertificateExtension.otherTag {
            guard seen & 1 << member.tag == 0 else { throw .duplicateExtension }
            seen |= 1 << member.tag
        }
    }
}

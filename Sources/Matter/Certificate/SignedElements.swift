package import Base
package import Crypto

/// What a device answers to AttestationRequest and CSRRequest: elements, and the signature of its
/// attestation key over them and the session's attestation challenge. Core §11.18.4.5 and 7.
package struct SignedElements: Sendable {
    /// A TLV structure; at most `Limits.attestationResponse` octets to be acceptable.
    package let elements: [UInt8]
    package let signature: FixedBytes<64>

    /// As a device sent it.
    package init(elements: [UInt8], signature: FixedBytes<64>) {
        self.elements = elements
        self.signature = signature
    }

    /// As a device makes it.
    package init(elements: [UInt8], challenge: Secret, signedBy key: P256.PrivateKey) {
        self.elements = elements
        self.signature = key.sign(Self.message(elements, challenge).span)
    }

    package func isSigned(by key: P256.PublicKey, challenge: Secret) -> Bool {
        key.verify(signature, over: Self.message(elements, challenge).span)
    }

    private static func message(_ elements: [UInt8], _ challenge: Secret) -> Secret {
        Secret(count: elements.count + challenge.count) { bytes in
            for index in elements.indices { bytes[index] = elements[index] }
            for index in 0..<challenge.count {
                bytes[elements.count + index] = challenge.span[index]
            }
        }
    }
}

/// Core §11.18.4.7: what a device attests to.
package struct AttestationElements: TLVStructure {
    /// A CMS message, see `SignedDeclaration`.
    package var certificationDeclaration = Octets()
    package var attestationNonce = FixedBytes<32>()
    package var timestamp: UInt32 = 0
    package var firmwareInformation: Octets?

    package init() {}

    package mutating func fields<V: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout V
    ) throws(TLVError) {
        try field(1, "certificationDeclaration", &certificationDeclaration)
        try field(2, "attestationNonce", &attestationNonce)
        try field(3, "timestamp", &timestamp)
        try field(4, "firmwareInformation", &firmwareInformation)
    }
}

/// Core §11.18.4.5: a device's request for an operational certificate.
package struct NOCSRElements: TLVStructure {
    /// PKCS#10, see `SigningRequest`.
    package var csr = Octets()
    package var csrNonce = FixedBytes<32>()
    package var vendorReserved1: Octets?
    package var vendorReserved2: Octets?
    package var vendorReserved3: Octets?

    package init() {}

    package mutating func fields<V: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout V
    ) throws(TLVError) {
        try field(1, "csr", &csr)
        try field(2, "csrNonce", &csrNonce)
        try field(3, "vendorReserved1", &vendorReserved1)
        try field(4, "vendorReserved2", &vendorReserved2)
        try field(5, "vendorReserved3", &vendorReserved3)
    }

    /// Checks a device's answer to CSRRequest.
    /// - Parameters:
    ///   - nonce: what the request asked for.
    ///   - key: that of the device attestation certificate.
    /// - Returns: the operational key to issue a certificate for.
    package static func verify(
        _ response: SignedElements, challenge: Secret, nonce: FixedBytes<32>,
        key: P256.PublicKey
    ) throws(AttestationError) -> P256.PublicKey {
        guard response.elements.count <= Limits.attestationResponse else {
            throw .elementsTooLong
        }
        guard response.isSigned(by: key, challenge: challenge) else { throw .invalidSignature }
        let elements: NOCSRElements
        do throws(TLVError) { elements = try NOCSRElements(tlv: response.elements.span) } catch {
            throw .malformedElements(error)
        }
        guard elements.csrNonce == nonce else { throw .nonceMismatch }
        do throws(CertificateError) {
            return try SigningRequest(der: elements.csr.bytes.span).publicKey
        } catch { throw .invalidSigningRequest(error) }
    }
}

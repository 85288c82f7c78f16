/// Why a certificate, a chain of certificates or a signing request is refused.
package enum CertificateError: Error, Equatable {
    /// More octets than the limit of what is read, see `Limits`.
    case tooLong
    case malformedTLV(TLVError)
    case malformedDER(DERError)
    /// X.509 that Matter TLV cannot carry, or that is not written as Core §6.5 demands: what the
    /// signature covers could not be restored from TLV.
    case notRepresentable
    /// The key is no point of the curve P-256.
    case invalidPublicKey
    /// A serial number without octets, or with more than 20.
    case invalidSerialNumber
    /// A file without a certificate, or with one that is not Base64.
    case noCertificate
    /// The same extension twice.
    case duplicateExtension
    /// A signing request that its own key did not sign.
    case invalidRequestSignature
    /// A stored authority whose key is not that of its root certificate.
    case wrongAuthorityKey

    case notYetValid(CertificateRole)
    case expired(CertificateRole)
    /// The ids in the subject are not those that this role has.
    case wrongSubject(CertificateRole)
    /// The basic constraints do not fit the role.
    case wrongBasicConstraints(CertificateRole)
    case wrongKeyUsage(CertificateRole)
    case wrongExtendedKeyUsage(CertificateRole)
    /// An extension that must be understood and is not.
    case unknownCriticalExtension(CertificateRole)
    /// More certificates follow than the path length allows.
    case pathTooLong(CertificateRole)
    /// The issuer, or the authority key id, is not that of the certificate above.
    case wrongIssuer(CertificateRole)
    /// Another fabric than that of the node certificate.
    case wrongFabric(CertificateRole)
    case invalidSignature(CertificateRole)
}

/// The place of a certificate in the chain of a fabric. Core §6.4.
package enum CertificateRole: Sendable {
    /// Root CA certificate, RCAC.
    case root
    /// Intermediate CA certificate, ICAC.
    case intermediate
    /// Node operational certificate, NOC.
    case node
}

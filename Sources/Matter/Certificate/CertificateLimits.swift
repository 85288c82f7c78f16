extension Limits {
    /// Octets of an operational certificate in Matter TLV. Core §6.5.2.
    package static let certificateTLV = 400
    /// Octets of a certificate in X.509 DER. Core §6.1.3.
    package static let certificateDER = 600
    /// Octets of a certificate's serial number. RFC 5280 §4.1.2.2.
    package static let serialNumber = 20
    /// Attributes of a name. Core §6.5.6.2.
    package static let nameAttributes = 5
    /// CASE Authenticated Tags of one node. Core §6.6.2.1.2.
    package static let caseAuthenticatedTags = 3
    /// Octets of the attestation or NOCSR elements, and so of what is in them. Core §11.18.4.7
    /// (RESP_MAX).
    package static let attestationResponse = 900
    /// Octets of a file with certificates: some hundred of them in PEM.
    package static let authorityFile = 131_072
    /// Authorities that were added to those built in; all that the Alliance lists fit ten times.
    package static let addedAuthorities = 1000
    /// Products of one certification declaration, and authorities it may name. Core §6.3.1.
    package static let declaredProducts = 100
    package static let declaredAuthorities = 10
}

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
}

/// The name of an element inside its container.
///
/// Core Appendix A.2.4: eight forms; Matter messages use the anonymous and the context form.
package enum TLVTag: Hashable, Sendable {
    case anonymous
    /// One octet whose meaning the containing structure defines.
    case context(UInt8)
    /// A tag of the Matter common profile; 2 octets on the wire up to 0xFFFF, else 4.
    case commonProfile(UInt32)
    /// A tag whose profile is known from elsewhere; 2 or 4 octets on the wire.
    case implicitProfile(UInt32)
    /// A tag that carries its vendor and profile; 6 or 8 octets on the wire.
    case fullyQualified(vendor: UInt16, profile: UInt16, number: UInt32)
}

/// What a container holds decides which tags its members may have.
package enum TLVContainer: UInt8, Sendable {
    /// The bytes themselves, outside any container: any tag.
    case none = 0
    /// Members have a tag, in any order (Core Appendix A.5.1).
    case structure = 1
    /// Members have no tag (A.5.2).
    case array = 2
    /// Members may have a tag and it may repeat; their order has a meaning (A.5.3).
    case list = 3
}

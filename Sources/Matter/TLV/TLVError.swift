internal import Base

/// What is wrong with TLV that came from a peer, or does not fit where it is to be written.
package enum TLVError: Error, Equatable {
    /// The bytes end inside the element, or before the end of the container, that starts here.
    case truncated(at: Int)
    /// The buffer cannot hold the element to be written at this offset.
    case full(at: Int)
    /// An element type that Core Appendix A.7.1 does not define.
    case unknownType(at: Int)
    /// A member of a structure without a tag, or of an array with one.
    case misplacedTag(at: Int)
    /// Containers nested beyond `Limits.tlvDepth`.
    case tooDeep(at: Int)
    /// The end of a container where none is open.
    case unbalancedEnd(at: Int)
    /// A string that is not UTF-8.
    case invalidUTF8(at: Int)
    /// A value of another type than this field has; the tag is that of the field.
    case wrongType(tag: UInt8?)
    /// A value of the right type beyond what this field can hold.
    case outOfRange(tag: UInt8?)
    /// A field that must be there and is not.
    case missing(tag: UInt8)
    /// A member of a JSON object that is no field of the structure.
    case unknownField
    /// Something follows the element that was to be the only one.
    case trailingBytes(at: Int)
}

extension TLVError {
    init(_ error: ByteError) {
        switch error {
        case .truncated(let offset): self = .truncated(at: offset)
        case .full(let offset): self = .full(at: offset)
        }
    }
}

internal import Base

/// One TLV element of any type, kept as its octets with an anonymous tag.
package struct EncodedElement: TLVCodable, Hashable, Sendable {
    package private(set) var octets: [UInt8]

    /// A structure without members.
    package static let emptyStructure = EncodedElement(checked: [0x15, 0x18])

    /// - Parameter octets: exactly one element with an anonymous tag, written by us.
    init(checked octets: [UInt8]) { self.octets = octets }

    /// Copies the one element that `octets` is, whatever its tag.
    package init(copying octets: Span<UInt8>) throws(TLVError) {
        var reader = TLVReader(octets)
        try reader.skip(try reader.require())
        guard reader.isAtEnd else { throw .trailingBytes(at: reader.offset) }
        try self.init(whole: octets)
    }

    /// - Parameter octets: exactly one element, as a reader found it.
    init(whole octets: Span<UInt8>) throws(TLVError) {
        var copy = [UInt8](repeating: 0, count: octets.count)
        var writer = TLVWriter(copy.mutableSpan)
        try writer.element(octets, tag: .anonymous)
        let count = writer.count
        copy.removeLast(copy.count - count)
        self.octets = copy
    }

    /// - Throws: `full` when the value is longer than one message; a list, which may go in
    ///   parts, beyond `Limits.writtenListOctets`.
    package init(_ value: some TLVCodable) throws(TLVError) {
        do throws(TLVError) {
            octets = try value.tlv(capacity: Limits.interactionPayload)
        } catch {
            guard case .full = error else { throw error }
            let long = try value.tlv(capacity: Limits.writtenListOctets)
            guard long[0] == ElementType.array else { throw error }
            // Not with the room that the longest would need.
            octets = long.map { $0 }
        }
    }

    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        try self.init(whole: try reader.whole(element))
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.element(octets.span, tag: tag)
    }

    package func decoded<Value: TLVCodable>(as type: Value.Type = Value.self)
        throws(TLVError) -> Value
    {
        try Value(tlv: octets.span)
    }
}

extension EncodedElement {
    /// Puts `item` at the end of the array that this is.
    /// - Throws: `wrongType` when this is no array.
    mutating func append(_ item: EncodedElement) throws(TLVError) {
        guard octets[0] == ElementType.array else { throw .wrongType(tag: nil) }
        octets.removeLast()
        octets.append(contentsOf: item.octets)
        octets.append(ElementType.endOfContainer)
    }
}

package import Base

// How the values of Core §7.19 stand in TLV and in JSON.

extension Bool: TLVCodable {
    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        self = try element.boolean()
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.boolean(self, tag: tag)
    }

    package var json: JSONValue { .boolean(self) }

    package init(json: JSONValue) throws(TLVError) {
        guard case .boolean(let value) = json else { throw .wrongType(tag: nil) }
        self = value
    }
}

extension TLVCodable where Self: FixedWidthInteger {
    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        self = try element.integer()
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        if Self.isSigned {
            try writer.signed(Int64(self), tag: tag)
        } else {
            try writer.unsigned(UInt64(self), tag: tag)
        }
    }

    package var json: JSONValue {
        Int64(exactly: self).map(JSONValue.integer) ?? .unsigned(UInt64(self))
    }

    package init(json: JSONValue) throws(TLVError) {
        let value: Self?
        switch json {
        case .integer(let number): value = Self(exactly: number)
        case .unsigned(let number): value = Self(exactly: number)
        default: throw .wrongType(tag: nil)
        }
        guard let value else { throw .outOfRange(tag: nil) }
        self = value
    }
}

extension UInt8: TLVCodable {}
extension UInt16: TLVCodable {}
extension UInt32: TLVCodable {}
extension UInt64: TLVCodable {}
extension Int8: TLVCodable {}
extension Int16: TLVCodable {}
extension Int32: TLVCodable {}
extension Int64: TLVCodable {}

extension Float: TLVCodable {
    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        guard case .float(let value) = element.value else {
            throw .wrongType(tag: element.contextTag)
        }
        self = value
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.float(self, tag: tag)
    }

    package var json: JSONValue { .number(Double(self)) }

    package init(json: JSONValue) throws(TLVError) { self = Float(try Double(json: json)) }
}

extension Double: TLVCodable {
    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        switch element.value {
        case .double(let value): self = value
        case .float(let value): self = Double(value)
        default: throw .wrongType(tag: element.contextTag)
        }
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.double(self, tag: tag)
    }

    package var json: JSONValue { .number(self) }

    package init(json: JSONValue) throws(TLVError) {
        switch json {
        case .number(let value): self = value
        case .integer(let value): self = Double(value)
        default: throw .wrongType(tag: nil)
        }
    }
}

extension String: TLVCodable {
    /// The visible text ends at an Information Separator 1; what follows is for translation
    /// (Core §7.19.2.40).
    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        let bytes = [UInt8](try element.utf8)
        let visible = bytes.firstIndex(of: 0x1F).map { bytes[..<$0] } ?? bytes[...]
        guard let text = String(validating: visible, as: UTF8.self) else {
            throw .invalidUTF8(at: element.offset)
        }
        self = text
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.utf8([UInt8](utf8).span, tag: tag)
    }

    package var json: JSONValue { .string(self) }

    package init(json: JSONValue) throws(TLVError) {
        guard case .string(let value) = json else { throw .wrongType(tag: nil) }
        self = value
    }
}

/// An octet string that belongs to nobody else.
package struct Octets: TLVCodable, Hashable, Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        bytes = [UInt8](try element.octets)
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.octets(bytes.span, tag: tag)
    }

    /// `hex:` and pairs of digits, so that octets and text cannot be taken for each other.
    package var json: JSONValue { .string("hex:" + Hex.lower(bytes.span)) }

    package init(json: JSONValue) throws(TLVError) {
        guard case .string(let text) = json, text.hasPrefix("hex:"),
            let bytes = Hex.decode(String(text.dropFirst(4)))
        else { throw .wrongType(tag: nil) }
        self.bytes = bytes
    }
}

extension FixedBytes: TLVCodable {
    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        let octets = try element.octets
        guard octets.count == size else { throw .outOfRange(tag: element.contextTag) }
        self.init(copying: octets)
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        let octets = [UInt8](self)
        try writer.octets(octets.span, tag: tag)
    }

    package var json: JSONValue {
        let octets = [UInt8](self)
        return .string("hex:" + Hex.lower(octets.span))
    }

    package init(json: JSONValue) throws(TLVError) {
        let octets = try Octets(json: json)
        guard octets.bytes.count == size else { throw .outOfRange(tag: nil) }
        self.init(copying: octets.bytes.span)
    }
}

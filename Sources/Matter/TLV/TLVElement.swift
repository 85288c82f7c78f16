/// One element as it stands on the wire; strings borrow the bytes they were read from.
package struct TLVElement: ~Escapable {
    package let tag: TLVTag
    package let value: TLVValue
    /// Offset of the control octet in the reader's bytes.
    package let offset: Int

    @_lifetime(copy value)
    init(tag: TLVTag, value: consuming TLVValue, offset: Int) {
        self.tag = tag
        self.value = value
        self.offset = offset
    }
}

/// The value of an element, or the opening or end of a container.
package enum TLVValue: ~Escapable {
    case signed(Int64)
    case unsigned(UInt64)
    case boolean(Bool)
    case float(Float)
    case double(Double)
    /// Checked to be UTF-8 when it is made a `String`.
    case utf8(Span<UInt8>)
    case octets(Span<UInt8>)
    case null
    case open(TLVContainer)
    case end
}

extension TLVElement {
    /// The tag's number when it is of the context form.
    package var contextTag: UInt8? {
        if case .context(let number) = tag { number } else { nil }
    }

    /// - Throws: `wrongType`, or `outOfRange` for a negative number.
    package func unsigned() throws(TLVError) -> UInt64 {
        switch value {
        case .unsigned(let number): return number
        case .signed(let number):
            guard number >= 0 else { throw .outOfRange(tag: contextTag) }
            return UInt64(number)
        default: throw .wrongType(tag: contextTag)
        }
    }

    /// Any width and either signedness is accepted as long as the value fits
    /// (a field's type bounds the value, not the encoding).
    package func integer<T: FixedWidthInteger>(as type: T.Type = T.self) throws(TLVError) -> T {
        let number: T?
        switch value {
        case .unsigned(let value): number = T(exactly: value)
        case .signed(let value): number = T(exactly: value)
        default: throw .wrongType(tag: contextTag)
        }
        guard let number else { throw .outOfRange(tag: contextTag) }
        return number
    }

    package func boolean() throws(TLVError) -> Bool {
        guard case .boolean(let flag) = value else { throw .wrongType(tag: contextTag) }
        return flag
    }

    package var isNull: Bool {
        if case .null = value { true } else { false }
    }

    package var octets: Span<UInt8> {
        @_lifetime(copy self)
        get throws(TLVError) {
            guard case .octets(let bytes) = value else { throw .wrongType(tag: contextTag) }
            return bytes
        }
    }

    package var utf8: Span<UInt8> {
        @_lifetime(copy self)
        get throws(TLVError) {
            guard case .utf8(let bytes) = value else { throw .wrongType(tag: contextTag) }
            return bytes
        }
    }

    /// - Throws: `wrongType` unless this opens a container of that kind.
    package func expect(_ container: TLVContainer) throws(TLVError) {
        guard case .open(let kind) = value, kind == container else {
            throw .wrongType(tag: contextTag)
        }
    }
}

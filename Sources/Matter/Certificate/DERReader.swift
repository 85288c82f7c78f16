internal import Base

/// Reads DER (X.690): one-octet tags, definite lengths in their shortest form, nothing else.
///
/// A reader never descends by itself: nesting is as deep as the code that reads, so no input can
/// drive it further. Offsets in errors count from the start of the outermost bytes.
package struct DERReader: ~Escapable {
    private let bytes: Span<UInt8>
    private let base: Int
    private var position = 0

    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
        self.base = 0
    }

    /// Reads what is inside `element`.
    @_lifetime(copy element)
    package init(_ element: borrowing DERElement) {
        self.bytes = element.content
        self.base = element.offset + element.whole.count - element.content.count
    }

    package var isAtEnd: Bool { position == bytes.count }
    /// Where the next element begins.
    package var offset: Int { base + position }

    /// The next element; the end of the bytes is `truncated` too.
    @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func next() throws(DERError) -> DERElement {
        guard bytes.count - position >= 2 else { throw .truncated(at: offset) }
        let tag = DERTag(bytes[position])
        guard tag.rawValue & 0x1F != 0x1F else { throw .unexpectedTag(at: offset) }
        let first = bytes[position + 1]
        let lengthOctets = first < 0x80 ? 0 : Int(first & 0x7F)
        guard first != 0x80, lengthOctets <= 2 else { throw .invalidLength(at: offset) }
        let start = position + 2 + lengthOctets
        guard bytes.count >= start else { throw .truncated(at: offset) }
        var count = lengthOctets == 0 ? Int(first) : 0
        for index in (position + 2)..<start { count = count << 8 | Int(bytes[index]) }
        guard lengthOctets == 0 || count >= (lengthOctets == 1 ? 0x80 : 0x100) else {
            throw .invalidLength(at: offset)
        }
        guard bytes.count - start >= count else { throw .truncated(at: offset) }
        let element = DERElement(
            tag: tag, content: bytes.extracting(start..<(start + count)),
            whole: bytes.extracting(position..<(start + count)), offset: offset)
        position = start + count
        return element
    }

    /// The next element, which must have this tag.
    @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func require(_ tag: DERTag) throws(DERError) -> DERElement {
        let element = try next()
        guard element.tag == tag else { throw .unexpectedTag(at: element.offset) }
        return element
    }

    /// The next element when it has this tag; otherwise nothing is consumed.
    @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func optional(_ tag: DERTag) throws(DERError) -> DERElement? {
        guard !isAtEnd, bytes[position] == tag.rawValue else { return nil }
        return try next()
    }

    package func requireEnd() throws(DERError) {
        guard isAtEnd else { throw .trailingBytes(at: offset) }
    }
}

/// One element, borrowed from the bytes it was read from.
package struct DERElement: ~Escapable {
    package let tag: DERTag
    package let content: Span<UInt8>
    /// Tag, length and content.
    package let whole: Span<UInt8>
    /// Of the tag, from the start of the outermost bytes.
    package let offset: Int

    @_lifetime(copy content, copy whole)
    init(tag: DERTag, content: Span<UInt8>, whole: Span<UInt8>, offset: Int) {
        self.tag = tag
        self.content = content
        self.whole = whole
        self.offset = offset
    }

    /// A non-negative INTEGER below 2^31 in its shortest form.
    package func integer() throws(DERError) -> Int {
        guard tag == .integer, content.count >= 1, content.count <= 4, content[0] < 0x80,
            content.count == 1 || content[0] != 0 || content[1] >= 0x80
        else { throw .invalidValue(at: offset) }
        var value = 0
        for index in content.indices { value = value << 8 | Int(content[index]) }
        return value
    }

    package func boolean() throws(DERError) -> Bool {
        guard tag == .boolean, content.count == 1, content[0] == 0 || content[0] == 0xFF
        else { throw .invalidValue(at: offset) }
        return content[0] != 0
    }

    /// The octets of a BIT STRING that uses all bits of its last octet.
    package var wholeOctets: Span<UInt8> {
        @_lifetime(copy self)
        get throws(DERError) {
            guard tag == .bitString, content.count >= 1, content[0] == 0 else {
                throw .invalidValue(at: offset)
            }
            return content.extracting(1..<content.count)
        }
    }

    /// - Throws: `invalidValue` unless this is that object identifier.
    package func expect(_ identifier: [UInt8]) throws(DERError) {
        guard tag == .objectIdentifier, content.isEqual(to: identifier) else {
            throw .invalidValue(at: offset)
        }
    }
}

/// X.690 §8.1.2, universal and context classes as far as certificates use them.
package struct DERTag: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package init(_ rawValue: UInt8) { self.rawValue = rawValue }

    package static let boolean = DERTag(0x01)
    package static let integer = DERTag(0x02)
    package static let bitString = DERTag(0x03)
    package static let octetString = DERTag(0x04)
    package static let null = DERTag(0x05)
    package static let objectIdentifier = DERTag(0x06)
    package static let utf8String = DERTag(0x0C)
    package static let printableString = DERTag(0x13)
    package static let ia5String = DERTag(0x16)
    package static let utcTime = DERTag(0x17)
    package static let generalizedTime = DERTag(0x18)
    package static let sequence = DERTag(0x30)
    package static let set = DERTag(0x31)

    package static func context(_ number: UInt8, constructed: Bool) -> DERTag {
        DERTag((constructed ? 0xA0 : 0x80) | number)
    }
}

/// What is wrong with DER that came from outside.
package enum DERError: Error, Equatable {
    /// The bytes end inside the element that starts here, or where one should start.
    case truncated(at: Int)
    /// A length that is indefinite, not in its shortest form, or beyond 65,535.
    case invalidLength(at: Int)
    /// Another element than the one that belongs here.
    case unexpectedTag(at: Int)
    /// The right element with a value it cannot have, or that Matter does not allow.
    case invalidValue(at: Int)
    /// Something follows the last element that belongs here.
    case trailingBytes(at: Int)
}

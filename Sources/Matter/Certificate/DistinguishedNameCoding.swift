internal import Base

// Both forms of a name: the TLV list of Core §6.5.6 and the X.501 Name of RFC 5280 §4.1.2.4.

extension DistinguishedName {
    /// - Parameter element: the opening of the list.
    init(from element: borrowing TLVElement, _ reader: inout TLVReader) throws(TLVError) {
        try element.expect(.list)
        var attributes: [Attribute] = []
        attributes.reserveCapacity(Limits.nameAttributes)
        while let member = try reader.member() {
            guard attributes.count < Limits.nameAttributes else {
                throw .outOfRange(tag: element.contextTag)
            }
            attributes.append(try Attribute(from: member))
        }
        self.init(attributes)
    }

    @_lifetime(writer: copy writer)
    func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.open(.list, tag: tag)
        for attribute in attributes {
            let number = attribute.type.rawValue
            switch attribute.value {
            case .number(let value):
                try writer.unsigned(value, tag: .context(number))
            case .text(let text, let isPrintableString):
                let flag = isPrintableString ? Attribute.printableStringFlag : 0
                try writer.utf8(text.span, tag: .context(number | flag))
            }
        }
        try writer.end()
    }

    /// - Parameter element: the Name.
    init(_ element: borrowing DERElement) throws(DERError) {
        var attributes: [Attribute] = []
        var names = DERReader(element)
        while !names.isAtEnd {
            var set = DERReader(try names.require(.set))
            let pair = try set.require(.sequence)
            try set.requireEnd()
            guard attributes.count < Limits.nameAttributes else {
                throw .invalidValue(at: pair.offset)
            }
            attributes.append(try Attribute(pair))
        }
        self.init(attributes)
    }

    /// Each attribute is a SET of its own.
    func encode(to writer: inout DERWriter) {
        let start = writer.open(.sequence)
        for attribute in attributes {
            let set = writer.open(.set)
            attribute.encode(to: &writer)
            writer.close(set)
        }
        writer.close(start)
    }
}

extension DistinguishedName.Attribute {
    /// Added to the tag of a text that X.509 writes as a PrintableString.
    static let printableStringFlag: UInt8 = 0x80

    init(from element: borrowing TLVElement) throws(TLVError) {
        let tag = element.contextTag ?? 0
        let isPrintableString = tag & Self.printableStringFlag != 0
        guard let type = DistinguishedName.AttributeType(rawValue: tag & 0x7F),
            !isPrintableString || type.rawValue <= DistinguishedName.AttributeType.lastX520
        else { throw .outOfRange(tag: element.contextTag) }
        self.type = type
        if type == .caseAuthenticatedTag {
            value = .number(UInt64(try element.integer(as: UInt32.self)))
        } else if type.isNumber {
            value = .number(try element.unsigned())
        } else {
            value = .text([UInt8](try element.utf8), isPrintableString: isPrintableString)
        }
    }

    /// - Parameter element: the SEQUENCE of type and value.
    init(_ element: borrowing DERElement) throws(DERError) {
        var reader = DERReader(element)
        let identifier = try reader.require(.objectIdentifier)
        guard let type = DistinguishedName.AttributeType(objectIdentifier: identifier.content)
        else { throw .invalidValue(at: identifier.offset) }
        let text = try reader.next()
        try reader.requireEnd()
        self.type = type
        if type.isNumber {
            guard text.tag == .utf8String, text.content.count == type.digits,
                let number = Hex.number(upper: text.content)
            else { throw .invalidValue(at: text.offset) }
            value = .number(number)
            return
        }
        switch text.tag {
        case .ia5String where type == .domainComponent, .utf8String where type != .domainComponent:
            value = .text([UInt8](text.content), isPrintableString: false)
        case .printableString where type != .domainComponent:
            value = .text([UInt8](text.content), isPrintableString: true)
        default: throw .invalidValue(at: text.offset)
        }
    }

    func encode(to writer: inout DERWriter) {
        let start = writer.open(.sequence)
        type.encode(to: &writer)
        switch value {
        case .number(let number):
            let text = writer.open(.utf8String)
            for index in 1...type.digits {
                let digit = UInt8(number >> UInt64(4 * (type.digits - index)) & 15)
                let first = digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10
                writer.octet(first + digit)
            }
            writer.close(text)
        case .text(let text, let isPrintableString):
            let tag: DERTag =
                if type == .domainComponent { .ia5String } else {
                    isPrintableString ? .printableString : .utf8String
                }
            writer.primitive(tag, text.span)
        }
        writer.close(start)
    }
}

extension DistinguishedName.AttributeType {
    /// The attributes up to here are of X.520.
    static let lastX520 = pseudonym.rawValue

    /// Hexadecimal digits of a Matter id in X.509.
    var digits: Int { self == .caseAuthenticatedTag ? 8 : 16 }

    /// Writes the object identifier.
    func encode(to writer: inout DERWriter) {
        if self == .domainComponent {
            writer.objectIdentifier(ObjectIdentifiers.domainComponent)
        } else if isNumber {
            writer.objectIdentifier(
                ObjectIdentifiers.matterIdentifierPrefix,
                rawValue - Self.domainComponent.rawValue)
        } else {
            writer.objectIdentifier(
                ObjectIdentifiers.attributePrefix, Self.x520[Int(rawValue) - 1])
        }
    }

    init?(objectIdentifier: Span<UInt8>) {
        let type: Self?
        if objectIdentifier.isEqual(to: ObjectIdentifiers.domainComponent) {
            type = .domainComponent
        } else if let last = objectIdentifier.suffix(of: ObjectIdentifiers.matterIdentifierPrefix) {
            let number = Int(last) + Int(Self.domainComponent.rawValue)
            type = last == 0 ? nil : UInt8(exactly: number).flatMap(Self.init(rawValue:))
        } else if let last = objectIdentifier.suffix(of: ObjectIdentifiers.attributePrefix),
            let index = Self.x520.indices.first(where: { Self.x520[$0] == last })
        {
            type = Self(rawValue: UInt8(index + 1))
        } else {
            type = nil
        }
        guard let type else { return nil }
        self = type
    }

    /// The last octet of 2.5.4.x for the tags 1 ... 15.
    private static let x520: InlineArray<15, UInt8> = [
        3, 4, 5, 6, 7, 8, 10, 11, 12, 41, 42, 43, 44, 46, 65,
    ]
}

extension Hex {
    /// Up to 16 upper-case digits as a number; nil when anything else is there.
    static func number(upper text: Span<UInt8>) -> UInt64? {
        guard text.count <= 16 else { return nil }
        var number: UInt64 = 0
        for index in text.indices {
            guard text[index] < UInt8(ascii: "a"), let digit = value(of: text[index]) else {
                return nil
            }
            number = number << 4 | UInt64(digit)
        }
        return number
    }
}

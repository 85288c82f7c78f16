package import Base

extension EncodedElement {
    /// The value without knowledge of its type: structures are objects keyed by tag number.
    package var json: JSONValue {
        var reader = TLVReader(octets.span)
        do throws(TLVError) {
            let element = try reader.require()
            return try Self.json(element, &reader)
        } catch {
            preconditionFailure("the octets were checked when they were read")
        }
    }

    /// The same way back. Numbers become the narrowest integers that hold them, strings behind
    /// `hex:` become octets.
    /// - Throws: `unknownField` for a key that is no tag number.
    package init(json: JSONValue) throws(TLVError) {
        var bytes = [UInt8](repeating: 0, count: Limits.interactionPayload)
        var writer = TLVWriter(bytes.mutableSpan)
        try Self.write(json, &writer, tag: .anonymous)
        let count = writer.count
        bytes.removeLast(bytes.count - count)
        self.init(checked: bytes)
    }

    /// Recursion ends with `Limits.tlvDepth`, which the reader keeps.
    private static func json(
        _ element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) -> JSONValue {
        switch element.value {
        case .signed(let number): return .integer(number)
        case .unsigned(let number): return .unsigned(fitting: number)
        case .boolean(let flag): return .boolean(flag)
        case .float(let number): return .number(Double(number))
        case .double(let number): return .number(number)
        case .null, .end: return .null
        case .octets(let bytes): return .string("hex:" + Hex.lower(bytes))
        case .utf8(let bytes):
            let text = String(validating: [UInt8](bytes), as: UTF8.self)
            return .string(text ?? "hex:" + Hex.lower(bytes))
        case .open(let kind): return try members(of: kind, &reader)
        }
    }

    private static func members(
        of kind: TLVContainer, _ reader: inout TLVReader
    ) throws(TLVError) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        var isTagged = kind == .structure
        while true {
            let member = try reader.require()
            if case .end = member.value { break }
            if member.tag != .anonymous { isTagged = true }
            members.append((key(member.tag), try json(member, &reader)))
        }
        return isTagged ? .object(members) : .array(members.map(\.value))
    }

    private static func key(_ tag: TLVTag) -> String {
        switch tag {
        case .anonymous: ""
        case .context(let number): String(number)
        case .commonProfile(let number), .implicitProfile(let number): String(number)
        case .fullyQualified(let vendor, let profile, let number):
            "\(vendor):\(profile):\(number)"
        }
    }

    @_lifetime(writer: copy writer)
    private static func write(
        _ json: JSONValue, _ writer: inout TLVWriter, tag: TLVTag
    ) throws(TLVError) {
        switch json {
        case .null: try writer.null(tag: tag)
        case .boolean(let flag): try writer.boolean(flag, tag: tag)
        case .integer(let number) where number < 0: try writer.signed(number, tag: tag)
        case .integer(let number): try writer.unsigned(UInt64(number), tag: tag)
        case .unsigned(let number): try writer.unsigned(number, tag: tag)
        case .number(let number): try writer.double(number, tag: tag)
        case .string(let text):
            if text.hasPrefix("hex:"), let bytes = Hex.decode(String(text.dropFirst(4))) {
                try writer.octets(bytes.span, tag: tag)
            } else {
                try writer.utf8([UInt8](text.utf8).span, tag: tag)
            }
        case .array(let values):
            try writer.open(.array, tag: tag)
            for value in values { try write(value, &writer, tag: .anonymous) }
            try writer.end()
        case .object(let members):
            try writer.open(.structure, tag: tag)
            for member in members {
                guard let number = UInt8(member.key) else { throw .unknownField }
                try write(member.value, &writer, tag: .context(number))
            }
            try writer.end()
        }
    }
}

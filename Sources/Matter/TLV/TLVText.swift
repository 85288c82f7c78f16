internal import Base

/// TLV as text for a person: one element a line, members indented under their container.
///
/// Tolerant: what can be read is printed, then the fault that stopped the reading. Nothing in the
/// bytes reaches the terminal unescaped. The notation follows Core Appendix A.
package enum TLVText {
    /// - Returns: lines without a line feed after the last; empty for no bytes.
    package static func lines(_ bytes: Span<UInt8>) -> [String] {
        var lines: [String] = []
        var reader = TLVReader(bytes)
        var open: [TLVContainer] = []
        do throws(TLVError) {
            while let element = try reader.next() {
                if case .end = element.value {
                    let container = open.removeLast()
                    lines.append(indent(open.count) + brackets(container).close)
                    continue
                }
                let name = words(element.tag)
                lines.append("\(indent(open.count))\(name): \(words(element.value))")
                if case .open(let container) = element.value { open.append(container) }
            }
        } catch {
            lines.append("error: \(words(error))")
        }
        return lines
    }

    /// `anonymous`, `1`, `common:1`, `implicit:1`, `0xFFF1::0xDEED:1` (vendor, profile, number).
    package static func words(_ tag: TLVTag) -> String {
        switch tag {
        case .anonymous: "anonymous"
        case .context(let number): "\(number)"
        case .commonProfile(let number): "common:\(number)"
        case .implicitProfile(let number): "implicit:\(number)"
        case .fullyQualified(let vendor, let profile, let number):
            "\(hexadecimal(vendor))::\(hexadecimal(profile)):\(number)"
        }
    }

    package static func words(_ error: TLVError) -> String {
        switch error {
        case .truncated(let offset): "the bytes end too early, at \(offset)"
        case .full(let offset): "no room to write at \(offset)"
        case .unknownType(let offset): "unknown element type at \(offset)"
        case .misplacedTag(let offset): "the container does not allow the tag at \(offset)"
        case .tooDeep(let offset): "more than \(Limits.tlvDepth) containers open at \(offset)"
        case .unbalancedEnd(let offset): "no container is open for the end at \(offset)"
        case .invalidUTF8(let offset): "the string at \(offset) is not UTF-8"
        case .wrongType(let tag): "field \(field(tag)) has another type"
        case .outOfRange(let tag): "field \(field(tag)) is out of range"
        case .missing(let tag): "field \(tag) is missing"
        case .unknownField: "a member is no field of the structure"
        case .trailingBytes(let offset): "something follows the element, at \(offset)"
        }
    }
}

extension TLVText {
    private static func words(_ value: borrowing TLVValue) -> String {
        switch value {
        case .signed(let number): "signed \(number)"
        case .unsigned(let number): "unsigned \(number)"
        case .boolean(let flag): "boolean \(flag)"
        case .float(let number): "float \(number)"
        case .double(let number): "double \(number)"
        case .utf8(let bytes): "utf8(\(bytes.count)) \(string(bytes))"
        case .octets(let bytes): "octets(\(bytes.count))\(octets(bytes))"
        case .null: "null"
        case .open(let container): "\(container) \(brackets(container).open)"
        case .end: "end"
        }
    }

    private static func octets(_ bytes: Span<UInt8>) -> String {
        guard bytes.count > 0 else { return "" }
        var printable = true
        for index in bytes.indices where !(0x20...0x7E).contains(bytes[index]) {
            printable = false
        }
        return " " + Hex.lower(bytes) + (printable ? " " + string(bytes) : "")
    }

    /// Quoted, with whatever could steer a terminal escaped; hexadecimal when it is not UTF-8.
    private static func string(_ bytes: Span<UInt8>) -> String {
        guard let text = String(validating: [UInt8](bytes), as: UTF8.self) else {
            return "not UTF-8 " + Hex.lower(bytes)
        }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted += "\\"
                quoted.unicodeScalars.append(scalar)
            case _ where scalar.isPlain: quoted.unicodeScalars.append(scalar)
            default: quoted += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            }
        }
        return quoted + "\""
    }

    private static func brackets(_ container: TLVContainer) -> (open: String, close: String) {
        switch container {
        case .none: ("", "")
        case .structure: ("{", "}")
        case .array: ("[", "]")
        case .list: ("[[", "]]")
        }
    }

    private static func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

    private static func field(_ tag: UInt8?) -> String { tag.map { "\($0)" } ?? "without a tag" }

    private static func hexadecimal(_ number: UInt16) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

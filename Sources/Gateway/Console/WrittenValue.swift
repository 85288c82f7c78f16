package import Base
package import Matter

/// From the text behind `write` to what is sent: numbers in the unit in which `read` shows them.
package enum WrittenValue {
    /// - Parameters:
    ///   - readingJSON: reads JSON text; called for a value that begins as a list, a structure
    ///     or a quoted text does.
    package static func element<Failure: Error>(
        _ text: String, for path: ConcreteAttributePath,
        readingJSON: (String) throws(Failure) -> JSONValue
    ) throws(ValueError) -> EncodedElement {
        let info = Clusters.attribute(path.attribute, of: path.cluster)
        if let info, info.access == .read { throw .readOnly(path) }
        if let first = text.utf8.first, jsonStarts.contains(first) {
            let json: JSONValue
            do throws(Failure) { json = try readingJSON(text) } catch { throw .malformedJSON }
            return try encode(json, for: path)
        }
        if let quantity = info?.quantity, text != "null" {
            return try encode(.integer(try number(text, quantity, path)), for: path)
        }
        let plain = plain(text)
        do throws(ValueError) { return try encode(plain, for: path) } catch {
            // What looks like a number or a word of JSON may be meant as a text.
            guard case .wrongType = error, plain != .string(text) else { throw error }
            return try encode(.string(text), for: path)
        }
    }

    private static let jsonStarts: [UInt8] = [
        UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\""),
    ]

    private static func encode(
        _ json: JSONValue, for path: ConcreteAttributePath
    ) throws(ValueError) -> EncodedElement {
        do throws(TLVError) { return try Clusters.element(json, for: path) } catch {
            switch error {
            case .outOfRange: throw .outOfRange(path)
            case .full: throw .tooLong(path)
            case .unknownField: throw .unknownField(path)
            case .missing(let tag): throw .missingField(path, tag)
            case .truncated, .unknownType, .misplacedTag, .tooDeep, .unbalancedEnd, .invalidUTF8,
                .wrongType, .trailingBytes:
                throw .wrongType(path)
            }
        }
    }

    private static func plain(_ text: String) -> JSONValue {
        switch text {
        case "null": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: break
        }
        guard isNumber(text) else { return .string(text) }
        if let number = Int64(text) { return .integer(number) }
        if let number = UInt64(text) { return .unsigned(number) }
        return Double(text).map { .number($0) } ?? .string(text)
    }

    /// As JSON has them, so that neither `inf` nor `0x10` nor `+1` is one.
    private static func isNumber(_ text: String) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard let first = digits.first, first >= 0x30, first <= 0x39 else { return false }
        return digits.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ".eE+-".utf8.contains($0) }
    }

    /// `21.5` or `21.5 °C` as 2150.
    private static func number(
        _ text: String, _ quantity: Quantity, _ path: ConcreteAttributePath
    ) throws(ValueError) -> Int64 {
        var digits = Substring(text)
        if digits.hasSuffix(quantity.unit) { digits = digits.dropLast(quantity.unit.count) }
        while digits.last == " " { digits = digits.dropLast() }
        let isNegative = digits.first == "-"
        if isNegative { digits = digits.dropFirst() }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        let whole = parts.first ?? ""
        let fraction = parts.count > 1 ? parts[1] : ""
        guard parts.count <= 2, !whole.isEmpty, parts.count == 1 || !fraction.isEmpty,
            (whole + fraction).utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
        else { throw .notANumber(path, quantity) }
        guard fraction.count <= quantity.decimals else { throw .tooPrecise(path, quantity) }
        let padding = String(repeating: "0", count: quantity.decimals - fraction.count)
        guard let number = Int64((isNegative ? "-" : "") + whole + fraction + padding) else {
            throw .outOfRange(path)
        }
        return number
    }
}

/// Why a text is no value of an attribute.
package enum ValueError: Error, Equatable {
    case readOnly(ConcreteAttributePath)
    case malformedJSON
    case wrongType(ConcreteAttributePath)
    case outOfRange(ConcreteAttributePath)
    case notANumber(ConcreteAttributePath, Quantity)
    /// More digits behind the point than the attribute holds.
    case tooPrecise(ConcreteAttributePath, Quantity)
    /// Longer than one message.
    case tooLong(ConcreteAttributePath)
    case unknownField(ConcreteAttributePath)
    case missingField(ConcreteAttributePath, UInt8)
}

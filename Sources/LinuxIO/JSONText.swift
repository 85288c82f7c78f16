package import Base
internal import CJansson

/// JSON text read into a value: RFC 8259, any value at the top, no member twice.
package enum JSONText {
    /// Reads exactly one value.
    ///
    /// Whole numbers from -2^63 to 2^64 - 1 are exact: the ids of Matter need all 64 bits, of
    /// which the reader underneath has 63. What is beyond is refused.
    package static func parse(_ text: Span<UInt8>) throws(JSONTextError) -> JSONValue {
        guard text.count <= Limits.jsonBytes else { throw .tooLong }
        var scan = try JSONScan(text)
        var error = json_error_t()
        let flags = Int(JSON_DECODE_ANY) | Int(JSON_REJECT_DUPLICATES)
        let root = unsafe scan.text.withUnsafeBytes { bytes in
            unsafe json_loadb(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, flags, &error)
        }
        guard let root = unsafe root else { throw JSONTextError(error) }
        defer { unsafe json_decref(root) }
        return unsafe value(root, &scan)
    }

    /// Goes through the values in the order in which they are written, so that the numbers meet
    /// those that the scan has set aside.
    @unsafe private static func value(
        _ value: UnsafeMutablePointer<json_t>, _ scan: inout JSONScan
    ) -> JSONValue {
        switch unsafe value.pointee.type {
        case JSON_TRUE: return .boolean(true)
        case JSON_FALSE: return .boolean(false)
        case JSON_STRING: return .string(unsafe string(value))
        case JSON_INTEGER:
            return scan.nextNumber() ?? .integer(unsafe json_integer_value(value))
        case JSON_REAL:
            _ = scan.nextNumber()
            return .number(unsafe json_real_value(value))
        case JSON_ARRAY:
            var elements: [JSONValue] = []
            for index in 0..<(unsafe json_array_size(value)) {
                guard let element = unsafe json_array_get(value, index) else { break }
                elements.append(unsafe self.value(element, &scan))
            }
            return .array(elements)
        case JSON_OBJECT:
            var members: [(key: String, value: JSONValue)] = []
            var place = unsafe json_object_iter(value)
            while let member = unsafe place {
                guard let key = unsafe json_object_iter_key(member),
                    let content = unsafe json_object_iter_value(member)
                else { break }
                let name = unsafe String(cString: key)
                members.append((name, unsafe self.value(content, &scan)))
                unsafe place = unsafe json_object_iter_next(value, member)
            }
            return .object(members)
        default: return .null
        }
    }

    @unsafe private static func string(_ value: UnsafeMutablePointer<json_t>) -> String {
        guard let start = unsafe json_string_value(value) else { return "" }
        let count = unsafe json_string_length(value)
        return unsafe start.withMemoryRebound(to: UInt8.self, capacity: count) { octets in
            unsafe String(
                decoding: UnsafeBufferPointer(start: octets, count: count), as: UTF8.self)
        }
    }
}

/// What is wrong with a text, and where: line and column count from 1, in characters.
package enum JSONTextError: Error, Equatable {
    case tooLong
    case tooDeep(line: Int, column: Int)
    /// A whole number beyond 64 bits, or another beyond a double.
    case numberTooBig(line: Int, column: Int)
    case memberTwice(line: Int, column: Int)
    /// The text ends before the value does.
    case incomplete(line: Int, column: Int)
    case malformed(line: Int, column: Int)

    fileprivate init(_ error: json_error_t) {
        var error = error
        let line = max(1, Int(error.line))
        let column = max(1, Int(error.column))
        switch unsafe json_error_code(&error) {
        case json_error_numeric_overflow: self = .numberTooBig(line: line, column: column)
        case json_error_duplicate_key: self = .memberTwice(line: line, column: column)
        case json_error_premature_end_of_input: self = .incomplete(line: line, column: column)
        case json_error_stack_overflow: self = .tooDeep(line: line, column: column)
        default: self = .malformed(line: line, column: column)
        }
    }
}

extension JSONTextError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong: "the JSON text is longer than \(Limits.jsonBytes) octets"
        case .tooDeep(let line, let column):
            "JSON too deep at line \(line), column \(column)"
        case .numberTooBig(let line, let column):
            "number too big at line \(line), column \(column)"
        case .memberTwice(let line, let column):
            "a member is there twice at line \(line), column \(column)"
        case .incomplete(let line, let column):
            "the JSON text ends too early at line \(line), column \(column)"
        case .malformed(let line, let column):
            "no valid JSON at line \(line), column \(column)"
        }
    }
}

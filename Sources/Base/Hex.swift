/// Hexadecimal text, for consoles, stored identifiers and tests.
package enum Hex {
    package static func lower(_ bytes: Span<UInt8>) -> String {
        encode(bytes, digits: "0123456789abcdef")
    }

    package static func upper(_ bytes: Span<UInt8>) -> String {
        encode(bytes, digits: "0123456789ABCDEF")
    }

    /// 16 upper-case digits, as node and fabric ids are written in service names.
    package static func upper(_ value: UInt64) -> String {
        var text = ""
        for shift in stride(from: 60, through: 0, by: -4) {
            text.unicodeScalars.append(digit(UInt8(value >> UInt64(shift) & 15), upper: true))
        }
        return text
    }

    /// Reads pairs of digits of either case; blanks and colons between pairs are ignored.
    /// Nil when anything else is there or a pair is incomplete.
    package static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for scalar in text.unicodeScalars {
            if high == nil, scalar == " " || scalar == ":" || scalar == "\n" { continue }
            guard scalar.isASCII, let nibble = value(of: UInt8(scalar.value)) else { return nil }
            if let first = high {
                bytes.append(first << 4 | nibble)
                high = nil
            } else {
                high = nibble
            }
        }
        return high == nil ? bytes : nil
    }

    /// 0 ... 15, or nil for what is no hexadecimal digit.
    package static func value(of character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x41 + 10
        case 0x61...0x66: character - 0x61 + 10
        default: nil
        }
    }

    private static func encode(_ bytes: Span<UInt8>, digits: StaticString) -> String {
        let upper = digits.description.hasSuffix("F")
        var text = ""
        for index in bytes.indices {
            text.unicodeScalars.append(digit(bytes[index] >> 4, upper: upper))
            text.unicodeScalars.append(digit(bytes[index] & 15, upper: upper))
        }
        return text
    }

    private static func digit(_ value: UInt8, upper: Bool) -> Unicode.Scalar {
        Unicode.Scalar(value < 10 ? 0x30 + value : (upper ? 0x41 : 0x61) + value - 10)
    }
}

internal import Base
internal import Crypto

/// Lines of `key=value` and headings, as octets: some are secrets, and blanks at their ends
/// belong to them.
enum NetworkFile {
    /// Goes through the lines that are neither empty nor comments, without the blanks before them.
    static func forEachLine(_ text: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
        var start = 0
        while start < text.count {
            var end = start
            while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
            let next = end + 1
            if end > start, text[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            while start < end, isBlank(text[start]) { start += 1 }
            if start < end, text[start] != UInt8(ascii: "#"), text[start] != UInt8(ascii: ";") {
                body(text.extracting(start..<end))
            }
            start = next
        }
    }

    /// - Returns: the key, and where the value begins; nil for a line without `=`.
    static func entry(_ line: Span<UInt8>) -> (key: String, value: Int)? {
        var equals = 0
        while equals < line.count, line[equals] != UInt8(ascii: "=") { equals += 1 }
        guard equals < line.count else { return nil }
        var end = equals
        while end > 0, isBlank(line[end - 1]) { end -= 1 }
        var value = equals + 1
        while value < line.count, isBlank(line[value]) { value += 1 }
        return (text(line.extracting(0..<end)), value)
    }

    /// Of what is no secret.
    static func text(_ octets: Span<UInt8>) -> String {
        String(decoding: [UInt8](octets), as: UTF8.self)
    }

    static func isBlank(_ octet: UInt8) -> Bool { octet == 0x20 || octet == 0x09 }

    /// Without the backslashes that escape characters: `\n`, `\x41` and the like.
    static func unescaped(_ octets: Span<UInt8>) -> Secret {
        var count = 0
        var index = 0
        while index < octets.count {
            index += escape(octets, index).length
            count += 1
        }
        return Secret(count: count) { target in
            var index = 0
            for place in 0..<count {
                let (octet, length) = escape(octets, index)
                target[place] = octet
                index += length
            }
        }
    }

    private static func escape(
        _ octets: Span<UInt8>, _ index: Int
    ) -> (octet: UInt8, length: Int) {
        guard octets[index] == UInt8(ascii: "\\"), index + 1 < octets.count else {
            return (octets[index], 1)
        }
        switch octets[index + 1] {
        case UInt8(ascii: "n"): return (0x0A, 2)
        case UInt8(ascii: "r"): return (0x0D, 2)
        case UInt8(ascii: "t"): return (0x09, 2)
        case UInt8(ascii: "s"): return (0x20, 2)
        case UInt8(ascii: "e"): return (0x1B, 2)
        case UInt8(ascii: "x"):
            guard index + 3 < octets.count, let high = Hex.value(of: octets[index + 2]),
                let low = Hex.value(of: octets[index + 3])
            else { return (UInt8(ascii: "x"), 2) }
            return (high << 4 | low, 4)
        case let other: return (other, 2)
        }
    }
}

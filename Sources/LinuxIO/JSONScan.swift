internal import Base

/// A first look at JSON text: how deep it is, and which numbers only an unsigned 64-bit integer
/// holds. Those are replaced by numbers of the same length, so that columns stay, and are put
/// back by their place among all numbers.
///
/// It relies on nothing: in a text that is no JSON it may find anything, and the reader that
/// comes after refuses it.
struct JSONScan {
    /// The text to read instead.
    private(set) var text: [UInt8]

    /// By their place among the numbers, ascending.
    private var unsigned: [(place: Int, value: UInt64)] = []
    /// Numbers met so far, by the scan and then by the reader.
    private var found = 0
    private var taken = 0

    init(_ original: Span<UInt8>) throws(JSONTextError) {
        text = [UInt8](original)
        var depth = 0
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\""): index = endOfString(from: index)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard depth <= Limits.jsonDepth else {
                    throw .tooDeep(line: line(of: index), column: column(of: index))
                }
                index += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                index += 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                index = scanNumber(from: index)
            default: index += 1
            }
        }
        found = 0
    }

    /// To be asked once for each number, in order: its value if it was replaced.
    mutating func nextNumber() -> JSONValue? {
        defer { found += 1 }
        guard taken < unsigned.count, unsigned[taken].place == found else { return nil }
        defer { taken += 1 }
        return .unsigned(unsigned[taken].value)
    }

    private func endOfString(from start: Int) -> Int {
        var index = start + 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index + 1
    }

    private mutating func scanNumber(from start: Int) -> Int {
        var end = start
        var value: UInt64? = 0
        while end < text.count, JSONScan.isPartOfNumber(text[end]) {
            let digit = UInt64(text[end]) &- 0x30
            value = value.flatMap { digit <= 9 ? JSONScan.append(digit, to: $0) : nil }
            end += 1
        }
        // 19 digits or 20: 10^18, or -10^18, has as many characters.
        if let value, value > UInt64(Int64.max), text[start] != 0x30 {
            unsigned.append((found, value))
            for index in start..<end { text[index] = 0x30 }
            let isLong = end - start == 20
            if isLong { text[start] = UInt8(ascii: "-") }
            text[start + (isLong ? 1 : 0)] = 0x31
        }
        found += 1
        return end
    }

    private static func append(_ digit: UInt64, to value: UInt64) -> UInt64? {
        let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = scaled.addingReportingOverflow(digit)
        return overflow || carry ? nil : sum
    }

    private static func isPartOfNumber(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private func line(of index: Int) -> Int {
        1 + text[..<index].count { $0 == 0x0A }
    }

    private func column(of index: Int) -> Int {
        let start = text[..<index].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        // Octets that continue a character do not count.
        return 1 + text[start..<index].count { $0 & 0xC0 != 0x80 }
    }
}

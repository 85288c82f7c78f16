/// How clusters, attributes, commands and named numbers are spelled at the console.
enum ConsoleName {
    /// Letter case and dashes do not matter, so that `MeasuredValue` is `measured-value`.
    static func matches(_ name: some StringProtocol, _ typed: some StringProtocol) -> Bool {
        var left = name.utf8.lazy.filter { $0 != dash }.makeIterator()
        var right = typed.utf8.lazy.filter { $0 != dash }.makeIterator()
        while true {
            switch (left.next(), right.next()) {
            case (nil, nil): return true
            case (let a?, let b?) where lower(a) == lower(b): continue
            default: return false
            }
        }
    }

    /// `outOfRange` as `out-of-range`, `networkIDNotFound` as `network-id-not-found`.
    static func dashed(_ name: String) -> String {
        let letters = Array(name.utf8)
        var text: [UInt8] = []
        for (index, letter) in letters.enumerated() {
            let startsWord =
                isCapital(letter) && index > 0
                && (!isCapital(letters[index - 1])
                    || index + 1 < letters.count && !isCapital(letters[index + 1]))
            if startsWord { text.append(dash) }
            text.append(lower(letter))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decimal, or hexadecimal behind `0x`.
    static func number<Number: FixedWidthInteger>(_ text: Substring) -> Number? {
        if text.hasPrefix("0x") || text.hasPrefix("0X") {
            return text.dropFirst(2).first == "-" || text.dropFirst(2).first == "+"
                ? nil : Number(text.dropFirst(2), radix: 16)
        }
        return text.first == "-" || text.first == "+" ? nil : Number(text)
    }

    private static let dash = UInt8(ascii: "-")

    private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    private static func lower(_ byte: UInt8) -> UInt8 { isCapital(byte) ? byte | 0x20 : byte }
}

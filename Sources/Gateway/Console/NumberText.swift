internal import Base
package import Matter

/// Numbers as the console shows them.
enum NumberText {
    /// `0x0402`, with at least so many digits.
    static func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// 16 digits, as node and fabric ids are written.
    static func digits16(_ number: UInt64) -> String { Hex.upper(number) }
}

extension NodeID {
    /// `0x` and 16 digits, on screens and in documents alike: as a JSON number it would lose
    /// its last digits in many readers.
    package var text: String { "0x" + NumberText.digits16(rawValue) }
}

extension VendorID {
    var text: String { NumberText.hexadecimal(rawValue, digits: 4) }
}

extension ProductID {
    var text: String { NumberText.hexadecimal(rawValue, digits: 4) }
}

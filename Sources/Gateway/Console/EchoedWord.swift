internal import Base

/// Something a person typed, as an error may repeat it: short, harmless to a terminal, and not
/// at all when it may be a setup code, for errors end up in logs.
package struct EchoedWord: Equatable, Sendable {
    /// Quoted, or a description of what is not repeated.
    package let text: String

    package init(_ word: [UInt8]) {
        if SetupCodeShape.fits(word) {
            text = "a setup code"
            return
        }
        let characters = String(decoding: word, as: UTF8.self).escapingControls
        let isShort = characters.count <= ConsoleLimits.echoedCharacters
        let shown = isShort ? characters : characters.prefix(ConsoleLimits.echoedCharacters) + "…"
        text = "\"\(shown)\""
    }

    package init(_ word: String) { self.init(Array(word.utf8)) }
}

/// Tells what looks like a setup code from other words, without judging whether it is one.
enum SetupCodeShape {
    /// The mark of a QR text somewhere, or digits enough for a manual code.
    static func fits(_ word: [UInt8]) -> Bool {
        if word.indices.contains(where: { isMark(word[$0...]) }) { return true }
        return isManual(word) && word.count { isDigit($0) } >= fewestDigits
    }

    /// Digits, and the blanks and dashes that people put between them.
    static func isManual(_ word: [UInt8]) -> Bool {
        word.contains(where: isDigit)
            && word.allSatisfy {
                isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: " ")
            }
    }

    /// `MT:` in either case.
    private static func isMark(_ octets: ArraySlice<UInt8>) -> Bool {
        let start = octets.startIndex
        return octets.count >= 3 && octets[start] | 0x20 == UInt8(ascii: "m")
            && octets[start + 1] | 0x20 == UInt8(ascii: "t")
            && octets[start + 2] == UInt8(ascii: ":")
    }

    private static func isDigit(_ octet: UInt8) -> Bool { octet >= 0x30 && octet <= 0x39 }

    /// A manual code has 11; one that lost a digit or two still tells most of its passcode.
    private static let fewestDigits = 9
}

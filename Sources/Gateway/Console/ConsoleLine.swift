/// One line of the console taken apart as a shell would: blanks part words, '...' keeps all as
/// it is, "..." keeps all but a backslash, and a backslash keeps the next character.
package enum ConsoleLine {
    package static func split(_ line: Span<UInt8>) throws(UsageError) -> [[UInt8]] {
        guard line.count <= ConsoleLimits.lineBytes else { throw .lineTooLong }
        var words: [[UInt8]] = []
        // Nil between words: an empty pair of quotes is a word too.
        var word: [UInt8]?
        var quote: UInt8?
        var index = 0
        while index < line.count {
            let octet = line[index]
            index += 1
            if quote == nil, isBlank(octet) {
                try end(&word, in: &words)
                continue
            }
            if word == nil { word = [] }
            if octet == backslash, quote != single {
                guard index < line.count else {
                    throw quote == nil ? .trailingBackslash : .openQuote
                }
                word?.append(line[index])
                index += 1
            } else if octet == quote {
                quote = nil
            } else if quote == nil, octet == single || octet == double {
                quote = octet
            } else {
                word?.append(octet)
            }
        }
        guard quote == nil else { throw .openQuote }
        try end(&word, in: &words)
        return words
    }

    private static func end(
        _ word: inout [UInt8]?, in words: inout [[UInt8]]
    ) throws(UsageError) {
        guard let ended = word else { return }
        guard words.count < ConsoleLimits.words else { throw .tooManyWords }
        words.append(ended)
        word = nil
    }

    private static func isBlank(_ octet: UInt8) -> Bool {
        octet == 0x20 || octet == 0x09 || octet == 0x0A || octet == 0x0D
    }

    private static let single = UInt8(ascii: "'")
    private static let double = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}

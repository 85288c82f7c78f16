internal import Base
internal import Crypto

/// What single words may hold.
enum Words {
    static func text(_ word: [UInt8]) throws(UsageError) -> String {
        guard let text = String(validating: word, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    /// A name or a room: one line that looks on every screen as it was typed.
    static func label(_ word: [UInt8]) throws(UsageError) -> String {
        guard word.count <= ConsoleLimits.labelBytes else { throw .labelTooLong }
        let text = try text(word)
        guard text.unicodeScalars.allSatisfy(\.isPlain) else { throw .labelWithControls }
        return text
    }

    /// Decimal digits only; nil for anything else or beyond 9 of them.
    static func number(_ word: [UInt8]) -> Int? {
        guard !word.isEmpty, word.count <= 9 else { return nil }
        var value = 0
        for octet in word {
            guard octet >= 0x30, octet <= 0x39 else { return nil }
            value = value * 10 + Int(octet - 0x30)
        }
        return value
    }

    static func hexadecimal(_ words: [[UInt8]]) throws(UsageError) -> [UInt8] {
        var bytes: [UInt8] = []
        for word in words {
            guard let part = Hex.decode(try text(word)), !part.isEmpty else {
                throw .notHexadecimal
            }
            bytes += part
        }
        return bytes
    }

    static func secret(joining words: [[UInt8]]) -> Secret {
        Secret(count: words.reduce(0) { $0 + $1.count }) { octets in
            var index = 0
            for word in words {
                for octet in word {
                    octets[index] = octet
                    index += 1
                }
            }
        }
    }
}

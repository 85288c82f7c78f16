/// Reads the vectors' JSON: RFC 8259 without escapes in texts, which no vector has. What it
/// cannot read stops the test.
struct JSONReader {
    private let text: [UInt8]
    private var place = 0

    init(_ text: [UInt8]) { self.text = text }

    /// - Parameter path: for who has to mend the file.
    mutating func document(of path: String) -> TestVectors.JSON {
        guard let value = value(), next() == nil else {
            fatalError("\(path): no JSON from octet \(place) on")
        }
        return value
    }

    /// The next octet that is no blank, without taking it.
    private mutating func next() -> UInt8? {
        while place < text.count, [0x20, 0x0A, 0x0D, 0x09].contains(text[place]) { place += 1 }
        return place < text.count ? text[place] : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func value() -> TestVectors.JSON? {
        switch next() {
        case UInt8(ascii: "{"): object()
        case UInt8(ascii: "["): list()
        case UInt8(ascii: "\""): string().map { .text($0) }
        default: word()
        }
    }

    private mutating func object() -> TestVectors.JSON? {
        place += 1
        var members: [String: TestVectors.JSON] = [:]
        if take("}") { return .object(members) }
        repeat {
            guard next() == UInt8(ascii: "\""), let key = string(), take(":"),
                let value = value(), members.updateValue(value, forKey: key) == nil
            else { return nil }
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func list() -> TestVectors.JSON? {
        place += 1
        var elements: [TestVectors.JSON] = []
        if take("]") { return .list(elements) }
        repeat {
            guard let element = value() else { return nil }
            elements.append(element)
        } while take(",")
        return take("]") ? .list(elements) : nil
    }

    private mutating func string() -> String? {
        place += 1
        var octets: [UInt8] = []
        while place < text.count {
            let octet = text[place]
            place += 1
            switch octet {
            case UInt8(ascii: "\""): return String(decoding: octets, as: UTF8.self)
            case UInt8(ascii: "\\"): return nil
            default: octets.append(octet)
            }
        }
        return nil
    }

    /// `true`, `false`, `null`, or a number.
    private mutating func word() -> TestVectors.JSON? {
        let start = place
        let ends: [UInt8] = Array(",]} \n\r\t".utf8)
        while place < text.count, !ends.contains(text[place]) { place += 1 }
        let word = String(decoding: text[start..<place], as: UTF8.self)
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        default: return Double(word) == nil ? nil : .number(word)
        }
    }
}

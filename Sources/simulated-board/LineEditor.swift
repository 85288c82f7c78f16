internal import Base

/// What is typed in the last line, key by key.
struct LineEditor {
    enum Outcome: Equatable {
        case press, hold, end
        /// Complete lines with their ends; empty while one is being typed.
        case lines([UInt8])
    }

    private var line: [UInt8] = []

    /// It may be a setup code.
    var text: String { String(decoding: line, as: UTF8.self) }

    /// - Parameter bytes: what came at once: one key, or what was pasted.
    mutating func type(_ bytes: [UInt8]) -> Outcome {
        if line.isEmpty, bytes.count == 1 {
            switch bytes[0] {
            case UInt8(ascii: " "): return .press
            case UInt8(ascii: "H"): return .hold
            case Self.endOfInput: return .end
            default: break
            }
        }
        // An arrow or another key without a meaning here.
        if bytes.first == Self.escape { return .lines([]) }
        var lines: [UInt8] = []
        for octet in bytes {
            switch octet {
            case 0x0A, 0x0D:
                lines += line + [0x0A]
                line = []
            case 0x08, 0x7F: eraseLast()
            case Self.eraseLine: line = []
            default: if octet >= 0x20 { line.append(octet) }
            }
        }
        return .lines(lines)
    }

    /// A whole character, however many octets it has.
    private mutating func eraseLast() {
        while let last = line.popLast(), last & 0xC0 == 0x80 {}
    }

    private static let endOfInput: UInt8 = 0x04
    private static let eraseLine: UInt8 = 0x15
    private static let escape: UInt8 = 0x1B
}

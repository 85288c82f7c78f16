/// How many columns of a terminal a text takes.
enum DisplayWidth {
    static func columns(_ text: String) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    /// A character is as wide as its widest scalar: what is combined with it adds nothing.
    private static func columns(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            // U+FE0F asks for the picture of what is a sign by default.
            if scalar == "\u{FE0F}" { return 2 }
            width = max(width, columns(scalar))
        }
        return width
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// East Asian wide and full-width blocks, UAX #11; those with pictures are asked for above.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FB,
        0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}

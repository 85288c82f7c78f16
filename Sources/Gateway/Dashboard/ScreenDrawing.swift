/// One line of a drawn screen.
struct ScreenLine: Equatable, Sendable {
    var text: String
    /// Shown dark on light.
    var isReversed = false
}

/// From what a terminal shows to what it is to show, by as few octets as that takes.
///
/// Only what a VT100 knows: addressing the cursor, erasing, reverse video.
struct ScreenDrawing: Sendable {
    /// Nil while it is not known what the terminal shows.
    private var shown: [ScreenLine]?

    /// Leaves the terminal as an empty one, the cursor in its corner.
    static let clear = "\u{1B}[m\u{1B}[H\u{1B}[J"

    /// All is drawn anew: what the terminal shows is not known any more.
    mutating func forget() { shown = nil }

    /// - Parameters:
    ///   - lines: each no wider than the terminal; without control characters.
    ///   - cursor: the line on which the cursor rests, from 0.
    /// - Returns: nil when it shows that already.
    mutating func changes(to lines: [ScreenLine], cursor: Int) -> String? {
        var text = ""
        var before = shown ?? []
        if shown == nil || before.count > lines.count {
            text = Self.clear
            before = []
        }
        for (row, line) in lines.enumerated() {
            let old = row < before.count ? before[row] : ScreenLine(text: "")
            if line != old { text += Self.change(from: old, to: line, row: row) }
        }
        shown = lines
        guard !text.isEmpty else { return nil }
        return text + Self.move(to: cursor, column: 0)
    }

    private static func change(from old: ScreenLine, to new: ScreenLine, row: Int) -> String {
        var text = new.text[...]
        var column = 0
        let widths = (DisplayWidth.columns(old.text), DisplayWidth.columns(new.text))
        if old.isReversed == new.isReversed {
            var rest = old.text[...]
            while let first = text.first, first == rest.first {
                column += DisplayWidth.columns(String(first))
                text.removeFirst()
                rest.removeFirst()
            }
            // Where both end in the same place, what they end in stays.
            while widths.0 == widths.1, let last = text.last, last == rest.last {
                text.removeLast()
                rest.removeLast()
            }
        }
        var change = move(to: row, column: column)
        if new.isReversed, !text.isEmpty {
            change += "\u{1B}[7m\(text)\u{1B}[m"
        } else {
            change += text
        }
        return widths.0 > widths.1 ? change + "\u{1B}[K" : change
    }

    private static func move(to row: Int, column: Int) -> String {
        "\u{1B}[\(row + 1);\(column + 1)H"
    }
}

/// Cells of fixed width.
enum ScreenText {
    /// The text in exactly so many columns: filled with blanks, or cut with a mark.
    static func fitted(_ text: String, _ columns: Int, mark: Character = "~") -> String {
        guard columns > 0 else { return "" }
        let width = DisplayWidth.columns(text)
        if width <= columns { return text + String(repeating: " ", count: columns - width) }
        var cut = ""
        var used = 0
        for character in text {
            let wide = DisplayWidth.columns(String(character))
            guard used + wide <= columns - 1 else { break }
            cut.append(character)
            used += wide
        }
        cut.append(mark)
        return cut + String(repeating: " ", count: columns - used - 1)
    }

    /// For terminals that may know nothing but ASCII.
    static func ascii(_ text: String) -> String {
        var plain = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "°": break
            case "µ": plain += "u"
            case "³": plain += "3"
            default: plain += scalar.isASCII ? String(scalar) : "?"
            }
        }
        return plain
    }
}

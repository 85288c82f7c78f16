internal import CQREncode
internal import Glibc

/// A QR symbol for a terminal, drawn with half blocks: two modules, one above the other, in a
/// character. ISO/IEC 18004.
package struct QRCodePicture: Sendable {
    /// Modules in a row, without the quiet zone.
    package let width: Int
    private let isDark: [Bool]

    /// ISO/IEC 18004 §6.3.8: as many light modules on every side.
    private static let quietZone = 4

    /// What is drawn is shown: the octets are no secret any more.
    /// - Returns: nil for no octets, a zero among them, or more than a symbol holds.
    package init?(_ text: [UInt8]) {
        guard !text.isEmpty, !text.contains(0) else { return nil }
        let string = text.map { CChar(bitPattern: $0) } + [0]
        // It splits the text itself into the modes in which it is shortest.
        guard let code = unsafe QRcode_encodeString(string, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else {
            return nil
        }
        defer { unsafe QRcode_free(code) }
        let width = Int(unsafe code.pointee.width)
        let modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: width * width)
        self.width = width
        isDark = unsafe modules.map { $0 & 1 == 1 }
    }

    /// Row and column count from the symbol's corner; outside is light.
    package func isDark(row: Int, column: Int) -> Bool {
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return isDark[row * width + column]
    }

    /// What the lines take on the terminal.
    package var columns: Int { width + 2 * Self.quietZone }

    /// Black on light grey whatever the terminal's own colours are: scanners need dark modules
    /// on a light ground. The escape sequences are those of ECMA-48 §8.3.117.
    package var lines: [String] {
        stride(from: -Self.quietZone, to: width + Self.quietZone, by: 2).map { row in
            var line = "\u{1B}[30;47m"
            for column in -Self.quietZone..<(width + Self.quietZone) {
                switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
                case (false, false): line += " "
                case (true, false): line += "▀"
                case (false, true): line += "▄"
                case (true, true): line += "█"
                }
            }
            return line + "\u{1B}[0m"
        }
    }
}

extension Terminal {
    /// Lines that show the text as a QR symbol; nil where this terminal cannot: no terminal at
    /// all, a dumb one, one without UTF-8, or too narrow.
    package func picture(of text: [UInt8]) -> [String]? {
        guard isTerminal, TerminalFacts.environment.hasBlocks,
            let picture = QRCodePicture(text)
        else { return nil }
        if let size, size.columns < picture.columns { return nil }
        return picture.lines
    }
}

/// What the environment tells of the terminal.
package struct TerminalFacts: Sendable {
    package let term: String
    /// The first that is set of LC_ALL, LC_CTYPE and LANG (POSIX.1-2017 §8.2).
    package let locale: String

    package init(term: String, locale: String) {
        self.term = term
        self.locale = locale
    }

    package static var environment: TerminalFacts {
        let locales = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.map(value)
        return TerminalFacts(term: value("TERM"), locale: locales.first { !$0.isEmpty } ?? "")
    }

    /// Whether it can show block characters and colours.
    package var hasBlocks: Bool {
        let name = locale.lowercased()
        return !term.isEmpty && term != "dumb"
            && (name.hasSuffix("utf-8") || name.hasSuffix("utf8"))
    }

    /// Empty when the variable is not set.
    private static func value(_ name: String) -> String {
        guard let value = unsafe getenv(name) else { return "" }
        return unsafe String(cString: value)
    }
}

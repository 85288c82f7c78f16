import LinuxIO
import Testing

@Suite("QRCodePicture")
struct QRCodePictureTests {
    private static let code = Array("MT:Y.K9042C00KA0648G00".utf8)

    @Test("ISO/IEC 18004: three corners have a finder pattern, and the whole a quiet zone")
    func symbol() throws {
        let picture = try #require(QRCodePicture(Self.code))
        // 22 letters of the alphanumeric set at level M: version 2.
        #expect(picture.width == 25)
        for (top, left) in [(0, 0), (0, 18), (18, 0)] {
            for row in 0..<7 {
                for column in 0..<7 {
                    let edge = max(abs(row - 3), abs(column - 3))
                    #expect(picture.isDark(row: top + row, column: left + column) == (edge != 2))
                }
            }
        }
        #expect(!picture.isDark(row: -1, column: 0) && !picture.isDark(row: 0, column: 25))
    }

    @Test("two rows share a line, all of one width, dark on light by their own colours")
    func lines() throws {
        let picture = try #require(QRCodePicture(Self.code))
        #expect(picture.columns == 33)
        #expect(picture.lines.count == 17)
        for (index, line) in picture.lines.enumerated() {
            #expect(line.hasPrefix("\u{1B}[30;47m") && line.hasSuffix("\u{1B}[0m"))
            let blocks = Array(line.dropFirst(8).dropLast(4))
            #expect(blocks.count == 33)
            for (column, block) in blocks.enumerated() {
                let upper = picture.isDark(row: 2 * index - 4, column: column - 4)
                let lower = picture.isDark(row: 2 * index - 3, column: column - 4)
                #expect(block == (upper ? (lower ? "█" : "▀") : lower ? "▄" : " "))
            }
        }
        #expect(picture.lines[0].dropFirst(8).dropLast(4).allSatisfy { $0 == " " })
    }

    @Test("what no symbol can hold gives none")
    func bounds() {
        #expect(QRCodePicture([]) == nil)
        #expect(QRCodePicture([0x41, 0, 0x42]) == nil)
        #expect(QRCodePicture([UInt8](repeating: 0x61, count: 5000)) == nil)
        #expect(QRCodePicture(Array("NAME:Kühlraum №7".utf8)) != nil)
    }

    @Test(
        "only a terminal of colours and UTF-8 is drawn on",
        arguments: [
            ("xterm-256color", "en_US.UTF-8", true), ("linux", "C.UTF-8", true),
            ("vt220", "de_DE.utf8", true), ("dumb", "en_US.UTF-8", false),
            ("", "en_US.UTF-8", false), ("xterm", "C", false), ("xterm", "", false),
            ("xterm", "de_DE.ISO-8859-1", false),
        ])
    func terminals(term: String, locale: String, hasBlocks: Bool) {
        #expect(TerminalFacts(term: term, locale: locale).hasBlocks == hasBlocks)
    }
}

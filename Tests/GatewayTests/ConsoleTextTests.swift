import Base
import Testing

@testable import Gateway

@Suite("Text on the console")
struct ConsoleTextTests {
    @Test(
        "a terminal's columns are counted as it shows them",
        arguments: [
            ("", 0), ("abc", 3), ("Küche", 5), ("Ku\u{308}che", 5), ("灯", 2), ("가", 2),
            ("ＡＢ", 4), ("💡", 2), ("☀", 1), ("☀️", 2), ("אב", 2), ("°C", 2),
        ])
    func width(text: String, columns: Int) {
        #expect(DisplayWidth.columns(text) == columns)
    }

    @Test(
        "what could steer a terminal is escaped",
        arguments: [
            ("Hall lamp – Küche 灯 💡", "Hall lamp – Küche 灯 💡"),
            ("\u{1B}[2J", "\\u{1B}[2J"), ("\u{1B}]0;x\u{7}", "\\u{1B}]0;x\\u{7}"),
            ("a\r\nb\tc\u{0}", "a\\u{D}\\u{A}b\\u{9}c\\u{0}"), ("\u{7F}", "\\u{7F}"),
            ("\u{9B}31m\u{85}", "\\u{9B}31m\\u{85}"),
            ("\u{202E}evil\u{202C}", "\\u{202E}evil\\u{202C}"), ("\u{2066}", "\\u{2066}"),
            ("\u{200B}\u{FEFF}\u{2028}\u{2029}", "\\u{200B}\\u{FEFF}\\u{2028}\\u{2029}"),
            ("\u{E000}\u{E0041}", "\\u{E000}\\u{E0041}"),
        ])
    func escaping(text: String, expected: String) {
        #expect(text.escapingControls == expected)
    }

    @Test("a document escapes the same characters, as JSON does")
    func documents() {
        #expect(JSONValue.string("\u{1B}\u{9B}\n").text == "\"\\u001b\\u009b\\n\"")
        #expect(JSONValue.string("\u{202E}x\u{2028}").text == "\"\\u202ex\\u2028\"")
        #expect(JSONValue.string("\u{E0041}灯").text == "\"\\udb40\\udc41灯\"")
    }

    @Test("a table escapes its cells before it aligns them")
    func table() {
        var table = TextTable(["A", "B"])
        table.add(["\u{1B}", "x"])
        table.add(["", "y"])
        #expect(table.lines == ["A       B", "\\u{1B}  x", "-       y"])
    }

    @Test(
        "dates follow the calendar",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"), (1_709_164_800, "2024-02-29T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
            (1_764_530_045, "2025-11-30T19:14:05Z"),
        ] as [(Int64, String)])
    func dates(seconds: Int64, expected: String) {
        #expect(UTCText.instant(seconds) == expected)
    }

    @Test("output is lines, or one document, each with its line end")
    func output() {
        let output = Output(
            lines: ["a", "b"], document: .object([("x", .integer(1))]), notices: ["careful"])
        #expect(output.standardOutput(isJSON: false) == "a\nb\n")
        #expect(output.standardOutput(isJSON: true) == "{\"x\":1}\n")
        #expect(output.standardError == "careful\n")
        let failed = Output(lines: [], document: .null, notices: ["no"], exitCode: .usage)
        #expect(failed.standardOutput(isJSON: true).isEmpty)
    }
}

import Gateway
import Testing

@Suite("ConsoleLine")
struct ConsoleLineTests {
    private func split(_ line: String) throws(UsageError) -> [String] {
        let bytes = Array(line.utf8)
        return try ConsoleLine.split(bytes.span).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "blanks part words, quotes and backslashes keep them together",
        arguments: [
            ("", []), (" \t\r\n", []), ("devices", ["devices"]),
            ("  show \t hall\r\n", ["show", "hall"]),
            ("name 12 'Hall lamp'", ["name", "12", "Hall lamp"]),
            ("name 12 \"Hall lamp\"", ["name", "12", "Hall lamp"]),
            ("name 12 Hall\\ lamp", ["name", "12", "Hall lamp"]),
            ("name 12 ''", ["name", "12", ""]), ("name 12 \"\"", ["name", "12", ""]),
            ("a'b c'd", ["ab cd"]), ("\"it's\"", ["it's"]), ("'say \"so\"'", ["say \"so\""]),
            ("\"a\\\"b\\\\c\"", ["a\"b\\c"]), ("'a\\'", ["a\\"]), ("\\\"", ["\""]),
            ("Küche", ["Küche"]),
        ] as [(String, [String])])
    func words(line: String, expected: [String]) throws {
        #expect(try split(line) == expected)
    }

    @Test(
        "a line that ends too early is refused",
        arguments: [
            ("'a", .openQuote), ("\"a", .openQuote), ("\"a\\", .openQuote), ("a \"", .openQuote),
            ("a\\", .trailingBackslash),
        ] as [(String, UsageError)])
    func unfinished(line: String, expected: UsageError) {
        #expect(throws: expected) { try split(line) }
    }

    @Test("octets that are no text pass unchanged")
    func octets() throws {
        #expect(try ConsoleLine.split([0xFF, 0x20, 0x00, 0xC3].span) == [[0xFF], [0x00, 0xC3]])
    }

    @Test("lines and words are bounded")
    func bounds() throws {
        let longest = String(repeating: "a", count: ConsoleLimits.lineBytes)
        #expect(try split(longest) == [longest])
        #expect(throws: UsageError.lineTooLong) { try split(longest + "a") }
        let most = Array(repeating: "a", count: ConsoleLimits.words)
        #expect(try split(most.joined(separator: " ")) == most)
        #expect(throws: UsageError.tooManyWords) {
            try split((most + ["a"]).joined(separator: " "))
        }
    }
}

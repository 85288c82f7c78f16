import Base
import Testing

@testable import LinuxIO

@Suite("JSONText")
struct JSONTextTests {
    private static func parse(_ text: String) throws(JSONTextError) -> JSONValue {
        let bytes = Array(text.utf8)
        return try JSONText.parse(bytes.span)
    }

    @Test(
        "values of every kind come back as they are written",
        arguments: [
            "null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808",
            "1.5", "\"\"", "\"K\u{FC}che \\\"\\\\\\n\"", "[]", "{}", "[1,[2,{\"a\":null}],3]",
            "{\"z\":1,\"a\":{\"y\":[true,false]},\"m\":\"x\"}",
        ])
    func roundTrip(text: String) throws {
        #expect(try Self.parse(text).text == text)
    }

    @Test("escapes and blanks are understood")
    func escapes() throws {
        #expect(try Self.parse(" \"\\u00e4\\ud83d\\ude00\\/\" ") == .string("ä😀/"))
        #expect(try Self.parse("\n[ 1 ,\t2 ]\r\n") == .array([.integer(1), .integer(2)]))
        #expect(try Self.parse("1e3") == .number(1000))
        #expect(try Self.parse("-0.0") == .number(-0.0))
    }

    @Test("whole numbers keep all 64 bits, wherever they stand")
    func unsigned() throws {
        #expect(try Self.parse("18446744073709551615") == .unsigned(.max))
        #expect(try Self.parse("9223372036854775808") == .unsigned(1 << 63))
        let text = """
            {"subjects":[1,18446744060824649729,-1000000000000000000,9223372036854775809],\
            "1":1.5,"s":"18446744073709551615 \\" 9223372036854775808","n":10000000000000000000}
            """
        #expect(try Self.parse(text).text == text)
    }

    @Test(
        "numbers beyond 64 bits are refused where they stand",
        arguments: [
            ("18446744073709551616", 20), ("[1,-9223372036854775809]", 23),
            ("100000000000000000000000", 24), ("1e400", 5),
        ])
    func tooBig(text: String, column: Int) {
        #expect(throws: JSONTextError.numberTooBig(line: 1, column: column)) {
            try Self.parse(text)
        }
    }

    @Test("errors say line and column")
    func positions() {
        #expect(throws: JSONTextError.malformed(line: 2, column: 8)) {
            try Self.parse("{\n  \"a\": x}")
        }
        #expect(throws: JSONTextError.memberTwice(line: 1, column: 10)) {
            try Self.parse("{\"a\":1,\"a\":2}")
        }
        #expect(throws: JSONTextError.incomplete(line: 1, column: 3)) { try Self.parse("[1,") }
    }

    @Test(
        "what is no JSON is refused",
        arguments: [
            "", " ", "01", "1 2", "[1,]", "{a:1}", "'a'", "\"a", "\"\u{1}\"", "nul", "+1", "1.",
            "--1", "[018446744073709551615]", "-18446744073709551615", "\"\\ud800\"", "NaN",
            "\"\\u0000\"", "1-9223372036854775809",
        ])
    func refused(text: String) {
        #expect(throws: JSONTextError.self) { try Self.parse(text) }
    }

    @Test("text that is no UTF-8 is refused")
    func notUTF8() {
        let bytes: [UInt8] = [0x22, 0xC3, 0x28, 0x22]
        #expect(throws: JSONTextError.self) { try JSONText.parse(bytes.span) }
    }

    @Test("depth and length have bounds")
    func bounds() throws {
        let deepest = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
        #expect(try Self.parse(deepest).text == deepest)
        #expect(throws: JSONTextError.tooDeep(line: 1, column: 17)) {
            try Self.parse("[" + deepest + "]")
        }
        #expect(throws: JSONTextError.tooLong) {
            try Self.parse(String(repeating: " ", count: 65_537))
        }
    }

    @Test("a text cut anywhere is refused, never misread")
    func truncated() throws {
        let text = "{\"a\":[18446744073709551615,\"\\u00e4\",{\"b\":null}]}"
        _ = try Self.parse(text)
        for count in 0..<(text.utf8.count - 1) {
            let bytes = Array(text.utf8.prefix(count))
            #expect(throws: JSONTextError.self) { try JSONText.parse(bytes.span) }
        }
    }
}

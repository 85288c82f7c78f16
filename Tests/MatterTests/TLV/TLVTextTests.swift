import Base
import Matter
import Testing

@Suite("TLVText")
struct TLVTextTests {
    private static func lines(_ bytes: [UInt8]) -> [String] { TLVText.lines(bytes.span) }

    @Test("one element a line, members under their container")
    func nesting() {
        let bytes: [UInt8] = [
            0x15, 0x24, 0x01, 0x2A, 0x36, 0x02, 0x15, 0x34, 0x00, 0x18, 0x00, 0xEF, 0x18, 0x37,
            0xFF, 0x18, 0x18, 0x09,
        ]
        #expect(
            Self.lines(bytes) == [
                "anonymous: structure {",
                "  1: unsigned 42",
                "  2: array [",
                "    anonymous: structure {",
                "      0: null",
                "    }",
                "    anonymous: signed -17",
                "  ]",
                "  255: list [[",
                "  ]]",
                "}",
                "anonymous: boolean true",
            ])
        #expect(Self.lines([]) == [])
    }

    @Test("tags are written in the specification's words")
    func tags() {
        let names = TLVSample.unsignedOne.map { Self.lines($0.bytes) }
        #expect(
            names == [
                ["anonymous: unsigned 1"], ["9: unsigned 1"], ["common:2313: unsigned 1"],
                ["common:151587081: unsigned 1"], ["implicit:2313: unsigned 1"],
                ["implicit:151587081: unsigned 1"], ["0x0909::0x0909:2313: unsigned 1"],
                ["0x0909::0x0909:151587081: unsigned 1"],
            ])
    }

    @Test("octets are hexadecimal, with their text when they have one")
    func octets() {
        #expect(Self.lines([0x10, 0x00]) == ["anonymous: octets(0)"])
        #expect(Self.lines([0x10, 0x02, 0x58, 0x59]) == ["anonymous: octets(2) 5859 \"XY\""])
        #expect(Self.lines([0x10, 0x02, 0x58, 0x1B]) == ["anonymous: octets(2) 581b"])
    }

    @Test("nothing in a string steers the terminal")
    func escapes() {
        func text(_ string: String) -> String {
            Self.lines([0x0C, UInt8(string.utf8.count)] + string.utf8)[0]
        }
        #expect(text("Tür 1") == "anonymous: utf8(6) \"Tür 1\"")
        #expect(text("\u{1B}[2J") == "anonymous: utf8(4) \"\\u{1B}[2J\"")
        #expect(text("a\nb\u{7F}") == "anonymous: utf8(4) \"a\\u{A}b\\u{7F}\"")
        #expect(text("\u{85}\u{9B}") == "anonymous: utf8(4) \"\\u{85}\\u{9B}\"")
        #expect(text("\u{202E}x\u{2028}") == "anonymous: utf8(7) \"\\u{202E}x\\u{2028}\"")
        #expect(text("\"\\") == "anonymous: utf8(2) \"\\\"\\\\\"")
        #expect(Self.lines([0x0C, 0x02, 0x61, 0xFF]) == ["anonymous: utf8(2) not UTF-8 61ff"])
    }

    @Test("after a fault stand what could be read and where the fault is")
    func faults() {
        #expect(
            Self.lines([0x15, 0x24, 0x01, 0x2A, 0x10, 0x05]) == [
                "anonymous: structure {", "  1: unsigned 42",
                "error: the container does not allow the tag at 4",
            ])
        #expect(
            Self.lines([0x15, 0x24, 0x01, 0x2A]) == [
                "anonymous: structure {", "  1: unsigned 42",
                "error: the bytes end too early, at 4",
            ])
        #expect(Self.lines([0x18]) == ["error: no container is open for the end at 0"])
        #expect(Self.lines([0x1F]) == ["error: unknown element type at 0"])
        let deep = Self.lines([UInt8](repeating: 0x16, count: 17))
        #expect(deep.count == 17)
        #expect(deep.last == "error: more than 16 containers open at 16")
    }

    @Test("any bytes give lines, and never a control character")
    func arbitraryBytes() {
        var numbers = SeededNumbers(seed: 6)
        for round in 0..<5000 {
            var bytes = numbers.bytes(Int.random(in: 1...48, using: &numbers))
            if round % 3 == 0 { bytes[0] = 0x0C }
            let lines = Self.lines(bytes)
            #expect(!lines.isEmpty)
            for line in lines {
                #expect(
                    line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            }
        }
        for count in 1..<TLVSample.message.count {
            let lines = Self.lines(Array(TLVSample.message[..<count]))
            #expect(lines.last?.hasPrefix("error: ") == true)
        }
        #expect(Self.lines(TLVSample.message).last == "}")
    }
}

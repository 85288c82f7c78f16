import Testing

@testable import LinuxIO

@Suite("ConfigurationText")
struct ConfigurationTextTests {
    private static func entries(
        _ text: String
    ) throws(ConfigurationTextError) -> [ConfigurationEntry] {
        try ConfigurationText.entries(Array(text.utf8))
    }

    private static func error(_ text: String) -> ConfigurationTextError? {
        do throws(ConfigurationTextError) { _ = try entries(text) } catch { return error }
        return nil
    }

    @Test("each key has its value and its line; comments and blanks do not matter")
    func entries() throws {
        let text = """
            # a comment
            ; another

            state=/var/x
              interface  =  eth0 ; the cable
            site = a = b\r
            \tempty =
            """
        #expect(
            try Self.entries(text) == [
                ConfigurationEntry(line: 4, key: "state", value: "/var/x"),
                ConfigurationEntry(line: 5, key: "interface", value: "eth0"),
                ConfigurationEntry(line: 6, key: "site", value: "a = b"),
                ConfigurationEntry(line: 7, key: "empty", value: ""),
            ])
        #expect(try Self.entries("").isEmpty)
    }

    @Test("what is no key = value is refused with its line")
    func malformed() {
        #expect(Self.error("a = 1\n\nnonsense\nb = 2") == .malformed(line: 3))
        #expect(Self.error("a = 1\n[section]\n") == .section(line: 2))
        #expect(Self.error("a = \0") == .notUTF8(line: 1))
        #expect(throws: ConfigurationTextError.notUTF8(line: 2)) {
            try ConfigurationText.entries([0x23, 0x0A, 0x61, 0x3D, 0xFF])
        }
    }

    @Test("the longest line is read whole, a longer one refused")
    func length() throws {
        let value = String(repeating: "x", count: Limits.configurationLine - 2)
        #expect(try Self.entries("a=\(value)\nb=1").map(\.value) == [value, "1"])
        #expect(Self.error("#\na=\(value)x") == .lineTooLong(line: 2))
        let lines = String(repeating: "#\n", count: Limits.configurationBytes / 2)
        #expect(Self.error(lines) == nil)
        #expect(Self.error(lines + "#") == .tooLong)
    }
}

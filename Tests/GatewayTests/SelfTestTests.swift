import Base
import Testing

@testable import Gateway

@Suite("SelfTest")
struct SelfTestTests {
    @Test("what is known beforehand comes out", arguments: KnownAnswers.all.indices)
    func right(index: Int) {
        let answer = KnownAnswers.all[index]
        #expect(answer.isRight, "\(answer.name)")
    }

    @Test("another answer is wrong, and so is none", arguments: KnownAnswers.all.indices)
    func wrong(index: Int) throws {
        let answer = KnownAnswers.all[index]
        var expected = try #require(Hex.decode(answer.expected))
        expected[expected.count - 1] ^= 1
        let other = KnownAnswer(
            name: answer.name, expected: Hex.lower(expected.span), compute: answer.compute)
        #expect(!other.isRight, "\(answer.name)")
        let refused = KnownAnswer(name: answer.name, expected: answer.expected) { nil }
        #expect(!refused.isRight)
    }

    @Test("all right: it says so, in words and as JSON")
    func passed() {
        let output = SelfTest.run()
        #expect(output.exitCode == .ok)
        let lines = output.lines
        #expect(lines.contains("ok     AES-CCM"))
        #expect(lines.last == "All \(KnownAnswers.all.count) are as they should be.")
        #expect(output.standardOutput(isJSON: true).hasPrefix("{\"passed\":true,"))
    }

    @Test("one wrong answer is named, and the exit code tells a script")
    func failed() {
        let fault = KnownAnswer(name: "arithmetic", expected: "05") { [2 + 2] }
        let output = SelfTest.run(KnownAnswers.all + [fault])
        #expect(output.exitCode == .software)
        #expect(output.lines.contains("wrong  arithmetic"))
        #expect(output.standardOutput(isJSON: true).hasPrefix("{\"passed\":false,"))
    }
}

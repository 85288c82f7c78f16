import Base
import Crypto
import Matter
import Testing

@Suite("Passcode")
struct PasscodeTests {
    private func value(drawn random: UInt64) -> UInt32 {
        let secret = Passcode.secret(drawn: random)
        var value: UInt32 = 0
        for index in 0..<4 { value |= UInt32(secret.span[index]) << UInt32(8 * index) }
        return value
    }

    @Test("§5.1.7.1: whatever is drawn becomes a passcode that is allowed")
    func drawn() {
        let simple: [UInt64] = [12_345_678, 87_654_321] + (1...8).map { $0 * 11_111_111 }
        for forbidden in simple {
            #expect(value(drawn: forbidden - 1) == UInt32(forbidden) + 1)
        }
        #expect(value(drawn: 0) == 1)
        #expect(value(drawn: 99_999_997) == 99_999_998)
        #expect(value(drawn: 99_999_998) == 1)
        var scatter: UInt64 = 1
        for _ in 0..<1000 {
            scatter = scatter &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            #expect(Passcode.isAllowed(value(drawn: scatter)))
        }
    }
}

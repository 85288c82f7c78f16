import Base
import Crypto
import Testing

@Suite("Secret")
struct SecretTests {
    @Test("a secret holds a copy and compares by content")
    func content() {
        let bytes: [UInt8] = [1, 2, 3]
        let secret = Secret(bytes.span)
        #expect(secret == Secret(bytes.span))
        #expect([UInt8](secret.span) == bytes)
        #expect(secret != Secret([1, 2, 4].span))
        #expect(Secret([UInt8]().span).count == 0)
    }
}

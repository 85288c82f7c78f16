import Base
import Crypto
import Testing

@Suite("SystemRandom")
struct SystemRandomTests {
    @Test("the whole of what is asked for is filled, differently each time")
    func fills() {
        var random = SystemRandom()
        var changed = [Bool](repeating: false, count: 100)
        for _ in 0..<20 {
            let draw: FixedBytes<100> = random.bytes()
            for index in 0..<100 where draw[index] != 0 { changed[index] = true }
        }
        #expect(!changed.contains(false))
        let first: FixedBytes<32> = random.bytes()
        let second: FixedBytes<32> = random.bytes()
        #expect(first != second)
        let nothing: FixedBytes<0> = random.bytes()
        #expect(nothing == FixedBytes<0>())
    }
}

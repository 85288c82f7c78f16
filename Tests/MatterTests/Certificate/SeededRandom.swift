import Base

/// The same octets for the same seed, where the code under test asks for randomness.
struct SeededRandom: RandomSource {
    private var numbers: SeededNumbers

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    mutating func fill(_ bytes: inout MutableSpan<UInt8>) {
        for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &numbers) }
    }
}

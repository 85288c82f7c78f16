import Base
import Crypto
import TestVectors
import Testing

@Suite("Scrypt")
struct ScryptTests {
    private func scrypt(_ vector: TestVectors.JSON) throws -> Scrypt {
        try Scrypt(
            log2Cost: UInt8(vector["log2_cost"].int), blockSize: UInt8(vector["block_size"].int),
            parallelization: UInt8(vector["parallelization"].int))
    }

    @Test("RFC 7914 §12 published keys come out")
    func known() throws {
        let vectors = TestVectors.load("encryption")["scrypt"].array
        #expect(vectors.count == 3)
        for vector in vectors {
            let passphrase = vector["password"].hex
            let salt = vector["salt"].hex
            let expected = vector["key"].hex
            let key = try scrypt(vector).derive(
                passphrase: passphrase.span, salt: salt.span, count: expected.count)
            #expect([UInt8](key.span) == expected)
        }
    }

    @Test("each of passphrase, salt and parameters makes another key")
    func depends() throws {
        func key(_ passphrase: [UInt8], _ salt: [UInt8], _ cost: UInt8, _ p: UInt8) throws -> Secret
        {
            try Scrypt(log2Cost: cost, blockSize: 1, parallelization: p).derive(
                passphrase: passphrase.span, salt: salt.span, count: 32)
        }
        let key1 = try key([1], [2], 4, 1)
        #expect(try key([1], [2], 4, 1) == key1)
        #expect(try key([3], [2], 4, 1) != key1)
        #expect(try key([1], [3], 4, 1) != key1)
        #expect(try key([1], [2], 5, 1) != key1)
        #expect(try key([1], [2], 4, 2) != key1)
    }

    @Test(
        "parameters that are none, or would take the memory or the time of the board, are refused",
        arguments: [
            (0, 8, 1), (16, 1, 1), (31, 255, 1), (255, 255, 255), (32, 8, 1), (17, 8, 1),
            (16, 9, 1), (14, 0, 1), (14, 8, 0), (16, 8, 5), (15, 8, 9), (1, 255, 255),
        ])
    func bounds(parameters: (UInt8, UInt8, UInt8)) {
        let (cost, blockSize, parallelization) = parameters
        let isRefused = parameters != (1, 255, 255)
        do throws(CryptoError) {
            _ = try Scrypt(
                log2Cost: cost, blockSize: blockSize, parallelization: parallelization)
            #expect(!isRefused)
        } catch { #expect(isRefused && error == .invalidParameter) }
    }

    @Test("the standard is within the bounds, and half of what they allow")
    func standard() throws {
        let standard = Scrypt.standard
        #expect(
            try Scrypt(
                log2Cost: standard.log2Cost, blockSize: standard.blockSize,
                parallelization: standard.parallelization) == standard)
        #expect(128 * Int(standard.blockSize) << Int(standard.log2Cost) == 32 << 20)
    }
}

import Base
import Crypto
import TestVectors
import Testing

@Suite("AESGCM")
struct AESGCMTests {
    static let vectors = TestVectors.load("encryption")["aes_gcm"].array

    private func cipher(_ key: [UInt8]) -> AESGCM { AESGCM(key: Secret(key.span)) }

    private func seal(
        _ cipher: AESGCM, _ plaintext: [UInt8], _ nonce: FixedBytes<12>, _ aad: [UInt8]
    ) -> [UInt8] {
        var output = [UInt8](repeating: 0xEE, count: plaintext.count + 16)
        var span = output.mutableSpan
        cipher.seal(plaintext.span, nonce: nonce, authenticating: aad.span, into: &span)
        return output
    }

    /// - Returns: nil when it was refused, having checked that nothing was given away.
    private func open(
        _ cipher: AESGCM, _ sealed: [UInt8], _ nonce: FixedBytes<12>, _ aad: [UInt8]
    ) -> [UInt8]? {
        var output = [UInt8](repeating: 0xEE, count: max(0, sealed.count - 16))
        var span = output.mutableSpan
        do throws(CryptoError) {
            try cipher.open(sealed.span, nonce: nonce, authenticating: aad.span, into: &span)
            return output
        } catch {
            #expect(error == .authenticationFailed)
            let givesNothingAway = output.allSatisfy { $0 == 0 } || sealed.count < 16
            #expect(givesNothingAway)
            return nil
        }
    }

    private func nonce(_ bytes: [UInt8]) throws -> FixedBytes<12> {
        let fixed = FixedBytes<12>(bytes.span)
        return try #require(fixed)
    }

    @Test("SP 800-38D published ciphertexts are sealed and opened")
    func known() throws {
        #expect(AESGCMTests.vectors.count > 60)
        for vector in AESGCMTests.vectors {
            let cipher = cipher(vector["key"].hex)
            let nonce = try nonce(vector["nonce"].hex)
            let aad = vector["aad"].hex
            let opened = open(cipher, vector["sealed"].hex, nonce, aad)
            if vector["valid"].bool {
                #expect(opened == vector["plaintext"].hex)
                #expect(seal(cipher, vector["plaintext"].hex, nonce, aad) == vector["sealed"].hex)
            } else {
                #expect(opened == nil)
            }
        }
    }

    @Test("any changed bit is refused: key, nonce, associated data, ciphertext, tag")
    func tampered() throws {
        let cipher = cipher([UInt8](0..<32))
        let nonceBytes = [UInt8](1...12)
        let aad: [UInt8] = [9, 8, 7]
        let sealed = seal(cipher, [1, 2, 3, 4], try nonce(nonceBytes), aad)
        #expect(open(cipher, sealed, try nonce(nonceBytes), aad) == [1, 2, 3, 4])
        for bit in 0..<(sealed.count * 8) {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(open(cipher, changed, try nonce(nonceBytes), aad) == nil)
        }
        for index in nonceBytes.indices {
            var changed = nonceBytes
            changed[index] ^= 0x80
            #expect(open(cipher, sealed, try nonce(changed), aad) == nil)
        }
        #expect(open(cipher, sealed, try nonce(nonceBytes), [9, 8]) == nil)
        #expect(open(cipher, sealed, try nonce(nonceBytes), []) == nil)
        #expect(open(self.cipher([UInt8](1...32)), sealed, try nonce(nonceBytes), aad) == nil)
    }

    @Test("what is too short for a tag is refused, and nothing but a tag is opened")
    func sizes() throws {
        let cipher = cipher([UInt8](0..<32))
        let nonce = try nonce([UInt8](1...12))
        for count in [0, 1, 15] {
            #expect(open(cipher, [UInt8](repeating: 0, count: count), nonce, []) == nil)
        }
        let empty = seal(cipher, [], nonce, [5])
        #expect(empty.count == 16)
        #expect(open(cipher, empty, nonce, [5]) == [])
        #expect(open(cipher, empty, nonce, []) == nil)
        let large = [UInt8](repeating: 0x5A, count: 3 << 20)
        let isRestored = open(cipher, seal(cipher, large, nonce, []), nonce, []) == large
        #expect(isRestored)
    }
}

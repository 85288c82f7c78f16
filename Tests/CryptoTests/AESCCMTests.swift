import Base
import Crypto
import TestVectors
import Testing

@Suite("AESCCM")
struct AESCCMTests {
    static let vectors = TestVectors.load("primitives")

    private func seal(
        _ cipher: AESCCM, _ plaintext: [UInt8], _ nonce: FixedBytes<13>, _ aad: [UInt8]
    ) -> [UInt8] {
        var output = [UInt8](repeating: 0xEE, count: plaintext.count + 16)
        var span = output.mutableSpan
        cipher.seal(plaintext.span, nonce: nonce, authenticating: aad.span, into: &span)
        return output
    }

    /// - Returns: nil when it was refused, having checked that nothing was given away.
    private func open(
        _ cipher: AESCCM, _ sealed: [UInt8], _ nonce: FixedBytes<13>, _ aad: [UInt8]
    ) -> [UInt8]? {
        var output = [UInt8](repeating: 0xEE, count: max(0, sealed.count - 16))
        var span = output.mutableSpan
        do throws(CryptoError) {
            try cipher.open(sealed.span, nonce: nonce, authenticating: aad.span, into: &span)
            return output
        } catch {
            #expect(error == .authenticationFailed)
            let givesNothingAway = output.allSatisfy { $0 == 0 }
            #expect(givesNothingAway)
            return nil
        }
    }

    private func nonce(_ bytes: [UInt8]) throws -> FixedBytes<13> {
        let fixed = FixedBytes<13>(bytes.span)
        return try #require(fixed)
    }

    @Test("published ciphertexts are sealed and opened", arguments: ["aes_ccm", "messages"])
    func known(list: String) throws {
        for vector in AESCCMTests.vectors[list].array {
            let cipher = AESCCM(key: vector["key"].hex.span)
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

    @Test("one object seals and opens in turn, after refusals too, at every size of a datagram")
    func inTurn() throws {
        let key = [UInt8](0..<16)
        let cipher = AESCCM(key: key.span)
        let nonce = try nonce([UInt8](1...13))
        for count in [0, 1, 15, 16, 17, 64, 1200, 0xFFFF] {
            let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let aad = [UInt8](repeating: 7, count: count % 40)
            let sealed = seal(cipher, plaintext, nonce, aad)
            // Compared outside of #expect, which would print all of a long message.
            let isRepeatable = sealed == seal(AESCCM(key: key.span), plaintext, nonce, aad)
            #expect(isRepeatable, "\(count) octets")
            #expect(open(cipher, sealed, nonce, aad + [1]) == nil)
            for _ in 0..<2 {
                let isOpened = open(cipher, sealed, nonce, aad) == plaintext
                #expect(isOpened, "\(count) octets")
            }
        }
    }

    @Test("any changed bit is refused: key, nonce, associated data, ciphertext, tag")
    func tampered() throws {
        let key = [UInt8](0..<16)
        let cipher = AESCCM(key: key.span)
        let nonceBytes = [UInt8](1...13)
        let aad: [UInt8] = [9, 8, 7]
        let sealed = seal(cipher, [1, 2, 3, 4], try nonce(nonceBytes), aad)
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
        let other = AESCCM(key: [UInt8](1...16).span)
        #expect(open(other, sealed, try nonce(nonceBytes), aad) == nil)
    }

    @Test("what is too short for a tag or too long for the length field is refused")
    func sizes() throws {
        let cipher = AESCCM(key: [UInt8](0..<16).span)
        let nonce = try nonce([UInt8](1...13))
        for count in [0, 1, 15] {
            #expect(open(cipher, [UInt8](repeating: 0, count: count), nonce, []) == nil)
        }
        var output = [UInt8](repeating: 0, count: 0x10000)
        var span = output.mutableSpan
        #expect(throws: CryptoError.authenticationFailed) {
            let sealed = [UInt8](repeating: 0, count: 0x10010)
            try cipher.open(sealed.span, nonce: nonce, authenticating: Span(), into: &span)
        }
    }
}

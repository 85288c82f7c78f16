import Base
import Crypto
import TestVectors
import Testing

@Suite("P256")
struct P256Tests {
    static let vectors = TestVectors.load("primitives")
    static let generator = hex(
        "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
            + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
    static let order = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    static let prime = hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")

    private func verify(
        _ signature: FixedBytes<64>, _ message: [UInt8], _ key: P256.PublicKey
    ) -> Bool {
        key.verify(signature, over: message.span)
    }

    private func scalar(_ bytes: [UInt8]) -> Secret { Secret(bytes.span) }

    @Test("ECDH: published shared secrets, and keys that must be refused")
    func sharedSecrets() throws {
        for vector in P256Tests.vectors["ecdh"].array {
            let comment = vector["comment"].string
            guard vector["valid"].bool else {
                #expect(throws: CryptoError.invalidPublicKey, "\(comment)") {
                    try P256.PublicKey(vector["public"].hex.span)
                }
                continue
            }
            let peer = try P256.PublicKey(vector["public"].hex.span)
            let key = try P256.PrivateKey(scalar: scalar(vector["private"].hex))
            let secret = try key.sharedSecret(with: peer)
            #expect([UInt8](secret.span) == vector["shared"].hex, "\(comment)")
        }
    }

    @Test("ECDSA: published signatures, good and bad")
    func signatures() throws {
        for vector in P256Tests.vectors["ecdsa"].array {
            let key = try P256.PublicKey(vector["public"].hex.span)
            let signature = FixedBytes<64>(vector["signature"].hex.span)
            let isGood = verify(try #require(signature), vector["message"].hex, key)
            #expect(isGood == vector["valid"].bool, "\(vector["comment"].string)")
        }
    }

    @Test("only uncompressed finite points of the curve are public keys")
    func publicKeys() throws {
        let good = P256Tests.generator
        #expect([UInt8](try P256.PublicKey(good.span).bytes) == good)
        var bad: [[UInt8]] = [[], [0], [0x04], Array(good.dropLast()), good + [0]]
        bad.append([UInt8](repeating: 0, count: 65))
        for form in [0x00, 0x02, 0x03, 0x05, 0x06, 0x07] as [UInt8] {
            bad.append([form] + good.dropFirst())
        }
        bad.append([0x03] + good[1...32])
        for index in 1..<65 {
            var changed = good
            changed[index] ^= 1
            bad.append(changed)
        }
        // x = p stands for 0 in arithmetic, but coordinates are below p.
        bad.append([0x04] + P256Tests.prime + good[33...64])
        for bytes in bad {
            #expect(throws: CryptoError.invalidPublicKey) { try P256.PublicKey(bytes.span) }
        }
    }

    @Test("scalars are 1 ... n - 1")
    func scalars() throws {
        var one = [UInt8](repeating: 0, count: 32)
        #expect(throws: CryptoError.invalidPrivateKey) {
            try P256.PrivateKey(scalar: scalar(one))
        }
        one[31] = 1
        #expect(
            [UInt8](try P256.PrivateKey(scalar: scalar(one)).publicKey.bytes)
                == P256Tests.generator)
        var last = P256Tests.order
        #expect(throws: CryptoError.invalidPrivateKey) {
            try P256.PrivateKey(scalar: scalar(last))
        }
        last[31] -= 1
        // (n - 1) * G is -G: the same x.
        let negative = [UInt8](try P256.PrivateKey(scalar: scalar(last)).publicKey.bytes)
        #expect(negative[1...32] == P256Tests.generator[1...32])
        #expect(negative[33...64] != P256Tests.generator[33...64])
        let bad = [[], one.dropLast(), [0] + one, [UInt8](repeating: 0xFF, count: 32)]
        for bytes in bad {
            #expect(throws: CryptoError.invalidPrivateKey) {
                try P256.PrivateKey(scalar: scalar(Array(bytes)))
            }
        }
    }

    @Test("a key is drawn from the source given, and what is out of range is drawn again")
    func generation() {
        let zero = [UInt8](repeating: 0, count: 32)
        let good = [UInt8](1...32)
        var source = FixedRandom(zero + P256Tests.order + good)
        let key = P256.PrivateKey.generate(using: &source)
        #expect(source.isUsedUp)
        #expect(key.scalar == scalar(good))
        var system = SystemRandom()
        let first = P256.PrivateKey.generate(using: &system)
        let second = P256.PrivateKey.generate(using: &system)
        #expect(first.scalar != second.scalar)
        #expect(first.publicKey != second.publicKey)
    }

    @Test("two sides agree on a secret that a third does not have")
    func agreement() throws {
        var random = SystemRandom()
        let left = P256.PrivateKey.generate(using: &random)
        let right = P256.PrivateKey.generate(using: &random)
        let third = P256.PrivateKey.generate(using: &random)
        let secret = try left.sharedSecret(with: right.publicKey)
        let same = try right.sharedSecret(with: left.publicKey)
        let other = try third.sharedSecret(with: left.publicKey)
        #expect(secret.count == 32)
        #expect(secret == same)
        #expect(secret != other)
    }

    @Test("what one key signs, its public key verifies, and nothing else, whatever the order")
    func signing() throws {
        var random = SystemRandom()
        let keys = (0..<3).map { _ in P256.PrivateKey.generate(using: &random) }
        let message: [UInt8] = [1, 2, 3]
        // Enough of them that r or s begins with a zero octet now and then.
        for round in 0..<400 {
            let key = keys[round % 3]
            let signature = key.sign(message.span)
            #expect(verify(signature, message, key.publicKey))
            #expect(!verify(signature, message, keys[(round + 1) % 3].publicKey))
        }
        let key = keys[0]
        let signature = key.sign(message.span)
        let second = key.sign(message.span)
        #expect(signature != second)
        #expect(!verify(signature, [1, 2], key.publicKey))
        for index in 0..<64 {
            var changed = signature
            changed[index] ^= 1
            #expect(!verify(changed, message, key.publicKey))
        }
        #expect(!verify(FixedBytes<64>(), message, key.publicKey))
        let empty = key.sign([UInt8]().span)
        #expect(verify(empty, [], key.publicKey))
    }

    @Test("a key signs and verifies from many threads at once")
    func concurrency() async {
        var random = SystemRandom()
        let keys = (0..<2).map { _ in P256.PrivateKey.generate(using: &random) }
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<16 {
                let key = keys[index % 2]
                group.addTask {
                    let message = [UInt8(index)]
                    return (0..<20).allSatisfy { _ in
                        key.publicKey.verify(key.sign(message.span), over: message.span)
                    }
                }
            }
            for await isGood in group { #expect(isGood) }
        }
    }
}

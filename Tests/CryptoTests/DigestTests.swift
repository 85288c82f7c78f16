import Base
import Crypto
import TestVectors
import Testing

@Suite("SHA256")
struct SHA256Tests {
    @Test(
        "FIPS 180-4: the known digests",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func known(text: String, digest: String) {
        #expect([UInt8](SHA256.digest(Array(text.utf8).span)) == hex(digest))
    }

    @Test("SHA-1: the known digest")
    func sha1() {
        let digest = SHA1.digest(Array("abc".utf8).span)
        #expect([UInt8](digest) == hex("a9993e364706816aba3e25717850c26c9cd0d89d"))
    }

    @Test("a stream digests what came so far, as often as it is asked")
    func stream() {
        let text = Array("abcdefgh".utf8)
        var stream = SHA256Stream()
        #expect(stream.digest() == SHA256.digest([UInt8]().span))
        stream.update(text.span.extracting(0..<3))
        let first = stream.digest()
        let again = stream.digest()
        stream.update([UInt8]().span)
        stream.update(text.span.extracting(3..<8))
        let second = stream.digest()
        #expect(first == SHA256.digest(Array("abc".utf8).span))
        #expect(again == first)
        #expect(second == SHA256.digest(text.span))
    }
}

@Suite("HMACSHA256")
struct HMACSHA256Tests {
    /// RFC 4231 §4, cases 1 to 4, 6 and 7; case 5 is about truncation, which nobody does here.
    static let cases: [(key: String, message: String, code: String)] = [
        (
            String(repeating: "0b", count: 20), "4869205468657265",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            "0102030405060708090a0b0c0d0e0f10111213141516171819",
            String(repeating: "cd", count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            String(repeating: "aa", count: 131),
            "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048"
                + "617368204b6579204669727374",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            String(repeating: "aa", count: 131),
            "5468697320697320612074657374207573696e672061206c6172676572207468616e20626c6f636b2d"
                + "73697a65206b657920616e642061206c6172676572207468616e20626c6f636b2d73697a6520"
                + "646174612e20546865206b6579206e6565647320746f20626520686173686564206265666f72"
                + "65206265696e6720757365642062792074686520484d414320616c676f726974686d2e",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test("RFC 4231 §4", arguments: cases.indices)
    func known(index: Int) {
        let (key, message, code) = HMACSHA256Tests.cases[index]
        #expect([UInt8](HMACSHA256.code(for: hex(message).span, key: hex(key).span)) == hex(code))
    }

    @Test("an empty key is a key, and none of the former calls'")
    func emptyKey() {
        let first = HMACSHA256.code(for: [UInt8]().span, key: hex("4a656665").span)
        let code = HMACSHA256.code(for: [UInt8]().span, key: [UInt8]().span)
        #expect(first != code)
        let expected = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        #expect([UInt8](code) == hex(expected))
    }
}

@Suite("HKDF")
struct HKDFTests {
    /// RFC 5869, appendices A.1 to A.3.
    static let cases: [(key: String, salt: String, info: String, derived: String)] = [
        (
            String(repeating: "0b", count: 22), "000102030405060708090a0b0c",
            "f0f1f2f3f4f5f6f7f8f9",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b88718"
                + "5865"
        ),
        (
            HKDFTests.run(0x00...0x4F), HKDFTests.run(0x60...0xAF), HKDFTests.run(0xB0...0xFF),
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac78272"
                + "71cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3"
                + "434f1d87"
        ),
        (
            String(repeating: "0b", count: 22), "", "",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a"
                + "96c8"
        ),
    ]

    static func run(_ range: ClosedRange<UInt8>) -> String { Hex.lower([UInt8](range).span) }

    @Test("RFC 5869 appendix A", arguments: cases.indices)
    func known(index: Int) {
        let (key, salt, info, expected) = HKDFTests.cases[index]
        let derived = HKDF.derive(
            key: hex(key).span, salt: hex(salt).span, info: hex(info).span,
            count: hex(expected).count)
        #expect([UInt8](derived.span) == hex(expected))
    }

    @Test("text and octets of the same info derive the same, a prefix for a smaller count")
    func infoForms() {
        let key: [UInt8] = [1, 2, 3]
        let text = HKDF.derive(key: key.span, salt: Span(), info: "SessionKeys", count: 48)
        let octets = HKDF.derive(
            key: key.span, salt: Span(), info: Array("SessionKeys".utf8).span, count: 16)
        #expect(text.count == 48)
        #expect(octets == Secret(text.span.extracting(0..<16)))
    }
}

@Suite("PBKDF2")
struct PBKDF2Tests {
    /// RFC 7914 §11.
    static let cases: [(password: String, salt: String, iterations: Int, derived: String)] = [
        (
            "passwd", "salt", 1,
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
        ),
        (
            "Password", "NaCl", 80000,
            "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
                + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"
        ),
    ]

    @Test("RFC 7914 §11: PBKDF2-HMAC-SHA256", arguments: cases.indices)
    func known(index: Int) {
        let (password, salt, iterations, expected) = PBKDF2Tests.cases[index]
        let derived = PBKDF2.derive(
            password: Array(password.utf8).span, salt: Array(salt.utf8).span,
            iterations: iterations, count: 64)
        #expect([UInt8](derived.span) == hex(expected))
    }

    @Test("Core §3.10: the passcodes of the vectors, 80 octets")
    func passcodes() {
        for vector in TestVectors.load("spake2p")["matter_pbkdf"].array {
            let passcode = UInt32(vector["passcode"].int)
            let password = (0..<4).map { UInt8(truncatingIfNeeded: passcode >> (8 * $0)) }
            let derived = PBKDF2.derive(
                password: password.span, salt: vector["salt"].hex.span,
                iterations: vector["iterations"].int, count: 80)
            #expect([UInt8](derived.span) == vector["pbkdf2_80"].hex)
        }
    }
}

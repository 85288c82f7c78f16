internal import Base
internal import Crypto
internal import Matter

/// One computation whose result is known beforehand.
struct KnownAnswer: Sendable {
    /// As people are told.
    let name: String
    /// Hexadecimal digits.
    let expected: String
    /// Nil where what computes refuses.
    let compute: @Sendable () -> [UInt8]?

    var isRight: Bool {
        guard let expected = Hex.decode(expected), !expected.isEmpty else { return false }
        return compute() == expected
    }
}

/// What commissioning stands on, each once: libcrypto is the board's own, and another one than
/// this program was tried with.
///
/// Scope: that it computes what it should. Not scope: every branch of it, which is what the
/// project's tests are for.
enum KnownAnswers {
    static let all = [
        random, sha256, hmac, hkdf, pbkdf2, scrypt, ccm, gcm, ecdh, ecdsa, spake2Plus, tlv,
        setupCode,
    ]

    /// Nothing is known of it but that it does not repeat.
    private static let random = KnownAnswer(name: "random numbers", expected: "01") {
        var source = SystemRandom()
        let first: FixedBytes<32> = source.bytes()
        let second: FixedBytes<32> = source.bytes()
        return [first == second ? 0 : 1]
    }

    /// FIPS 180-4, as NIST's examples have it.
    private static let sha256 = KnownAnswer(
        name: "SHA-256",
        expected: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    ) {
        let message = Array("abc".utf8)
        return [UInt8](SHA256.digest(message.span))
    }

    /// RFC 4231 §4.3.
    private static let hmac = KnownAnswer(
        name: "HMAC",
        expected: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ) {
        let key = Array("Jefe".utf8)
        let message = Array("what do ya want for nothing?".utf8)
        return [UInt8](HMACSHA256.code(for: message.span, key: key.span))
    }

    /// RFC 5869 A.3.
    private static let hkdf = KnownAnswer(
        name: "HKDF",
        expected: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
            + "9d201395faa4b61a96c8"
    ) {
        let key = [UInt8](repeating: 0x0B, count: 22)
        return [UInt8](HKDF.derive(key: key.span, salt: Span(), info: "", count: 42).span)
    }

    /// RFC 7914 §11.
    private static let pbkdf2 = KnownAnswer(
        name: "PBKDF2",
        expected: "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
            + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
    ) {
        let (password, salt) = (Array("passwd".utf8), Array("salt".utf8))
        let key = PBKDF2.derive(
            password: password.span, salt: salt.span, iterations: 1, count: 64)
        return [UInt8](key.span)
    }

    /// RFC 7914 §12, the first.
    private static let scrypt = KnownAnswer(
        name: "scrypt",
        expected: "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
            + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
    ) {
        let cost = try? Scrypt(log2Cost: 4, blockSize: 1, parallelization: 1)
        guard let key = cost?.derive(passphrase: Span(), salt: Span(), count: 64) else {
            return nil
        }
        return [UInt8](key.span)
    }

    /// Project Wycheproof, AES-CCM case 268: sealed, and opened again.
    private static let ccm = KnownAnswer(
        name: "AES-CCM",
        expected: "d3ed6bb55d98b00e1b76938a1c6bd5ed22201e4eb2a42291a7d57e357082d77e"
            + "aad5d758041e5443ede7e9bbac1db490"
    ) {
        let plaintext = octets("aad5d758041e5443ede7e9bbac1db490")
        let covered = octets("10bc9864f1332e41")
        let key = octets("e74b73c2ad93d38dd4432d6e51d3e3ec")
        let nonce = FixedBytes<13>(copying: octets("06ee28ea532ff5aae6b0f6a28a").span)
        let cipher = AESCCM(key: key.span)
        var sealed = [UInt8](repeating: 0, count: plaintext.count + AESCCM.tagBytes)
        var output = sealed.mutableSpan
        cipher.seal(plaintext.span, nonce: nonce, authenticating: covered.span, into: &output)
        var opened = [UInt8](repeating: 0, count: plaintext.count)
        var result = opened.mutableSpan
        let isOpen: Void? = try? cipher.open(
            sealed.span, nonce: nonce, authenticating: covered.span, into: &result)
        return isOpen == nil ? nil : sealed + opened
    }

    /// Project Wycheproof, AES-GCM case 91: sealed, and opened again.
    private static let gcm = KnownAnswer(
        name: "AES-GCM",
        expected: "e27abdd2d2a53d2f136b9a4a2579529301bcfb71c78d4060f52c"
            + "00010203040506070809"
    ) {
        let plaintext = octets("00010203040506070809")
        let covered = octets("00000000ffffffff")
        let key = octets("92ace3e348cd821092cd921aa3546374299ab46209691bc28b8752d17f123c20")
        let nonce = FixedBytes<12>(copying: octets("00112233445566778899aabb").span)
        let cipher = AESGCM(key: Secret(key.span))
        var sealed = [UInt8](repeating: 0, count: plaintext.count + AESGCM.tagBytes)
        var output = sealed.mutableSpan
        cipher.seal(plaintext.span, nonce: nonce, authenticating: covered.span, into: &output)
        var opened = [UInt8](repeating: 0, count: plaintext.count)
        var result = opened.mutableSpan
        let isOpen: Void? = try? cipher.open(
            sealed.span, nonce: nonce, authenticating: covered.span, into: &result)
        return isOpen == nil ? nil : sealed + opened
    }
}

extension KnownAnswers {
    /// Of the constants here, each pairs of digits.
    fileprivate static func octets(_ text: String) -> [UInt8] {
        guard let octets = Hex.decode(text) else { preconditionFailure("no octets: \(text)") }
        return octets
    }

    /// Project Wycheproof, ECDH on P-256 case 1.
    fileprivate static let ecdh = KnownAnswer(
        name: "ECDH",
        expected: "53020d908b0219328b658b525f26780e3ae12bcd952bb25a93bc0895e1714285"
    ) {
        let point = octets(
            "0462d5bd3372af75fe85a040715d0f502428e07046868b0bfdfa61d731afe44f26"
                + "ac333a93a9e70a81cd5a95b5bf8d13990eb741c8c38872b4a07d275a014e30cf")
        let scalar = octets("0612465c89a023ab17855b0a6bcebfd3febb53aef84138647b5352e02c10c346")
        guard let peer = try? P256.PublicKey(point.span),
            let own = try? P256.PrivateKey(scalar: Secret(scalar.span)),
            let shared = try? own.sharedSecret(with: peer)
        else { return nil }
        return [UInt8](shared.span)
    }

    /// Project Wycheproof, ECDSA on P-256 case 1: it is accepted, and not for another message.
    /// Our own signature, each time another, is accepted too.
    fileprivate static let ecdsa = KnownAnswer(name: "ECDSA", expected: "010001") {
        let point = octets(
            "042927b10512bae3eddcfe467828128bad2903269919f7086069c8c4df6c732838"
                + "c7787964eaac00e5921fb1498a60f4606766b3d9685001558d1a974e7341513e")
        let signature = octets(
            "2ba3a8be6b94d5ec80a6d9d1190a436effe50d85a1eee859b8cc6af9bd5c2e18"
                + "4cd60b855d442f5b3c7b11eb6c4e0ae7525fe710fab9aa7c77a67f79e6fadd76")
        let (message, other) = (Array("123400".utf8), Array("123401".utf8))
        guard let signer = try? P256.PublicKey(point.span),
            let signed = FixedBytes<64>(signature.span)
        else { return nil }
        var source = SystemRandom()
        let own = P256.PrivateKey.generate(using: &source)
        let signedHere = own.sign(message.span)
        return [
            signer.verify(signed, over: message.span),
            signer.verify(signed, over: other.span),
            own.publicKey.verify(signedHere, over: message.span),
        ].map { $0 ? 1 : 0 }
    }

    /// draft-bar-cfrg-spake2plus-01, the first: the commissioner's side, its cA and Ke.
    fileprivate static let spake2Plus = KnownAnswer(
        name: "SPAKE2+",
        expected: "d4376f2da9c72226dd151b77c2919071155fc22a2068d90b5faa6c78c11e77dd"
            + "801db297654816eb4f02868129b9dc89"
    ) {
        let w0 = octets("e6887cf9bdfb7579c69bf47928a84514b5e355ac034863f7ffaf4390e67d798c")
        let w1 = octets("24b5ae4abda868ec9336ffc3b78ee31c5755bef1759227ef5372ca139b94e512")
        let pB = octets(
            "04417592620aebf9fd203616bbb9f121b730c258b286f890c5f19fea833a9c900c"
                + "be9057bc549a3e19975be9927f0e7614f08d1f0a108eede5fd7eb5624584a4f4")
        let cB = octets("0660a680663e8c5695956fb22dff298b1d07a526cf3cc591adfecd1f6ef6e02e")
        let context = Array("SPAKE2+-P256-SHA256-HKDF draft-01".utf8)
        let identities = SPAKE2PlusIdentities(
            prover: Array("client".utf8), verifier: Array("server".utf8))
        var x = GivenOctets(
            octets("8b0f3f383905cf3a3bb955ef8fb62e24849dd349a05ca79aafb18041d30cbdb6"))
        guard
            let secrets = try? SPAKE2PlusSecrets(w0: Secret(w0.span), w1: Secret(w1.span))
        else { return nil }
        let prover = SPAKE2PlusProver(
            secrets: secrets, context: context.span, identities: identities, using: &x)
        guard let (cA, ke) = try? prover.finish(pB: pB.span, cB: cB.span) else { return nil }
        return [UInt8](cA) + [UInt8](ke.span)
    }

    /// Core Appendix A.
    fileprivate static let tlv = KnownAnswer(
        name: "TLV", expected: "1524012a2002ef2b036666666666e6314018"
    ) {
        var buffer = [UInt8](repeating: 0, count: 18)
        var writer = TLVWriter(buffer.mutableSpan)
        do throws(TLVError) {
            try writer.open(.structure, tag: .anonymous)
            try writer.unsigned(42, tag: .context(1))
            try writer.signed(-17, tag: .context(2))
            try writer.double(17.9, tag: .context(3))
            try writer.end()
        } catch { return nil }
        return buffer
    }

    /// A QR code of connectedhomeip's tests gives the digits of the same device's manual code.
    fileprivate static let setupCode = KnownAnswer(
        name: "setup codes", expected: "3236333138363231303935"
    ) {
        let code = Array("MT:YNJV7VSC00CMVH7SR00".utf8)
        guard let payload = try? SetupPayload.parse(code.span).first else { return nil }
        return [UInt8](payload.manualCode().span)
    }
}

/// A draw that is known beforehand, as the vectors have it.
private struct GivenOctets: RandomSource {
    let octets: [UInt8]

    init(_ octets: [UInt8]) { self.octets = octets }

    mutating func fill(_ bytes: inout MutableSpan<UInt8>) {
        precondition(bytes.count == octets.count, "the vector has what is drawn")
        for index in bytes.indices { bytes[index] = octets[index] }
    }
}

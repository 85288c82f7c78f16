import Base
import Crypto
import TestVectors
import Testing

@Suite("SPAKE2Plus")
struct SPAKE2PlusTests {
    static let vectors = TestVectors.load("spake2p")

    private func secret(_ bytes: [UInt8]) -> Secret { Secret(bytes.span) }

    private func passcode(_ number: Int) -> Secret {
        secret((0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    /// The context and the two names, which the vectors only have inside the transcript.
    private func opening(of transcript: [UInt8]) throws -> [[UInt8]] {
        var reader = ByteReader(transcript.span)
        var entries: [[UInt8]] = []
        for _ in 0..<3 {
            let count = Int(try reader.uint64())
            entries.append([UInt8](try reader.bytes(count: count)))
        }
        return entries
    }

    @Test("draft vectors: both roles", arguments: 0..<4)
    func draft(index: Int) throws {
        let vector = SPAKE2PlusTests.vectors["draft_vectors"].array[index]
        let entries = try opening(of: vector["tt"].hex)
        let context = entries[0]
        let identities = SPAKE2PlusIdentities(prover: entries[1], verifier: entries[2])
        let secrets = try SPAKE2PlusSecrets(
            w0: secret(vector["w0"].hex), w1: secret(vector["w1"].hex))
        let verifier = SPAKE2PlusVerifier(secrets)
        #expect([UInt8](verifier.l) == vector["l_pt"].hex)

        var x = FixedRandom(vector["x"].hex)
        let prover = SPAKE2PlusProver(
            secrets: secrets, context: context.span, identities: identities, using: &x)
        #expect([UInt8](prover.pA) == vector["x_pt"].hex)
        var y = FixedRandom(vector["y"].hex)
        let responder = SPAKE2PlusResponder(
            verifier: verifier, context: context.span, identities: identities, using: &y)
        let response = try responder.receive(pA: vector["x_pt"].hex.span)
        #expect([UInt8](response.pB) == vector["y_pt"].hex)
        #expect([UInt8](response.cB) == vector["cb"].hex)
        #expect([UInt8](response.expectedCA) == vector["ca"].hex)
        #expect([UInt8](response.ke.span) == vector["ke"].hex)
        let (cA, ke) = try prover.finish(
            pB: vector["y_pt"].hex.span, cB: vector["cb"].hex.span)
        #expect([UInt8](cA) == vector["ca"].hex)
        #expect([UInt8](ke.span) == vector["ke"].hex)
        try response.confirm(cA: cA.span)
    }

    @Test("Core §3.10: passcode, salt and iterations give w0, w1 and L", arguments: 0..<3)
    func passcodes(index: Int) throws {
        let vector = SPAKE2PlusTests.vectors["matter_pbkdf"].array[index]
        let secrets = SPAKE2PlusSecrets(
            passcode: passcode(vector["passcode"].int), salt: vector["salt"].hex.span,
            iterations: vector["iterations"].int)
        #expect([UInt8](secrets.w0.span) == vector["w0"].hex)
        #expect([UInt8](secrets.w1.span) == vector["w1"].hex)
        let verifier = SPAKE2PlusVerifier(secrets)
        #expect([UInt8](verifier.l) == vector["L"].hex)
        let serialized = verifier.serialized
        #expect([UInt8](serialized.span) == vector["w0"].hex + vector["L"].hex)
        let again = try SPAKE2PlusVerifier(serialized.span)
        #expect(again.w0 == verifier.w0)
        #expect(again.l == verifier.l)
    }

    /// The run's prover secret x is not published: the responder is checked, and that a prover
    /// with the same passcode gets through to the same key schedule.
    @Test("Core §4.14.1: a published PASE run: context, cB, cA, Ke, session keys")
    func pase() throws {
        let run = SPAKE2PlusTests.vectors["matter_pase"].array[0]
        var hash = SHA256Stream()
        hash.update(Array("CHIP PAKE V1 Commissioning".utf8).span)
        hash.update(run["pbkdf_param_request"].hex.span)
        hash.update(run["pbkdf_param_response"].hex.span)
        let context = hash.digest()
        #expect([UInt8](context) == run["context_hash"].hex)

        let parameters = SPAKE2PlusTests.vectors["matter_pbkdf"].array[1]
        let secrets = SPAKE2PlusSecrets(
            passcode: passcode(run["passcode"].int), salt: parameters["salt"].hex.span,
            iterations: parameters["iterations"].int)
        var y = FixedRandom(run["y"].hex)
        let responder = SPAKE2PlusResponder(
            verifier: SPAKE2PlusVerifier(secrets), context: context, using: &y)
        let response = try responder.receive(pA: run["pA"].hex.span)
        #expect([UInt8](response.pB) == run["pB"].hex)
        #expect([UInt8](response.cB) == run["cB"].hex)
        #expect([UInt8](response.expectedCA) == run["cA_computed"].hex)
        #expect([UInt8](response.ke.span) == run["Ke_computed"].hex)
        let keys = HKDF.derive(
            key: response.ke.span, salt: Span(), info: "SessionKeys", count: 48)
        let expected = run["session_keys_computed"]
        #expect(
            [UInt8](keys.span) == expected["i2r"].hex + expected["r2i"].hex
                + expected["attestation_challenge"].hex)
    }

    @Test("Core §4.14.1.2: the context hash of another published exchange")
    func context() {
        let example = SPAKE2PlusTests.vectors["context_hash_example"]
        let bytes =
            Array("CHIP PAKE V1 Commissioning".utf8) + example["request"].hex
            + example["response"].hex
        #expect([UInt8](SHA256.digest(bytes.span)) == example["context_hash"].hex)
    }

    private static let salt = [UInt8](repeating: 5, count: 16)
    private static let context = SHA256.digest([1].span)

    private func secrets(_ number: Int) -> SPAKE2PlusSecrets {
        SPAKE2PlusSecrets(
            passcode: passcode(number), salt: SPAKE2PlusTests.salt.span, iterations: 2)
    }

    private func prover(
        _ number: Int = 20_202_021, context: FixedBytes<32> = context
    ) -> SPAKE2PlusProver {
        var random = SystemRandom()
        return SPAKE2PlusProver(secrets: secrets(number), context: context, using: &random)
    }

    private func responder() -> SPAKE2PlusResponder {
        var random = SystemRandom()
        return SPAKE2PlusResponder(
            verifier: SPAKE2PlusVerifier(secrets(20_202_021)), context: SPAKE2PlusTests.context,
            using: &random)
    }

    @Test("prover and responder agree on a key that differs from run to run")
    func backToBack() throws {
        var keys: [Secret] = []
        for _ in 0..<3 {
            let prover = prover()
            let response = try responder().receive(pA: prover.pA.span)
            let (cA, ke) = try prover.finish(pB: response.pB.span, cB: response.cB.span)
            try response.confirm(cA: cA.span)
            #expect(ke == response.ke)
            #expect(ke.count == 16)
            #expect(!keys.contains(ke))
            keys.append(ke)
        }
    }

    @Test("another passcode or another context is refused by both")
    func disagreement() throws {
        let other = SHA256.digest([2].span)
        for prover in [prover(20_202_022), prover(context: other)] {
            let response = try responder().receive(pA: prover.pA.span)
            #expect(throws: CryptoError.authenticationFailed) {
                try prover.finish(pB: response.pB.span, cB: response.cB.span)
            }
        }
    }

    @Test("a changed pA gives no point or no agreement")
    func tamperedPA() throws {
        let prover = prover()
        let responder = responder()
        for index in 0..<65 {
            var changed = prover.pA
            changed[index] ^= 1
            #expect(throws: CryptoError.invalidPublicKey) {
                try responder.receive(pA: changed.span)
            }
        }
        // Another point of the curve: the responder cannot know, the prover does.
        let response = try responder.receive(pA: self.prover().pA.span)
        #expect(throws: CryptoError.authenticationFailed) {
            try prover.finish(pB: response.pB.span, cB: response.cB.span)
        }
    }

    @Test("a changed pB gives no point or no agreement")
    func tamperedPB() throws {
        let prover = prover()
        let response = try responder().receive(pA: prover.pA.span)
        for index in 0..<65 {
            var changed = response.pB
            changed[index] ^= 1
            #expect(throws: CryptoError.invalidPublicKey) {
                try prover.finish(pB: changed.span, cB: response.cB.span)
            }
        }
        #expect(throws: CryptoError.authenticationFailed) {
            try prover.finish(pB: self.prover().pA.span, cB: response.cB.span)
        }
    }

    @Test("a changed or shortened cB or cA is refused")
    func tamperedConfirmations() throws {
        let prover = prover()
        let response = try responder().receive(pA: prover.pA.span)
        let (cA, _) = try prover.finish(pB: response.pB.span, cB: response.cB.span)
        for bit in 0..<256 {
            var changed = response.cB
            changed[bit / 8] ^= 1 << (bit % 8)
            if bit % 8 == 0 {
                #expect(throws: CryptoError.authenticationFailed) {
                    try prover.finish(pB: response.pB.span, cB: changed.span)
                }
            }
            changed = cA
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: CryptoError.authenticationFailed) {
                try response.confirm(cA: changed.span)
            }
        }
        #expect(throws: CryptoError.authenticationFailed) {
            try prover.finish(pB: response.pB.span, cB: response.cB.span.extracting(0..<31))
        }
        #expect(throws: CryptoError.authenticationFailed) { try response.confirm(cA: Span()) }
        try response.confirm(cA: cA.span)
    }

    @Test("points that lead to infinity, and infinity itself, are refused")
    func infinity() throws {
        // pA = w0 * M and pB = w0 * N leave infinity; with w0 = 1 they are M and N themselves.
        let vector = SPAKE2PlusTests.vectors
        let one = Secret(([UInt8](repeating: 0, count: 31) + [1]).span)
        let secrets = try SPAKE2PlusSecrets(w0: one, w1: one)
        var random = SystemRandom()
        let responder = SPAKE2PlusResponder(
            verifier: SPAKE2PlusVerifier(secrets), context: SPAKE2PlusTests.context,
            using: &random)
        #expect(throws: CryptoError.invalidPublicKey) {
            try responder.receive(pA: vector["M"].hex.span)
        }
        let prover = SPAKE2PlusProver(
            secrets: secrets, context: SPAKE2PlusTests.context, using: &random)
        #expect(throws: CryptoError.invalidPublicKey) {
            try prover.finish(pB: vector["N"].hex.span, cB: FixedBytes<32>().span)
        }
        for bytes in [[], [0], [UInt8](repeating: 0, count: 65)] as [[UInt8]] {
            #expect(throws: CryptoError.invalidPublicKey) {
                try responder.receive(pA: bytes.span)
            }
            #expect(throws: CryptoError.invalidPublicKey) {
                try prover.finish(pB: bytes.span, cB: FixedBytes<32>().span)
            }
        }
    }

    @Test("a stored verifier is checked: its size, the range of w0, the point L")
    func verifiers() throws {
        let good = [UInt8](SPAKE2PlusVerifier(secrets(1)).serialized.span)
        let zero = [UInt8](repeating: 0, count: 32)
        let point = Array(good[32...])
        for bytes in [
            [], Array(good.dropLast()), good + [0], zero + point, P256Tests.order + point,
        ] {
            #expect(throws: CryptoError.invalidParameter) { try SPAKE2PlusVerifier(bytes.span) }
        }
        var bad = good
        bad[96] ^= 1
        #expect(throws: CryptoError.invalidPublicKey) { try SPAKE2PlusVerifier(bad.span) }
        #expect(throws: CryptoError.invalidParameter) {
            try SPAKE2PlusSecrets(w0: secret(zero), w1: secret(zero))
        }
    }
}

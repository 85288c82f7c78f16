import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("SigningRequest")
struct SigningRequestTests {
    private let vectors = TestVectors.load("attestation")["csr"]

    @Test("§6.4.6.1 the public request is read")
    func good() throws {
        let request = try SigningRequest(der: vectors["good"].hex.span)
        #expect([UInt8](request.publicKey.bytes) == vectors["good_public_key"].hex)
    }

    @Test("the public bad requests are refused for their own reason")
    func bad() {
        let reasons: [String: CertificateError] = [
            "BAD_TRAILING_GARBAGE_CSR": .malformedDER(.trailingBytes(at: 221)),
            "BAD_TOO_BIG_CSR": .malformedDER(.trailingBytes(at: 221)),
            "BAD_SIGNATURE_CSR": .invalidRequestSignature,
            "TOO_SMALL_CSR": .malformedDER(.truncated(at: 0)),
            "NOT_SEQUENCE_CSR": .malformedDER(.unexpectedTag(at: 0)),
        ]
        #expect(vectors["reject"].keys.sorted() == reasons.keys.sorted())
        for (name, reason) in reasons {
            #expect(Self.refusal(vectors["reject"][name].hex) == reason, "\(name)")
        }
    }

    @Test("a request made here is read, each of its truncations and changes is refused")
    func made() throws {
        var random = SeededRandom(seed: 7)
        let key = P256.PrivateKey.generate(using: &random)
        let der = SigningRequest.make(for: key)
        #expect(try SigningRequest(der: der.span).publicKey == key.publicKey)
        for count in 0..<der.count { #expect(Self.refusal(Array(der[..<count])) != nil) }
        for index in der.indices {
            var changed = der
            changed[index] ^= 0x10
            #expect(Self.refusal(changed) != nil, "octet \(index)")
        }
        #expect(Self.refusal([UInt8](repeating: 0, count: 901)) == .tooLong)
    }

    @Test("§11.18.4.5 the answer to CSRRequest is signed by the device and for this session")
    func response() throws {
        var random = SeededRandom(seed: 8)
        let device = P256.PrivateKey.generate(using: &random)
        let operational = P256.PrivateKey.generate(using: &random)
        let challenge = Secret([UInt8](repeating: 1, count: 16).span)
        var elements = NOCSRElements()
        elements.csr = Octets(SigningRequest.make(for: operational))
        elements.csrNonce = random.bytes()
        let tlv = try elements.tlv(capacity: 900)
        let response = SignedElements(elements: tlv, challenge: challenge, signedBy: device)
        let nonce = elements.csrNonce
        #expect(
            try NOCSRElements.verify(
                response, challenge: challenge, nonce: nonce, key: device.publicKey)
                == operational.publicKey)
        #expect(throws: AttestationError.invalidSignature) {
            try NOCSRElements.verify(
                response, challenge: challenge, nonce: nonce, key: operational.publicKey)
        }
        let other = Secret([UInt8](repeating: 2, count: 16).span)
        #expect(throws: AttestationError.invalidSignature) {
            try NOCSRElements.verify(
                response, challenge: other, nonce: nonce, key: device.publicKey)
        }
        #expect(throws: AttestationError.nonceMismatch) {
            try NOCSRElements.verify(
                response, challenge: challenge, nonce: FixedBytes(), key: device.publicKey)
        }
        func refusal(_ elements: [UInt8]) -> AttestationError? {
            do throws(AttestationError) {
                _ = try NOCSRElements.verify(
                    SignedElements(elements: elements, challenge: challenge, signedBy: device),
                    challenge: challenge, nonce: nonce, key: device.publicKey)
                return nil
            } catch { return error }
        }
        for count in 0..<tlv.count {
            guard case .malformedElements = refusal(Array(tlv[..<count])) else {
                Issue.record("\(count) octets are accepted")
                continue
            }
        }
        #expect(refusal([UInt8](repeating: 0, count: 901)) == .elementsTooLong)
        elements.csr = Octets(vectors["reject"]["BAD_SIGNATURE_CSR"].hex)
        #expect(
            refusal(try elements.tlv(capacity: 900))
                == .invalidSigningRequest(.invalidRequestSignature))
    }

    private static func refusal(_ bytes: [UInt8]) -> CertificateError? {
        do throws(CertificateError) {
            _ = try SigningRequest(der: bytes.span)
            return nil
        } catch { return error }
    }
}

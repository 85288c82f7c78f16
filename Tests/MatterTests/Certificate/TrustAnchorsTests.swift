import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("TrustAnchors")
struct TrustAnchorsTests {
    @Test("every built-in record is readable, and its key id is that of its key or its own")
    func table() {
        let anchors = TrustAnchors()
        let authorities = anchors.authorities()
        #expect(authorities.filter { !$0.isTest }.count == 62)
        #expect(authorities.filter(\.isTest).count == 4)
        #expect(Set(authorities.map(\.subjectKeyID)).count == authorities.count)
        for authority in authorities {
            #expect(anchors.authority(authority.subjectKeyID) == authority)
            #expect(!authority.name.isEmpty)
            #expect(authority.validity.contains(.day(2026, 11, 30)), "\(authority.name)")
        }
        let signers = anchors.declarationSigners()
        #expect(signers.count == 6)
        #expect(signers.filter(\.isTest).map(\.name) == ["Matter Test CD Signing Authority"])
        for signer in signers { #expect(anchors.declarationSigner(signer.subjectKeyID) == signer) }
        #expect(anchors.authority(FixedBytes()) == nil)
        #expect(anchors.authority(signers[0].subjectKeyID) == nil)
    }

    @Test("the declaration signers are those of the public list")
    func signers() throws {
        let vectors = TestVectors.load("attestation")["cd_signing_keys"].array
        #expect(vectors.count == 6)
        for vector in vectors {
            let keyID = FixedBytes<20>(copying: vector["kid"].hex.span)
            let signer = try #require(TrustAnchors().declarationSigner(keyID))
            #expect([UInt8](signer.publicKey.bytes) == vector["public_key"].hex)
            #expect(signer.isTest == (vector["name"].string == "test key"))
        }
    }

    @Test("the built-in facts of the public test authorities are those of their certificates")
    func testAuthorities() throws {
        for vector in TestVectors.load("attestation")["paa"].array {
            let certificate = try AttestationCertificate(vector["der"].hex.span, as: .authority)
            let anchor = TrustAnchor(certificate, isTest: true)
            #expect(TrustAnchors().authority(certificate.subjectKeyID) == anchor)
            #expect(certificate.isSigned(by: certificate.publicKey))
        }
    }

    @Test("RFC 7468 what is written as PEM is read again, whatever its length")
    func pem() throws {
        for count in [1, 2, 3, 47, 48, 49, 500] {
            let der = (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + 1) }
            let text = PEM.text(certificate: der.span)
            let file = Array(text.utf8)
            #expect(try PEM.certificates(in: file.span) == [der])
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 64 })
        }
    }

    @Test("authorities are added from DER and from PEM between other text")
    func files() throws {
        let attestation = TestAttestation()
        let der = attestation.paaDER
        let keyID = KeyIdentifier.of(attestation.paaKey.publicKey)
        for file in [der, Self.pem(der), [UInt8]("Subject: PAA\r\n".utf8) + Self.pem(der)] {
            var anchors = TrustAnchors()
            #expect(try anchors.add(authorities: file.span) == 1)
            let added = anchors.authority(keyID)
            #expect(added?.name == "PAA")
            #expect(added?.publicKey == attestation.paaKey.publicKey)
            #expect(added?.isTest == false)
        }
        var anchors = TrustAnchors()
        let two = Self.pem(der) + Self.pem(der)
        #expect(try anchors.add(authorities: two.span) == 2)
    }

    @Test("beyond the bound an authority or a signer is refused, and those before it stay")
    func bound() throws {
        let some = try #require(TrustAnchors().authorities().first)
        let signer = try #require(TrustAnchors().declarationSigners().first)
        var anchors = TrustAnchors()
        for _ in 0..<Limits.addedAuthorities {
            try anchors.add(authority: some)
            try anchors.add(declarationSigner: signer)
        }
        let count = anchors.authorities().count
        #expect(throws: AttestationError.tooManyAuthorities) {
            try anchors.add(authority: some)
        }
        #expect(throws: AttestationError.tooManyAuthorities) {
            try anchors.add(declarationSigner: signer)
        }
        let file = TestAttestation().paaDER
        #expect(throws: AttestationError.tooManyAuthorities) {
            try anchors.add(authorities: file.span)
        }
        #expect(anchors.authorities().count == count)
        #expect(count == Limits.addedAuthorities + TrustAnchors().authorities().count)
    }

    @Test("a file without an authority's certificate is refused with the reason")
    func badFiles() throws {
        let attestation = TestAttestation()
        let pem = String(decoding: Self.pem(attestation.paaDER), as: UTF8.self)
        let cases: [(AttestationError, [UInt8])] = [
            (.malformed(.authority, .noCertificate), []),
            (.malformed(.authority, .noCertificate), [UInt8]("hello".utf8)),
            (.malformed(.authority, .noCertificate), [UInt8](pem.dropLast(40).utf8)),
            (.malformed(.authority, .noCertificate), [UInt8](pem.replacing("M", with: "!").utf8)),
            (
                .malformed(.authority, .noCertificate),
                [UInt8](
                    pem.replacing("\nMII", with: "\nMI", maxReplacements: 1).utf8)
            ),
            (.malformed(.authority, .malformedDER(.truncated(at: 0))), [0x30, 0x82, 0x01]),
            (.malformed(.authority, .tooLong), [UInt8](repeating: 0x30, count: 601)),
            (.malformed(.authority, .tooLong), [UInt8](repeating: 0x20, count: 131_073)),
            (.wrongForm(.authority, .basicConstraints), attestation.paiDER),
            (.wrongForm(.authority, .basicConstraints), attestation.dacDER),
        ]
        for (index, (error, file)) in cases.enumerated() {
            var anchors = TrustAnchors()
            var refusal: AttestationError?
            do throws(AttestationError) { try anchors.add(authorities: file.span) } catch let thrown
            { refusal = thrown }
            #expect(refusal == error, "case \(index)")
        }
    }

    @Test("RFC 4648 §4 Base64 of every length comes back")
    func base64() throws {
        for count in 1...100 {
            let bytes = (0..<count).map { UInt8($0 * 37 & 0xFF) }
            let file = Self.pem(bytes) + Self.pem([1, 2])
            #expect(try PEM.certificates(in: file.span) == [bytes, [1, 2]])
        }
    }

    /// Lines of 64 characters.
    private static func pem(_ der: [UInt8]) -> [UInt8] {
        let alphabet = [UInt8](
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: der.count, by: 3) {
            let part = der[start...].prefix(3)
            var bits: UInt32 = 0
            for index in 0..<3 {
                bits = bits << 8 | UInt32(index < part.count ? part[part.startIndex + index] : 0)
            }
            for index in 0..<4 {
                let digit = alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)]
                text.append(index <= part.count ? digit : UInt8(ascii: "="))
            }
            if text.count % 65 == 64 { text.append(UInt8(ascii: "\n")) }
        }
        return [UInt8]("-----BEGIN CERTIFICATE-----\n".utf8) + text
            + [UInt8]("\n-----END CERTIFICATE-----\n".utf8)
    }
}

import Base
import Crypto
import Gateway
import Matter
import Testing

@Suite("AuthorityOutput")
struct AuthorityOutputTests {
    private func anchor(_ octet: UInt8) throws -> TrustAnchor {
        let some = try #require(TrustAnchors().authorities().first)
        let keyID = [UInt8](repeating: octet, count: 20)
        return TrustAnchor(
            name: "Acme\u{1B} PAA", subjectKeyID: FixedBytes(copying: keyID.span),
            publicKey: some.publicKey, vendorID: nil,
            validity: Validity(
                notBefore: MatterTime(secondsSince2000: 0), notAfter: .noExpiry),
            isTest: true)
    }

    @Test("every authority and signer is listed, added ones first")
    func list() throws {
        var anchors = TrustAnchors()
        try anchors.add(authority: anchor(0xAB))
        let output = AuthorityOutput.list(anchors)
        #expect(
            output.lines.count
                == 2 + anchors.authorities().count + anchors.declarationSigners().count)
        #expect(output.lines.last?.hasSuffix("; added: 1.") == true)
        let added = output.lines[1]
        #expect(added.hasPrefix("devices       Acme\\u{1B} PAA "))
        #expect(added.hasSuffix(" 2000-01-01  no end      yes   added"))
        guard case .array(let listed)? = output.document["authorities"] else {
            Issue.record("no authorities")
            return
        }
        #expect(
            listed[0].text == """
                {"name":"Acme\\u001b PAA","vendor_id":null,\
                "key_id":"abababababababababababababababababababab",\
                "valid_from":"2000-01-01T00:00:00Z","valid_until":null,"test":true,\
                "built_in":false}
                """)
        #expect(listed.dropFirst().allSatisfy { $0["built_in"] == .boolean(true) })
    }

    @Test("one that is built in and added as well is listed once")
    func twice() throws {
        var anchors = TrustAnchors()
        try anchors.add(authority: #require(anchors.authorities().last))
        #expect(AuthorityOutput.list(anchors) == AuthorityOutput.list(TrustAnchors()))
    }

    @Test("a production authority is a maker's, with its vendor and dates")
    func production() throws {
        let document = AuthorityOutput.list(TrustAnchors()).document
        guard case .array(let listed)? = document["authorities"] else {
            Issue.record("no authorities")
            return
        }
        let feit = try #require(listed.first { $0["name"] == .string("Feit Electric PAA") })
        #expect(
            feit.text == """
                {"name":"Feit Electric PAA","vendor_id":5155,\
                "key_id":"069e86bf71db52f9df3cea7de4290c9f5b9968f1",\
                "valid_from":"2023-07-21T05:33:50Z","valid_until":"8323-09-07T05:33:50Z",\
                "test":false,"built_in":true}
                """)
    }
}

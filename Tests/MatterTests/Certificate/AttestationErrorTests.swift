import Base
import Matter
import Testing

@Suite("AttestationError")
struct AttestationErrorTests {
    private let keyID = FixedBytes<20>(copying: [UInt8](repeating: 0xA5, count: 20).span)

    @Test("an unknown authority is named with its key id, the vendor and what to do")
    func unknownAuthority() {
        let text = AttestationError.unknownAuthority(keyID: keyID, vendorID: VendorID(0x117C))
            .explanation
        #expect(text.contains(String(repeating: "a5", count: 20)))
        #expect(text.contains("0x117C"))
        #expect(text.contains("authorities add FILE"))
        #expect(text.contains("--accept-unattested"))
    }

    @Test("a prototype is told from a counterfeit")
    func prototypes() {
        for error in [
            AttestationError.testAuthority(keyID: keyID, vendorID: VendorID(0xFFF1)),
            .declaration(.testSigner(keyID: keyID)), .declaration(.testProduct),
        ] {
            #expect(error.remedy.contains("--allow-test-devices"))
        }
        #expect(
            !AttestationError.declaration(.invalidSignature).remedy
                .contains("--allow-test-devices"))
        #expect(
            AttestationError.vendorMismatch(
                device: VendorID(0xA), intermediate: VendorID(0xB)
            ).problem.contains("0x000A"))
    }
}

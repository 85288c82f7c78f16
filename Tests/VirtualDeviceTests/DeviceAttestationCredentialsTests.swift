import Base
import Crypto
import Matter
import Simulation
import Testing

@testable import VirtualDevice

@Suite("DeviceAttestationCredentials")
struct DeviceAttestationCredentialsTests {
    private func made() -> DeviceAttestationCredentials {
        var random = SeededRandom(seed: 9)
        return DeviceAttestationCredentials(
            vendorID: VendorID(0xFFF1), productID: ProductID(0x8001),
            declaration: ExampleDeclaration.cms, using: &random)
    }

    private func evidence(_ credentials: DeviceAttestationCredentials) -> AttestationEvidence {
        let challenge = Secret([UInt8](repeating: 3, count: 16).span)
        let nonce = FixedBytes<32>()
        return AttestationEvidence(
            dac: credentials.dac, pai: credentials.pai,
            response: credentials.attest(nonce, challenge: challenge), challenge: challenge,
            nonce: nonce, vendorID: VendorID(0xFFF1), productID: ProductID(0x8001))
    }

    @Test("§6.2.3 who trusts its authority believes the device, with the public declaration")
    func attest() throws {
        let credentials = made()
        var anchors = TrustAnchors()
        let paa = try AttestationCertificate(credentials.paa.span, as: .authority)
        try anchors.add(authority: TrustAnchor(paa, isTest: false))
        let verifier = AttestationVerifier(anchors: anchors, allowTestDevices: true)
        let device = try verifier.verify(evidence(credentials), at: House.certificateTime)
        #expect(device.publicKey == credentials.key.publicKey)
        #expect(device.productID == ProductID(0x8001))
        let stranger = AttestationVerifier(anchors: TrustAnchors(), allowTestDevices: true)
        #expect(throws: AttestationError.self) {
            try stranger.verify(evidence(credentials), at: House.certificateTime)
        }
    }

    @Test("the public declaration is of the products that are said")
    func declaration() throws {
        let verifier = AttestationVerifier(anchors: TrustAnchors(), allowTestDevices: true)
        let octets = ExampleDeclaration.cms
        let declaration = try verifier.verify(declaration: octets.span)
        #expect(declaration.vendorID == ExampleDeclaration.vendorID)
        #expect(declaration.productIDs.first == ExampleDeclaration.productIDs.lowerBound)
        #expect(declaration.productIDs.last == ExampleDeclaration.productIDs.upperBound)
    }
}

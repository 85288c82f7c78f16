import Base
import Matter
import Testing

@Suite("ServiceText and OperationalName")
struct ServiceRecordTests {
    private func text(_ strings: [String]) -> ServiceText {
        let octets = strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        guard let checked = DNSText(octets.span) else { fatalError("strings have lengths") }
        return ServiceText(checked)
    }

    @Test("§4.3.1 and §4.3.4: every key becomes its field")
    func fields() {
        let text = text([
            "D=3840", "CM=2", "VP=65521+32769", "DT=257", "DN=Lamp", "PH=33", "PI=5", "RI=0100B8",
            "SII=500", "SAI=300", "SAT=4000", "T=6", "ICD=1",
        ])
        #expect(text.discriminator == 3840)
        #expect(text.commissioningMode == 2)
        #expect(text.vendorID == VendorID(0xFFF1))
        #expect(text.productID == ProductID(0x8001))
        #expect(text.deviceType == 257)
        #expect(text.deviceName == Array("Lamp".utf8))
        #expect(text.pairingHint == 33)
        #expect(text.pairingInstruction == Array("5".utf8))
        #expect(text.rotatingIdentifier == [1, 0, 0xB8])
        #expect(text.sessionIdleInterval == .milliseconds(500))
        #expect(text.sessionActiveInterval == .milliseconds(300))
        #expect(text.sessionActiveThreshold == .milliseconds(4000))
        #expect(text.transports == 6)
        #expect(text.isLongIdleTimeDevice == true)
    }

    @Test(
        "what is beyond its bound or malformed is absent",
        arguments: [
            "D=4096", "D=", "D=-1", "D= 1", "D=0x1", "D=99999999999", "D", "CM=256", "VP=65536",
            "VP=+1", "DT=4294967296", "SII=3600001", "SAI=3600001", "SAT=65536", "ICD=2", "RI=0",
            "RI=zz", "T=x", "DX=1", "DISCRIMINATOR=1",
            "DN=" + String(repeating: "a", count: 33), "PI=" + String(repeating: "a", count: 129),
            "RI=" + String(repeating: "00", count: 51),
        ])
    func refused(string: String) {
        #expect(text([string]) == ServiceText())
    }

    @Test("RFC 6763 §6.4: keys have no case, the first value counts")
    func keys() {
        #expect(text(["d=1", "D=2"]).discriminator == 1)
        #expect(text(["sii=7"]).sessionIdleInterval == .milliseconds(7))
    }

    @Test("VP without a product")
    func vendorAlone() {
        let text = text(["VP=4939"])
        #expect(text.vendorID == VendorID(4939))
        #expect(text.productID == nil)
    }

    @Test("§4.3.2.1: an operational name is read as it is written")
    func operationalName() throws {
        let label = Array("87E1B004E235A130-8FC7772401CD0696".utf8)
        let read = OperationalName(label.span)
        let name = try #require(read)
        #expect(name.nodeID == NodeID(0x8FC7_7724_01CD_0696))
        #expect(Hex.upper(name.compressedFabricID.span) == "87E1B004E235A130")
        #expect(Array(name.description.utf8) == label)
        for wrong in [
            "", "87E1B004E235A130_8FC7772401CD0696", "87E1B004E235A130-8FC7772401CD069",
            "87E1B004E235A13G-8FC7772401CD0696", "87E1B004E235A130-8FC7772401CD06961",
        ] {
            let octets = Array(wrong.utf8)
            let read = OperationalName(octets.span)
            #expect(read == nil)
        }
    }
}

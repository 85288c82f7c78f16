import Base
import Matter
import TestVectors
import Testing

@Suite("MatterCertificate")
struct MatterCertificateTests {
    @Test("§6.5 every public certificate gives back its TLV and its X.509, octet for octet")
    func vectors() throws {
        var compared = 0
        for vector in CertificateVectors.all where vector["name"].string != "NOC1 corrupt" {
            let name = vector["name"].string
            let tlv = vector["tlv"].hex
            let certificate = try MatterCertificate(tlv: tlv.span)
            #expect(certificate.tlv() == tlv, "\(name)")
            if let der = CertificateVectors.der(vector) {
                #expect(certificate.der() == der, "\(name)")
                let reread = try MatterCertificate(der: der.span)
                #expect(reread == certificate, "\(name)")
                #expect(reread.tlv() == tlv, "\(name)")
                compared += 1
            }
            if let signed = vector.optional("tbs_der")?.hex {
                let der = certificate.der()
                let found = der.indices.first { der[$0...].starts(with: signed) }
                #expect(found == 4, "\(name)")
                compared += 1
            }
        }
        #expect(compared == 13)
    }

    @Test("§6.5 what the public certificates say")
    func contents() throws {
        let noc = try CertificateVectors.certificate("NOC1")
        #expect(noc.subject.nodeID == NodeID(0xBC5C02))
        #expect(noc.subject.fabricID == FabricID(1))
        #expect(noc.issuer.icacID == 1)
        #expect(!noc.isCA)
        #expect(noc.keyUsage == .digitalSignature)
        #expect(noc.extendedKeyUsage == [.clientAuth, .serverAuth])
        #expect(noc.validity == Validity(notBefore: .day(2021, 1, 1), notAfter: .day(2030, 12, 30)))
        let icac = try CertificateVectors.certificate(
            "CHIP test ICA02 (ICAC with fabric id, pathLen 0)")
        #expect(icac.basicConstraints?.isCA == true)
        #expect(icac.basicConstraints?.pathLength == 0)
        #expect(icac.subject.fabricID == FabricID(0xFAB0_0000_0000_001D))
        let text = try CertificateVectors.certificate("TLV->TBS pair, text in DN")
        #expect(
            text.subject.attributes.map(\.type)
                == [.country, .organization, .commonName, .rcacID])
        #expect(
            text.subject.attributes[1].value
                == .text([UInt8]("Google".utf8), isPrintableString: false))
        let endless = try CertificateVectors.certificate("NOC with notAfter 0 (no expiry)")
        #expect(endless.validity.notAfter == .noExpiry)
    }

    @Test("every truncation of every certificate throws")
    func truncations() {
        for vector in CertificateVectors.all {
            let tlv = vector["tlv"].hex
            for count in 0..<tlv.count {
                #expect(CertificateVectors.refusal(tlv: Array(tlv[..<count])) != nil)
            }
            guard let der = CertificateVectors.der(vector) else { continue }
            for count in 0..<der.count {
                #expect(CertificateVectors.refusal(der: Array(der[..<count])) != nil)
            }
        }
    }

    @Test("whatever is accepted after random changes still gives back its octets; nothing traps")
    func mutations() throws {
        var random = SeededNumbers(seed: 20)
        var accepted = 0
        for vector in CertificateVectors.all {
            guard let der = CertificateVectors.der(vector) else { continue }
            let tlv = vector["tlv"].hex
            for _ in 0..<400 {
                let changed = Self.changed(tlv, &random)
                if let certificate = try? MatterCertificate(tlv: changed.span) {
                    accepted += 1
                    #expect(try MatterCertificate(tlv: certificate.tlv().span) == certificate)
                }
                let changedDER = Self.changed(der, &random)
                if let certificate = try? MatterCertificate(der: changedDER.span) {
                    accepted += 1
                    #expect(certificate.der() == changedDER)
                    #expect(try MatterCertificate(tlv: certificate.tlv().span) == certificate)
                }
            }
        }
        #expect(accepted > 100)
    }

    @Test("what follows the certificate, or is longer than allowed, is refused")
    func lengths() {
        let vector = CertificateVectors.vector("NOC1")
        let tlv = vector["tlv"].hex
        let der = vector["der_computed"].hex
        #expect(
            CertificateVectors.refusal(tlv: tlv + [0])
                == .malformedTLV(.trailingBytes(at: tlv.count)))
        #expect(
            CertificateVectors.refusal(der: der + [0])
                == .malformedDER(.trailingBytes(at: der.count)))
        #expect(CertificateVectors.refusal(tlv: [UInt8](repeating: 0, count: 401)) == .tooLong)
        #expect(CertificateVectors.refusal(der: [UInt8](repeating: 0, count: 601)) == .tooLong)
    }

    @Test("a key that is no point of the curve is refused")
    func offCurve() {
        let corrupt = CertificateVectors.vector("NOC1 corrupt")["tlv"].hex
        #expect(CertificateVectors.refusal(tlv: corrupt) == .invalidPublicKey)
    }

    @Test("§6.5.6 at most five attributes, each of a known type and form")
    func names() throws {
        let noc = CertificateVectors.vector("NOC1")["tlv"].hex
        #expect(noc[8..<17].elementsEqual([0x37, 3, 0x24, 0x13, 1, 0x24, 0x15, 1, 0x18]))
        func issuer(_ hex: String) throws -> CertificateError? {
            let name = try #require(Hex.decode(hex))
            return CertificateVectors.refusal(
                tlv: Array(noc[..<10]) + name + Array(noc[16...]))
        }
        #expect(try issuer("241301 241501") == nil)
        #expect(try issuer("2c010141 2c010141 2c010141 2c810141 241501") == nil)
        #expect(
            try issuer("2c010141 2c010141 2c010141 2c810141 241501 241301")
                == .malformedTLV(.outOfRange(tag: 3)))
        #expect(try issuer("241701") == .malformedTLV(.outOfRange(tag: 23)))
        #expect(try issuer("240001") == .malformedTLV(.outOfRange(tag: 0)))
        #expect(try issuer("249301") == .malformedTLV(.outOfRange(tag: 0x93)))
        #expect(try issuer("2c900141") == .malformedTLV(.outOfRange(tag: 0x90)))
        #expect(try issuer("240101") == .malformedTLV(.wrongType(tag: 1)))
        #expect(try issuer("27160100000001000000") == .malformedTLV(.outOfRange(tag: 22)))
    }

    @Test("all types of name attributes and all extensions come back from X.509")
    func allAttributes() throws {
        let noc = CertificateVectors.vector("NOC1")["tlv"].hex
        for tag in UInt8(1)...22 {
            for flag in [UInt8(0), 0x80] where tag <= 15 || flag == 0 {
                let value: [UInt8] =
                    tag > 16 ? [0x24, tag, 7] : [0x2C, tag | flag, 2, 0x55, 0x53]
                let tlv = Array(noc[..<10]) + value + Array(noc[16...])
                let certificate = try MatterCertificate(tlv: tlv.span)
                let der = certificate.der()
                let reread = try MatterCertificate(der: der.span)
                #expect(reread.tlv() == tlv, "\(tag)")
            }
        }
    }

    @Test("§6.5.11 an extension Matter has no tag for is kept as it is")
    func otherExtension() throws {
        let root = CertificateVectors.vector("RCAC1")["tlv"].hex
        let end = root.count - 68 - 1
        #expect(root[end] == 0x18)
        func adding(_ hex: String) throws -> [UInt8] {
            let bytes = try #require(Hex.decode(hex))
            return Array(root[..<end]) + bytes + Array(root[end...])
        }
        let plain = try adding("30060b 3009 0603551d50 04020500")
        let certificate = try MatterCertificate(tlv: plain.span)
        #expect(try MatterCertificate(der: certificate.der().span).tlv() == plain)
        let cases = [
            ("30060a 3009 0603551d50 040205", TLVError.outOfRange(tag: 6)),
            // A key usage, which has a tag of its own.
            ("30060b 3009 0603551d0f 04020500", .outOfRange(tag: 6)),
            ("300602 0500", .outOfRange(tag: 6)),
            ("240701", .outOfRange(tag: 7)),
            ("36030407 18", .outOfRange(tag: 3)),
            ("3603040204 0218", .outOfRange(tag: 3)),
            ("300413 00000000000000000000000000000000000000", .outOfRange(tag: 4)),
        ]
        for (hex, error) in cases {
            #expect(CertificateVectors.refusal(tlv: try adding(hex)) == .malformedTLV(error))
        }
        #expect(CertificateVectors.refusal(tlv: try adding("240260")) == .duplicateExtension)
    }

    @Test("X.509 that TLV could not give back is refused")
    func notRepresentable() throws {
        let vector = CertificateVectors.vector("CHIP test Root01 (RCAC)")
        let der = vector["der"].hex
        // 2020 as a GeneralizedTime: valid elsewhere, but not what the signature would cover.
        let date = [UInt8]("201015142343Z".utf8)
        let position = try #require(der.indices.first { der[$0...].starts(with: date) })
        var changed = der
        changed.replaceSubrange((position - 2)..<position, with: [0x18, 15, 0x32, 0x30])
        for offset in [2, 6] {
            let count = Int(changed[offset]) << 8 | Int(changed[offset + 1]) + 2
            changed[offset] = UInt8(count >> 8)
            changed[offset + 1] = UInt8(count & 0xFF)
        }
        let validity = position - 4
        #expect(changed[validity] == 0x30)
        changed[validity + 1] += 2
        #expect(CertificateVectors.refusal(der: changed) == .notRepresentable)

        var early = der
        early.replaceSubrange(position..<(position + 2), with: [0x39, 0x39])
        #expect(CertificateVectors.refusal(der: early) == .notRepresentable)
    }

    @Test("a serial number has 1 to 20 octets")
    func serialNumbers() {
        let noc = CertificateVectors.vector("NOC1")["tlv"].hex
        func serial(_ count: Int) -> CertificateError? {
            CertificateVectors.refusal(
                tlv: [0x15, 0x30, 1, UInt8(count)] + [UInt8](repeating: 1, count: count)
                    + noc[5...])
        }
        #expect(serial(1) == nil)
        #expect(serial(20) == nil)
        #expect(serial(0) == .invalidSerialNumber)
        #expect(serial(21) == .invalidSerialNumber)
    }

    private static func changed(_ bytes: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0...2, using: &random) {
            let index = Int.random(in: 0...bytes.count - 1, using: &random)
            switch Int.random(in: 0...5, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(UInt8(Int.random(in: 0...255, using: &random)), at: index)
            default: bytes[index] = UInt8(Int.random(in: 0...255, using: &random))
            }
        }
        return bytes
    }
}

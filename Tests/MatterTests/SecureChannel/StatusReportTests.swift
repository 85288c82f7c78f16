import Base
import Matter
import Testing

@Suite("StatusReport")
struct StatusReportTests {
    @Test("Appendix D: codes are little-endian, the vendor stands above the protocol")
    func layout() throws {
        let report = StatusReport(
            generalCode: GeneralCode(rawValue: 0x0102), vendorID: VendorID(0xFFF1),
            protocolID: ProtocolID(0x0304), protocolCode: 0x0506, data: [7, 8])
        let bytes = report.encode()
        #expect(Hex.lower(bytes.span) == "02010403f1ff06050708")
        #expect(try StatusReport(bytes.span) == report)
        #expect(report.secureChannelCode == nil)
    }

    @Test("an established session is eight zero octets")
    func success() throws {
        #expect(StatusReport.sessionEstablished.encode() == [UInt8](repeating: 0, count: 8))
    }

    @Test("a shorter payload throws", arguments: 0..<8)
    func truncated(count: Int) {
        let bytes = [UInt8](repeating: 0, count: count)
        #expect(throws: ByteError.self) { try StatusReport(bytes.span) }
    }

    @Test("§4.11.1 busy carries its wait in milliseconds")
    func busy() throws {
        let report = StatusReport.busy(wait: .milliseconds(1500))
        #expect(Hex.lower(report.encode().span) == "0800000000000400dc05")
        #expect(report.busyWait == .milliseconds(1500))
        #expect(StatusReport.busy(wait: .seconds(3600)).busyWait == .milliseconds(65535))
        #expect(StatusReport(.busy, .busy).busyWait == .zero)
        #expect(StatusReport(.busy, .busy, data: [1]).busyWait == .zero)
        #expect(StatusReport(.failure, .invalidParameter).busyWait == nil)
    }
}

@Suite("SessionParameters")
struct SessionParametersTests {
    @Test("tags 1 to 3 are written and nothing else")
    func written() throws {
        let parameters = SessionParameters(
            idleInterval: .seconds(3600), activeInterval: .milliseconds(300),
            activeThreshold: .milliseconds(4000))
        let bytes = try SessionParameterStruct(parameters).tlv(capacity: 32)
        #expect(Hex.lower(bytes.span) == "152601" + "80ee3600" + "25022c01" + "2503a00f" + "18")
    }

    @Test("§4.13.1 what a peer does not say stays as it was, what is beyond an hour is an hour")
    func bounds() {
        let before = SessionParameters(
            idleInterval: .seconds(5), activeInterval: .seconds(1), activeThreshold: .seconds(2))
        #expect(before.updated(by: nil) == before)
        var announced = SessionParameterStruct()
        #expect(before.updated(by: announced) == before)
        announced.idleInterval = 3_600_001
        announced.activeInterval = .max
        announced.activeThreshold = 0
        let after = before.updated(by: announced)
        #expect(after.idleInterval == .seconds(3600) && after.activeInterval == .seconds(3600))
        #expect(after.activeThreshold == .zero)
    }

    @Test("tags above 3 are passed over, whatever they hold")
    func tolerant() throws {
        // As recent nodes send it: revisions, specification version, paths, transports.
        let bytes = try #require(
            Hex.decode("15 2501d007 240413 24050c 260600000401 240701 3508240001 18 2c090131 18"))
        let read = try SessionParameterStruct(tlv: bytes.span)
        #expect(read.idleInterval == 2000)
        #expect(read.activeInterval == nil)
        #expect(read.activeThreshold == nil)
    }
}

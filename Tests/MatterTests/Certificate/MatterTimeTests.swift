import Base
import Matter
import Testing

@Suite("MatterTime")
struct MatterTimeTests {
    @Test("the two epochs are 30 years apart")
    func epochs() {
        #expect(MatterTime(secondsSince2000: 0).unixSeconds == 946_684_800)
        #expect(MatterTime(unixSeconds: 946_684_801) == MatterTime(secondsSince2000: 1))
        #expect(MatterTime.day(2000, 3, 1) < MatterTime.day(2000, 3, 2))
    }

    @Test("a validity includes its first and its last second")
    func validity() {
        let validity = Validity(notBefore: .day(2024, 2, 28), notAfter: .day(2024, 2, 29))
        #expect(validity.contains(.day(2024, 2, 28)))
        #expect(validity.contains(.day(2024, 2, 29)))
        #expect(
            !validity.contains(
                MatterTime(
                    secondsSince2000: MatterTime.day(2024, 2, 29).seconds + 1)))
        #expect(!validity.contains(.day(2024, 2, 27)))
    }

    @Test("RFC 5280 §4.1.2.5 dates of certificates come back as they were written")
    func dates() throws {
        for text in [
            "000101000000Z", "000229235959Z", "240229120000Z", "491231235959Z", "210301000000Z",
            "20500101000000Z", "21000228235959Z", "21000301000000Z", "20960229000000Z",
            "21360207062815Z", "99991231235959Z",
        ] {
            #expect(try Self.reencoded(text) == text)
        }
        #expect(try Self.reencoded("990101000000Z") == "990101000000Z")
        #expect(try Self.reencoded("500101000000Z") == "500101000000Z")
    }

    @Test("what the calendar does not have is refused")
    func impossible() {
        for text in [
            "230229000000Z", "21000229000000Z", "240230000000Z", "241301000000Z", "240001000000Z",
            "240100000000Z", "240101240000Z", "240101006000Z", "240101000060Z", "2401010000Z",
            "240101000000+", "24010100000Z0", "2401a1000000Z", "240101000000", "",
        ] {
            #expect(throws: DERError.invalidValue(at: 0), "\(text)") { try Self.reencoded(text) }
        }
    }

    /// Through both certificates' date readers: 13 characters are a UTCTime, others general.
    private static func reencoded(_ text: String) throws(DERError) -> String {
        let tag: UInt8 = text.utf8.count == 13 || text.utf8.count < 13 ? 0x17 : 0x18
        let bytes = [tag, UInt8(text.utf8.count)] + [UInt8](text.utf8)
        var reader = DERReader(bytes.span)
        let time = try MatterTime(try reader.next())
        var writer = DERWriter(capacity: 17)
        time.encode(to: &writer)
        return String(decoding: writer.bytes[2...], as: UTF8.self)
    }
}

import Base
import Testing

@testable import Matter

@Suite("CommissionableAdvertisement")
struct AdvertisementTests {
    private func read(_ hex: String) throws -> CommissionableAdvertisement? {
        let bytes = try #require(Hex.decode(hex))
        return CommissionableAdvertisement(bytes.span)
    }

    @Test("§5.4.2.5.6 an advertisement is read")
    func reading() throws {
        let found = try #require(try read("020106 0b16f6ff 00 000f f1ff 0180 03"))
        #expect(found.discriminator == 3840 && found.version == 0)
        #expect(found.vendorID == VendorID(0xFFF1) && found.productID == ProductID(0x8001))
        #expect(found.hasAdditionalData && found.isExtended)
        let silent = try #require(try read("0b16f6ff 00 ffff 0000 0000 00"))
        #expect(silent.discriminator == 4095 && silent.version == 15)
        #expect(silent.vendorID == nil && silent.productID == nil)
        #expect(!silent.hasAdditionalData && !silent.isExtended)
    }

    @Test("what is written is read again, within a legacy advertisement")
    func roundTrip() throws {
        for discriminator in [0, 1, 0x0F00, 0xFFF] as [UInt16] {
            let made = CommissionableAdvertisement(
                discriminator: discriminator, vendorID: VendorID(0xFFF1), productID: nil,
                hasAdditionalData: discriminator == 1)
            let bytes = try [UInt8](capacity: 31) { try made.write(&$0) }
            #expect(bytes.count == CommissionableAdvertisement.octets)
            #expect(CommissionableAdvertisement(bytes.span) == made)
        }
    }

    @Test(
        "what is no advertisement of a commissionable device is none",
        arguments: [
            "", "00", "020106", "ff", "0b16f6ff", "0b16f6ff 00 000f f1ff 0180",
            "0a16f6ff 00 000f f1ff 0180", "0b16f5ff 00 000f f1ff 0180 00",
            "0b16f6ff 01 000f f1ff 0180 00", "0b17f6ff 00 000f f1ff 0180 00",
            "00 0b16f6ff 00 000f f1ff 0180 00", "0116", "0216f6", "0316f6ff",
        ])
    func others(hex: String) throws {
        #expect(try read(hex) == nil)
    }

    @Test("other structures around it do not matter, nor octets of a later edition")
    func surroundings() throws {
        #expect(try read("020106 0316aafe 0c16f6ff 00 000f f1ff 0180 00 77 0309 4142") != nil)
        #expect(try read("0b16f6ff 00 000f f1ff 0180 00 ff09") != nil)
        let long = [UInt8](repeating: 1, count: Limits.advertisingBytes + 1)
        #expect(CommissionableAdvertisement(long.span) == nil)
    }
}

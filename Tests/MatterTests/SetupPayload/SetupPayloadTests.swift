import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("SetupPayload")
struct SetupPayloadTests {
    @Test("what is no setup code at all is told apart from a faulty one")
    func recognition() {
        #expect(SetupCodes.refusal("") == .empty)
        #expect(SetupCodes.refusal(" \r\n\t") == .empty)
        #expect(SetupCodes.refusal("MT") == .unrecognised)
        #expect(SetupCodes.refusal("WIFI:T:WPA;S:x;P:y;;") == .unrecognised)
        #expect(SetupCodes.refusal("-3497-011-2332") == .unrecognised)
        #expect(SetupCodes.refusal("]Q1") == .unrecognised)
        #expect(SetupCodes.refusal("\u{FEFF}MT:Y.K9042C00KA0648G00") == .unrecognised)
    }

    @Test("a payload made here survives QR text and manual code")
    func roundTrip() throws {
        let passcode = SetupCodes.secret(20_202_021)
        for flow in [CommissioningFlow.standard, .userAction, .custom] {
            let payload = SetupPayload(
                vendorID: VendorID(0xFFF1), productID: ProductID(0x8001), flow: flow,
                discoveryCapabilities: [.ble, .onNetwork], discriminator: .long(0xABC),
                passcode: passcode)
            let text = SetupCodes.text(try #require(payload.qrText()))
            #expect(try SetupCodes.parse(text) == [payload])
            let manual = try SetupCodes.parse(SetupCodes.text(payload.manualCode()))[0]
            #expect(manual.discriminator == .short(0xA))
            #expect(manual.passcode == passcode)
            #expect(manual.vendorID == (flow == .standard ? nil : VendorID(0xFFF1)))
            #expect(manual.canBeSameDevice(as: payload))
        }
    }

    @Test("what a payload leaves open is written as zero")
    func unnamed() throws {
        let payload = SetupPayload(
            vendorID: nil, productID: nil, flow: .standard, discoveryCapabilities: nil,
            discriminator: .long(1), passcode: SetupCodes.secret(1))
        let text = SetupCodes.text(try #require(payload.qrText()))
        let again = try SetupCodes.parse(text)[0]
        #expect(again.vendorID == nil)
        #expect(again.discoveryCapabilities == [])
    }

    @Test("the same device is known by its passcode and what is known of the discriminator")
    func sameDevice() throws {
        let device = try SetupCodes.parse(SetupCodes.qr(discriminator: 0xF12))[0]
        for (code, isSame) in [
            (SetupCodes.qr(discriminator: 0xF12, tlv: [0x15, 0x18]), true),
            (SetupCodes.qr(discriminator: 0xF13), false),
            (SetupCodes.manual(passcode: 20_202_021), true),
            (SetupCodes.manual(passcode: 20_202_022), false),
            (SetupCodes.manual(passcode: 20_202_021, discriminator: 0xE), false),
        ] {
            let other = try SetupCodes.parse(code)[0]
            #expect(device.canBeSameDevice(as: other) == isSame)
            #expect(other.canBeSameDevice(as: device) == isSame)
        }
    }

    @Test("only a flow that may need a person has a hint")
    func hints() throws {
        let hints = try (0...3 as ClosedRange<UInt64>).map { flow in
            try SetupCodes.parse(SetupCodes.qr(flow: flow))[0].hint
        }
        #expect(hints[0] == nil)
        #expect(Set(hints.compactMap { $0 }).count == 3)
        #expect(hints[1]?.contains("button") == true)
        #expect(hints[2]?.contains("maker") == true)
        #expect(try SetupCodes.parse("749701123365521327694")[0].hint != nil)
        #expect(try SetupCodes.parse("34970112332")[0].hint == nil)
    }

    @Test("each refusal says in a line what is wrong and what to do")
    func words() {
        let errors: [SetupPayloadError] = [
            .empty, .tooLong(characters: 5000), .unrecognised, .emptyPayload(at: 3),
            .character(at: 4), .chunkLength(characters: 18), .chunkOverflow(at: 3),
            .tooShort(characters: 17), .unknownVersion(1), .padding, .duplicate(at: 23),
            .notADigit(at: 2), .digitCount(10), .digitCount(12), .firstDigit(9),
            .digitCountMismatch(digits: 11), .digitCountMismatch(digits: 21), .checkDigit,
            .groupOverflow, .forbiddenPasscode, .vendorID(0xFFF5), .productID,
        ]
        #expect(Set(errors.map(\.problem)).count == errors.count)
        for error in errors {
            #expect(!error.remedy.isEmpty)
            #expect(error.description == "\(error.problem): \(error.remedy)")
            #expect(!error.description.contains("\n"))
            #expect(error.description.count <= 200)
        }
        #expect(SetupPayloadError.character(at: 0).problem.contains("character 1 "))
        #expect(SetupPayloadError.digitCount(10).remedy.contains("leading 0"))
        #expect(SetupPayloadError.digitCountMismatch(digits: 11).problem.contains("asks for 21"))
    }
}

@Suite("SetupDetails")
struct SetupDetailsTests {
    @Test("§5.1.5 the public examples give serial number and vendor elements")
    func vectors() {
        for vector in TestVectors.load("setup_payload")["tlv"].array {
            let tlv = vector["hex"].hex
            let details = SetupDetails(tlv: tlv.span)
            #expect(details.tlv == tlv)
            if let text = vector["serial"].asString {
                #expect(details.serialNumber == .text(text))
            } else {
                #expect(details.serialNumber == .number(vector["serial"].uint64))
            }
            if let vendor = vector.optional("vendor_tag_0x81")?.string {
                let element: [UInt8] = [0x2C, 0x81, UInt8(vendor.utf8.count)] + vendor.utf8
                #expect(details.vendorElements.map(\.tag) == [0x81])
                #expect(details.vendorElements.map(\.element) == [element])
            } else {
                #expect(details.vendorElements.isEmpty)
            }
        }
    }

    /// {0 "S", 1 1000, 2 16 octets, 3 2, 4 600, 0x80 [1, 2], 5 unknown, 0xFF true}
    static let full: [UInt8] =
        [0x15, 0x2C, 0x00, 0x01, 0x53, 0x25, 0x01, 0xE8, 0x03, 0x30, 0x02, 0x10]
        + [UInt8](repeating: 7, count: 16)
        + [0x24, 0x03, 0x02, 0x25, 0x04, 0x58, 0x02, 0x36, 0x80, 0x04, 0x01, 0x04, 0x02, 0x18]
        + [0x24, 0x05, 0x09, 0x29, 0xFF, 0x18]

    @Test("§5.1.5 every field is read, also through a QR text")
    func fields() throws {
        let text = SetupCodes.qr(tlv: Self.full)
        let payload = try SetupCodes.parse(text)[0]
        let details = payload.details
        #expect(details.serialNumber == .text("S"))
        #expect(details.pbkdfIterations == 1000)
        #expect(details.pbkdfSalt == [UInt8](repeating: 7, count: 16))
        #expect(details.numberOfDevices == 2)
        #expect(details.commissioningTimeout == .seconds(600))
        let elements = details.vendorElements
        #expect(elements.map(\.tag) == [0x80, 0xFF])
        #expect(
            elements.map(\.element) == [
                [0x36, 0x80, 0x04, 0x01, 0x04, 0x02, 0x18], [0x29, 0xFF],
            ])
        #expect(payload.qrText().map(SetupCodes.text) == text)
    }

    @Test("what cannot be read is absent, and refuses no device")
    func tolerance() throws {
        for count in 0..<Self.full.count {
            let part = Array(Self.full[..<count])
            let details = SetupDetails(tlv: part.span)
            #expect(details.tlv == part)
            #expect(details.vendorElements.count < 2 || count == Self.full.count - 1)
            #expect(details.numberOfDevices == nil || count >= 31)
        }
        // A number of devices that needs 9 bits, a serial number that is not UTF-8.
        let odd: [UInt8] = [
            0x15, 0x25, 0x03, 0x00, 0x01, 0x2C, 0x00, 0x01, 0xFF, 0x24, 0x01, 0x05, 0x18,
        ]
        let details = SetupDetails(tlv: odd.span)
        #expect(details.numberOfDevices == nil)
        #expect(details.serialNumber == nil)
        #expect(details.pbkdfIterations == 5)
        #expect(try SetupCodes.parse(SetupCodes.qr(tlv: [0xFF]))[0].details.tlv == [0xFF])

        // {5 {0 "X"}, common:1 {0 "Y"}, 3 2}: members of members are not fields.
        let nested: [UInt8] =
            [0x15, 0x35, 0x05, 0x2C, 0x00, 0x01, 0x58, 0x18]
            + [0x55, 0x01, 0x00, 0x2C, 0x00, 0x01, 0x59, 0x18, 0x24, 0x03, 0x02, 0x18]
        #expect(SetupDetails(tlv: nested.span).serialNumber == nil)
        #expect(SetupDetails(tlv: nested.span).numberOfDevices == 2)

        var numbers = SeededNumbers(seed: 4)
        for _ in 0..<2000 {
            let noise = [0x15] + numbers.bytes(Int.random(in: 0...40, using: &numbers))
            #expect(SetupDetails(tlv: noise.span).tlv == noise)
        }
    }
}

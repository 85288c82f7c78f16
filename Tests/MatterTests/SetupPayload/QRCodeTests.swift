import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("QRCode")
struct QRCodeTests {
    @Test("§5.1.3 every public QR text gives its devices in their order, and is written back")
    func vectors() throws {
        let vectors = TestVectors.load("setup_payload")["qr"].array
        #expect(vectors.count == 8)
        for vector in vectors {
            let text = vector["qr"].string
            let payloads = try SetupCodes.parse(text)
            let devices = vector["devices"].array
            try #require(payloads.count == devices.count, "\(text)")
            for (payload, device) in zip(payloads, devices) {
                #expect(payload.vendorID == VendorID(UInt16(device["vendor_id"].int)))
                #expect(payload.productID == ProductID(UInt16(device["product_id"].int)))
                #expect(payload.flow?.rawValue == UInt8(device["flow"].int))
                let capabilities = UInt8(device["discovery_caps"].int)
                #expect(payload.discoveryCapabilities?.rawValue == capabilities)
                #expect(payload.discriminator == .long(UInt16(device["discriminator"].int)))
                #expect(SetupCodes.passcode(payload) == UInt32(device["passcode"].int))
                #expect(payload.details.tlv == device.optional("tlv_hex")?.hex ?? [])
            }
            let parts = try payloads.map { SetupCodes.text(try #require($0.qrText())).dropFirst(3) }
            #expect("MT:" + parts.joined(separator: "*") == text)
        }
    }

    @Test("§5.1.3 every public wrong QR text is refused for its own reason")
    func refusedVectors() {
        let reasons: [String: SetupPayloadError] = [
            "MT:5KR00-Q000KA0648G00": .unknownVersion(1),
            "MT:YNJV7VSC00CMVH7SR0": .chunkLength(characters: 18),
            // The blank at the end is a scanner's; the text is one character short.
            "MT:YNJV7VSC00CMVH7SR0 ": .chunkLength(characters: 18),
            "YNJV7VSC00CMVH7SR00": .unrecognised,
        ]
        for vector in TestVectors.load("setup_payload")["qr_reject"].array {
            let text = vector["qr"].string
            #expect(reasons[text] != nil)
            #expect(SetupCodes.refusal(text) == reasons[text], "\(vector["reason"].string)")
        }
    }

    @Test("§5.1.3 each field stands at its own bits")
    func fields() throws {
        let codes: [(String, (SetupPayload) -> Bool)] = [
            (SetupCodes.qr(vendor: 0xFFF4), { $0.vendorID == VendorID(0xFFF4) }),
            (SetupCodes.qr(vendor: 0), { $0.vendorID == nil && $0.productID != nil }),
            (SetupCodes.qr(vendor: 0, product: 0), { $0.productID == nil }),
            (SetupCodes.qr(product: 0xFFFF), { $0.productID == ProductID(0xFFFF) }),
            (SetupCodes.qr(flow: 1), { $0.flow == .userAction }),
            (SetupCodes.qr(flow: 2), { $0.flow == .custom }),
            (SetupCodes.qr(flow: 3), { $0.flow?.rawValue == 3 }),
            (SetupCodes.qr(capabilities: 1), { $0.discoveryCapabilities == .softAP }),
            (SetupCodes.qr(capabilities: 4), { $0.discoveryCapabilities == .onNetwork }),
            (SetupCodes.qr(capabilities: 8), { $0.discoveryCapabilities == .wiFiPAF }),
            (SetupCodes.qr(capabilities: 16), { $0.discoveryCapabilities == .nfc }),
            (
                SetupCodes.qr(capabilities: 0xE2),
                { $0.discoveryCapabilities?.contains(.ble) == true }
            ),
            (SetupCodes.qr(discriminator: 0xFFF), { $0.discriminator == .long(0xFFF) }),
            (SetupCodes.qr(discriminator: 0), { $0.discriminator == .long(0) }),
            (SetupCodes.qr(passcode: 99_999_998), { SetupCodes.passcode($0) == 99_999_998 }),
            (SetupCodes.qr(passcode: 1), { SetupCodes.passcode($0) == 1 }),
        ]
        let usual = try SetupCodes.parse(SetupCodes.qr())[0]
        for (text, holds) in codes {
            let payload = try SetupCodes.parse(text)[0]
            #expect(holds(payload), "\(text)")
            #expect(payload != usual)
            #expect(payload.qrText().map(SetupCodes.text) == text)
        }
    }

    @Test("what no device may have is refused for its own reason")
    func refusals() {
        for version in 1...7 as ClosedRange<UInt64> {
            #expect(
                SetupCodes.refusal(SetupCodes.qr(version: version))
                    == .unknownVersion(UInt8(version)))
        }
        for bit in 0..<4 {
            #expect(SetupCodes.refusal(SetupCodes.qr(padding: 1 << UInt64(bit))) == .padding)
        }
        #expect(SetupCodes.refusal(SetupCodes.qr(vendor: 0xFFF5)) == .vendorID(0xFFF5))
        #expect(SetupCodes.refusal(SetupCodes.qr(product: 0)) == .productID)
        #expect(SetupCodes.refusal(SetupCodes.qr(passcode: 0x7FF_FFFF)) == .forbiddenPasscode)
        #expect(SetupCodes.refusal(SetupCodes.qr(passcode: 99_999_999)) == .forbiddenPasscode)
        for passcode in TestVectors.load("setup_payload")["forbidden_passcodes"].array {
            let number = UInt64(passcode.string) ?? 1
            #expect(SetupCodes.refusal(SetupCodes.qr(passcode: number)) == .forbiddenPasscode)
        }
    }

    @Test("a damaged text is refused at the place of the damage")
    func damage() {
        let good = "MT:YNJV7VSC00CMVH7SR00"
        #expect(SetupCodes.refusal("MT:YNJV7VSC00 MVH7SR00") == .character(at: 13))
        #expect(SetupCodes.refusal("MT:YNJV7VSC00CMVH7SRä0") == .character(at: 21))
        #expect(SetupCodes.refusal("MT:YNJV7.....CMVH7SR00") == .chunkOverflow(at: 8))
        #expect(SetupCodes.refusal("MT:YNJV7VSC00CMVH7....") == .chunkOverflow(at: 18))
        #expect(SetupCodes.refusal("MT:YNJV7VSC00CMVH7SR") == .tooShort(characters: 17))
        #expect(SetupCodes.refusal("MT:") == .emptyPayload(at: 3))
        #expect(SetupCodes.refusal(good + "*") == .emptyPayload(at: 23))
        #expect(SetupCodes.refusal("MT:*" + good.dropFirst(3)) == .emptyPayload(at: 3))
        #expect(SetupCodes.refusal(good + "*" + good) == .character(at: 25))
        #expect(SetupCodes.refusal(good + "*" + good.dropFirst(3)) == .duplicate(at: 23))
        let long = good + String(repeating: "0", count: 4274 + 1)
        #expect(SetupCodes.refusal(long) == .tooLong(characters: 4297))
        #expect(SetupCodes.refusal(String(long.dropLast(2))) == nil)
    }

    @Test("a QR symbol full of devices is read")
    func manyDevices() throws {
        let parts = (1...214).map { SetupCodes.qr(discriminator: UInt64($0)).dropFirst(3) }
        let text = "MT:" + parts.joined(separator: "*")
        #expect(try SetupCodes.parse(text).map(\.discriminator) == (1...214).map { .long($0) })
        let more = text + "*" + SetupCodes.qr(discriminator: 0).dropFirst(3)
        #expect(SetupCodes.refusal(more) == .tooLong(characters: more.utf8.count))
    }

    @Test("a scanner's line end, blanks, symbology mark and caps lock do no harm")
    func scannerNoise() throws {
        let good = "MT:Y.K9042C00KA0648G00"
        let expected = try SetupCodes.parse(good)
        for noisy in [
            good + "\r\n", good + "\r", "  \t" + good + " ", "\u{2}" + good + "\u{3}", "]Q1" + good,
            "\r\n]Q0" + good + "\n", "mt:y.k9042c00ka0648g00", "Mt:Y.k9042C00kA0648G00",
        ] {
            #expect(try SetupCodes.parse(noisy) == expected, "\(noisy)")
        }
    }

    @Test("every truncation and any random line is refused or read, and never traps")
    func arbitraryLines() throws {
        for vector in TestVectors.load("setup_payload")["qr"].array {
            let line = Array(vector["qr"].string.utf8)
            let whole = try SetupPayload.parse(line.span)
            for count in 0..<line.count {
                let part = Array(line[..<count])
                #expect((try? SetupPayload.parse(part.span)) != whole)
            }
        }
        var numbers = SeededNumbers(seed: 1)
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-.*".utf8)
        var accepted = 0
        for _ in 0..<5000 {
            var line = Array("MT:".utf8)
            for _ in 0..<Int.random(in: 0...60, using: &numbers) {
                line.append(alphabet.randomElement(using: &numbers) ?? 0)
            }
            if (try? SetupPayload.parse(line.span)) != nil { accepted += 1 }
            let noise = numbers.bytes(Int.random(in: 0...40, using: &numbers))
            #expect((try? SetupPayload.parse(noise.span)) == nil)
        }
        #expect(accepted < 100)
    }
}

@Suite("Base38")
struct Base38Tests {
    @Test("§5.1.3 the public examples are written and read")
    func vectors() throws {
        for pair in TestVectors.load("setup_payload")["base38"]["encode"].array {
            let octets = pair.array[0].hex
            let text = pair.array[1].string
            #expect(SetupCodes.base38(octets) == text)
            #expect(try Self.decode(text) == octets)
        }
    }

    @Test("§5.1.3 overflow and foreign characters are refused")
    func refusals() {
        for text in TestVectors.load("setup_payload")["base38"]["reject"].array.map(\.string) {
            #expect(throws: SetupPayloadError.self, "\(text)") { try Self.decode(text) }
        }
    }

    @Test("a chunk has 2, 4 or 5 characters")
    func lengths() {
        #expect(
            (0...10).map { Base38.octetCount(characters: $0) }
                == [0, nil, 1, nil, 2, 3, nil, 4, nil, 5, 6])
        for octets in 0...20 {
            let characters = Base38.characterCount(octets: octets)
            #expect(Base38.octetCount(characters: characters) == octets)
        }
    }

    private static func decode(_ text: String) throws(SetupPayloadError) -> [UInt8] {
        let characters = Array(text.utf8)
        let count = Base38.octetCount(characters: characters.count) ?? 0
        var octets = [UInt8](repeating: 0, count: count)
        var span = octets.mutableSpan
        try Base38.decode(characters.span, 0..<characters.count, into: &span)
        return octets
    }
}

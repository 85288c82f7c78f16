import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("ManualCode")
struct ManualCodeTests {
    @Test("§5.1.4 every public code is read and written back")
    func vectors() throws {
        let vectors = TestVectors.load("setup_payload")["manual"].array
        #expect(vectors.count == 8)
        for vector in vectors {
            let code = vector["code"].string
            let payloads = try SetupCodes.parse(code)
            let payload = try #require(payloads.first)
            #expect(payloads.count == 1)
            #expect(payload.discriminator == .short(UInt8(vector["short_discriminator"].int)))
            #expect(SetupCodes.passcode(payload) == UInt32(vector["passcode"].int), "\(code)")
            let vendor = UInt16(vector.optional("vendor_id")?.int ?? 0)
            let product = UInt16(vector.optional("product_id")?.int ?? 0)
            #expect(payload.vendorID == (vendor == 0 ? nil : VendorID(vendor)))
            #expect(payload.productID == (product == 0 ? nil : ProductID(product)))
            #expect(payload.flow == (vector["vid_pid_present"].bool ? nil : .standard))
            #expect(payload.discoveryCapabilities == nil)
            #expect(SetupCodes.text(payload.manualCode()) == code)
            #expect(payload.qrText() == nil)
        }
    }

    @Test("§5.1.4 every public wrong code is refused for its own reason")
    func refusedVectors() {
        let reasons: [String: SetupPayloadError] = [
            "00852607537": .forbiddenPasscode,
            "23610875350": .forbiddenPasscode,
            "636108753500000000006": .forbiddenPasscode,
            "636108753500001000015": .forbiddenPasscode,
            "636108753545367145260": .forbiddenPasscode,
            "02684354589": .checkDigit,
            "23276800006": .forbiddenPasscode,
            "234567891234567856105": .digitCountMismatch(digits: 21),
            "127498753804": .digitCount(12),
            "24563": .digitCount(5),
            "1234567891234567856718": .digitCount(22),
            "4970112332": .digitCount(10),
        ]
        for vector in TestVectors.load("setup_payload")["manual_reject"].array {
            let code = vector["code"].string
            #expect(reasons[code] != nil)
            #expect(SetupCodes.refusal(code) == reasons[code], "\(vector["reason"].string)")
        }
    }

    @Test("what no device may have is refused for its own reason")
    func refusals() {
        #expect(SetupCodes.refusal(SetupCodes.manual("8497011233")) == .firstDigit(8))
        #expect(SetupCodes.refusal(SetupCodes.manual("9497011233")) == .firstDigit(9))
        #expect(
            SetupCodes.refusal(SetupCodes.manual("7497011233")) == .digitCountMismatch(digits: 11))
        #expect(SetupCodes.refusal(SetupCodes.manual("3655361233")) == .groupOverflow)
        #expect(SetupCodes.refusal(SetupCodes.manual("74970112336553600001")) == .groupOverflow)
        #expect(SetupCodes.refusal(SetupCodes.manual("74970112330000165536")) == .groupOverflow)
        #expect(SetupCodes.refusal(SetupCodes.manual("74970112336552500001")) == .vendorID(0xFFF5))
        #expect(SetupCodes.refusal(SetupCodes.manual("74970112330000100000")) == .productID)
        #expect(SetupCodes.refusal(SetupCodes.manual(passcode: 99_999_999)) == .forbiddenPasscode)
        #expect(SetupCodes.refusal(SetupCodes.manual("3655359999")) == .forbiddenPasscode)
        for passcode in TestVectors.load("setup_payload")["forbidden_passcodes"].array {
            let number = UInt32(passcode.string) ?? 1
            #expect(SetupCodes.refusal(SetupCodes.manual(passcode: number)) == .forbiddenPasscode)
        }
        #expect(SetupCodes.refusal(SetupCodes.manual(passcode: 99_999_998)) == nil)
    }

    @Test("blanks, dashes and the typographic ones between digits are passed over")
    func separators() throws {
        let expected = try SetupCodes.parse("34970112332")
        for code in [
            "3497-011-2332", " 3497 011 2332\r\n", "3497\u{2011}011\u{2013}2332",
            "3497\u{A0}0112332",
            "34970112332-", "3 4 9 7 0 1 1 2 3 3 2",
        ] {
            #expect(try SetupCodes.parse(code) == expected, "\(code)")
        }
        #expect(SetupCodes.refusal("3497-O11-2332") == .notADigit(at: 5))
        #expect(SetupCodes.refusal("3497.011.2332") == .notADigit(at: 4))
        #expect(SetupCodes.refusal("34970112332\u{E2}") == .notADigit(at: 11))
        #expect(SetupCodes.refusal("3497０112332") == .notADigit(at: 4))
    }

    @Test("a code of 21 digits may leave vendor and product open")
    func unnamed() throws {
        let code = SetupCodes.manual("74970112330000000000")
        let payload = try SetupCodes.parse(code)[0]
        #expect(payload.vendorID == nil)
        #expect(payload.productID == nil)
        #expect(payload.flow == nil)
        #expect(SetupCodes.text(payload.manualCode()) == code)
    }

    @Test("a leading zero belongs to the code")
    func leadingZero() throws {
        #expect(try SetupCodes.parse("00876800071")[0].discriminator == .short(0))
        #expect(SetupCodes.refusal("0876800071") == .digitCount(10))
    }

    @Test("every wrong digit and every swap of neighbours is noticed")
    func typingErrors() {
        for code in ["34970112332", "749701123365521327694"] {
            let digits = Array(code)
            for index in digits.indices {
                for other in "0123456789" where other != digits[index] {
                    var wrong = digits
                    wrong[index] = other
                    #expect(SetupCodes.refusal(String(wrong)) != nil)
                }
                guard index > 0, digits[index] != digits[index - 1] else { continue }
                var wrong = digits
                wrong.swapAt(index, index - 1)
                #expect(SetupCodes.refusal(String(wrong)) != nil)
            }
        }
    }

    @Test("every truncation and any random digits are refused or read, and never trap")
    func arbitraryDigits() {
        let code = "749701123365521327694"
        for count in 0..<code.count {
            #expect(SetupCodes.refusal(String(code.prefix(count))) != nil)
        }
        var numbers = SeededNumbers(seed: 2)
        for _ in 0..<5000 {
            let count = [10, 20].randomElement(using: &numbers) ?? 10
            let digits = (0..<count).map { _ in String(Int.random(in: 0...9, using: &numbers)) }
            let code = SetupCodes.manual(digits.joined())
            guard let payload = try? SetupCodes.parse(code).first else { continue }
            #expect(SetupCodes.text(payload.manualCode()) == code)
        }
    }
}

@Suite("Verhoeff")
struct VerhoeffTests {
    @Test("§5.1.4 exactly one digit fits, and `isValid` knows it")
    func checkDigit() {
        var numbers = SeededNumbers(seed: 3)
        for count in 1...24 {
            var digits = numbers.bytes(count).map { $0 % 10 }
            let check = Verhoeff.checkDigit(of: digits.span)
            for digit in 0...9 as ClosedRange<UInt8> {
                digits.append(digit)
                #expect(Verhoeff.isValid(digits.span) == (digit == check))
                digits.removeLast()
            }
        }
    }

    @Test("236 has the check digit 3, a published example")
    func published() {
        let digits: [UInt8] = [2, 3, 6]
        #expect(Verhoeff.checkDigit(of: digits.span) == 3)
    }
}

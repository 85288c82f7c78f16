internal import Crypto

/// The manual pairing code, 11 or 21 decimal digits. Core §5.1.4.
///
/// It is text from end to end: as a number it would lose its leading zeros.
enum ManualCode {
    private static let shortCount = 11
    /// With vendor and product.
    private static let longCount = 21

    /// - Parameter text: digits with blanks and dashes between them.
    static func parse(_ text: Span<UInt8>) throws(SetupPayloadError) -> SetupPayload {
        let count = try digitCount(text)
        guard count == shortCount || count == longCount else { throw .digitCount(count) }
        let digits = Secret(count: count) { digits in
            var written = 0
            for index in text.indices {
                guard let digit = digit(text[index]) else { continue }
                digits[written] = digit
                written += 1
            }
        }
        return try payload(digits.span)
    }

    /// 0 ... 9, or nil for what is no ASCII digit.
    static func digit(_ character: UInt8) -> UInt8? {
        let zero = UInt8(ascii: "0")
        return (zero...(zero + 9)).contains(character) ? character - zero : nil
    }

    /// - Throws: `notADigit` for anything but a digit, a blank or a dash.
    private static func digitCount(_ text: Span<UInt8>) throws(SetupPayloadError) -> Int {
        var count = 0
        var index = 0
        while index < text.count {
            let separator = separatorCount(text, at: index)
            if separator == 0 {
                guard digit(text[index]) != nil else { throw .notADigit(at: index) }
                count += 1
            }
            index += max(1, separator)
        }
        return count
    }

    /// Octets of the blank or dash at `index`, 0 when there is something else. The typographic
    /// ones come with text copied from a data sheet.
    private static func separatorCount(_ text: Span<UInt8>, at index: Int) -> Int {
        switch text[index] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "-"): return 1
        // U+00A0, the blank that does not break.
        case 0xC2: return index + 1 < text.count && text[index + 1] == 0xA0 ? 2 : 0
        // U+2010 ... U+2015, hyphens and dashes.
        case 0xE2:
            guard index + 2 < text.count, text[index + 1] == 0x80 else { return 0 }
            return (0x90...0x95).contains(text[index + 2]) ? 3 : 0
        default: return 0
        }
    }

    /// - Parameter digits: 11 or 21 values of 0 ... 9.
    private static func payload(_ digits: Span<UInt8>) throws(SetupPayloadError) -> SetupPayload {
        let first = digits[0]
        guard first <= 7 else { throw .firstDigit(first) }
        let isLong = first & 4 != 0
        guard digits.count == (isLong ? longCount : shortCount) else {
            throw .digitCountMismatch(digits: digits.count)
        }
        guard Verhoeff.isValid(digits) else { throw .checkDigit }

        let low = number(digits.extracting(1..<6))
        guard low <= 0xFFFF else { throw .groupOverflow }
        let high = number(digits.extracting(6..<10))
        let passcode = try Passcode.secret(high << 14 | low & 0x3FFF)
        let discriminator = Discriminator.short((first & 3) << 2 | UInt8(low >> 14))
        var vendorID: VendorID?
        var productID: ProductID?
        if isLong {
            let vendor = number(digits.extracting(10..<15))
            let product = number(digits.extracting(15..<20))
            guard vendor <= 0xFFFF, product <= 0xFFFF else { throw .groupOverflow }
            (vendorID, productID) = try SetupPayload.identity(
                vendor: UInt16(vendor), product: UInt16(product))
        }
        return SetupPayload(
            vendorID: vendorID, productID: productID, flow: isLong ? nil : .standard,
            discoveryCapabilities: nil, discriminator: discriminator, passcode: passcode)
    }

    static func text(of payload: SetupPayload) -> Secret {
        let isLong = payload.flow != .standard
        return Secret(count: isLong ? longCount : shortCount) { digits in
            let passcode = Passcode.value(of: payload.passcode)
            let short = payload.discriminator.short
            digits[0] = (isLong ? 4 : 0) | short >> 2
            put(UInt32(short & 3) << 14 | passcode & 0x3FFF, into: &digits, 1..<6)
            put(passcode >> 14, into: &digits, 6..<10)
            if isLong {
                put(UInt32(payload.vendorID?.rawValue ?? 0), into: &digits, 10..<15)
                put(UInt32(payload.productID?.rawValue ?? 0), into: &digits, 15..<20)
            }
            let last = digits.count - 1
            digits[last] = Verhoeff.checkDigit(of: digits.span.extracting(0..<last))
            for index in 0...last { digits[index] += UInt8(ascii: "0") }
        }
    }

    private static func number(_ digits: Span<UInt8>) -> UInt32 {
        var number: UInt32 = 0
        for index in digits.indices { number = number * 10 + UInt32(digits[index]) }
        return number
    }

    private static func put(
        _ number: UInt32, into digits: inout MutableSpan<UInt8>, _ range: Range<Int>
    ) {
        var number = number
        for index in range.reversed() {
            digits[index] = UInt8(number % 10)
            number /= 10
        }
    }
}

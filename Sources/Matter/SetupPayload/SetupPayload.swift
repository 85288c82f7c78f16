package import Crypto

/// What a device's label tells a commissioner. Core §5.1.
///
/// Scope: the QR text and the manual pairing code, read and written. Not scope: other labels that
/// an installer may scan, drawing a QR symbol, and the queue of devices to commission.
package struct SetupPayload: Sendable, Equatable {
    /// Nil when the code does not name its vendor.
    package let vendorID: VendorID?
    /// Nil when the code does not name its product.
    package let productID: ProductID?
    /// Nil for a manual code of 21 digits: it says that the flow may not be the standard one,
    /// not which it is (Core §5.1.4).
    package let flow: CommissioningFlow?
    /// Nil for a manual code, which leaves it open.
    package let discoveryCapabilities: DiscoveryCapabilities?
    package let discriminator: Discriminator
    /// The passcode as 4 octets, least significant first, as SPAKE2+ wants it.
    package let passcode: Secret
    /// What follows the fixed part of a QR code; empty for a manual code.
    package let details: SetupDetails

    /// - Parameters:
    ///   - discriminator: of at most 12 bits when long, of at most 4 when short.
    ///   - passcode: 4 octets that `Passcode.isAllowed`.
    package init(
        vendorID: VendorID?, productID: ProductID?, flow: CommissioningFlow?,
        discoveryCapabilities: DiscoveryCapabilities?, discriminator: Discriminator,
        passcode: Secret, details: SetupDetails = SetupDetails()
    ) {
        precondition(discriminator.isInRange, "a discriminator has 12 bits, a short one 4")
        precondition(
            passcode.count == 4 && Passcode.isAllowed(Passcode.value(of: passcode)),
            "a passcode of a device is one that the specification allows")
        self.vendorID = vendorID
        self.productID = productID
        self.flow = flow
        self.discoveryCapabilities = discoveryCapabilities
        self.discriminator = discriminator
        self.passcode = passcode
        self.details = details
    }

    /// Reads one line as a person typed it or a scanner sent it.
    ///
    /// Ignored around the code: blanks and control characters, and a scanner's symbology mark
    /// (`]Q1`). Letters of a QR text may be of either case, since a keyboard scanner with caps
    /// lock on turns them and Base38 has but one case. A manual code may have blanks and dashes
    /// between its digits.
    /// - Returns: one payload, or several from a QR code that joins them, in their order. A line
    ///   is taken as a whole: with one wrong payload none is returned.
    package static func parse(_ line: Span<UInt8>) throws(SetupPayloadError) -> [SetupPayload] {
        let text = trimmed(line)
        guard let first = text.isEmpty ? nil : text[0] else { throw .empty }
        guard text.count <= Limits.setupCharacters else { throw .tooLong(characters: text.count) }
        if QRCode.hasPrefix(text) { return try QRCode.parse(text) }
        guard ManualCode.digit(first) != nil else { throw .unrecognised }
        return [try ManualCode.parse(text)]
    }

    /// `MT:` and the payload in Base38, as ASCII. It holds the passcode.
    /// - Returns: nil when only the upper 4 bits of the discriminator are known.
    package func qrText() -> Secret? { QRCode.text(of: self) }

    /// 11 digits, or 21 when the flow is not known to be the standard one, as ASCII without
    /// blanks or dashes. It holds the passcode.
    package func manualCode() -> Secret { ManualCode.text(of: self) }

    /// Whether both codes can be of one device: the manual code beside a QR code, or a code that
    /// was scanned twice.
    package func canBeSameDevice(as other: SetupPayload) -> Bool {
        passcode == other.passcode && discriminator.agrees(with: other.discriminator)
    }

    @_lifetime(copy line)
    private static func trimmed(_ line: Span<UInt8>) -> Span<UInt8> {
        var start = 0
        var end = line.count
        while start < end, isNoise(line[start]) { start += 1 }
        while end > start, isNoise(line[end - 1]) { end -= 1 }
        // ISO/IEC 15424: a bracket, a letter for the symbology and a modifier.
        if end - start > 3, line[start] == UInt8(ascii: "]") { start += 3 }
        return line.extracting(start..<end)
    }

    private static func isNoise(_ character: UInt8) -> Bool {
        character <= 0x20 || character == 0x7F
    }
}

/// What a person must do before the device can be commissioned. Core §5.1.1.
package struct CommissioningFlow: RawRepresentable, Hashable, Sendable {
    /// 2 bits; 3 is reserved.
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Nothing: the device is ready once it has power.
    package static let standard = CommissioningFlow(rawValue: 0)
    /// Something at the device itself, such as pressing its button.
    package static let userAction = CommissioningFlow(rawValue: 1)
    /// Something that the maker describes, perhaps with the maker's own app.
    package static let custom = CommissioningFlow(rawValue: 2)
}

/// Where a device can be found before it is commissioned. Core §5.1.1; unknown bits are kept.
package struct DiscoveryCapabilities: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let softAP = DiscoveryCapabilities(rawValue: 1 << 0)
    package static let ble = DiscoveryCapabilities(rawValue: 1 << 1)
    package static let onNetwork = DiscoveryCapabilities(rawValue: 1 << 2)
    package static let wiFiPAF = DiscoveryCapabilities(rawValue: 1 << 3)
    package static let nfc = DiscoveryCapabilities(rawValue: 1 << 4)
}

/// Tells devices apart while they wait to be commissioned. Core §5.1.1.
package enum Discriminator: Hashable, Sendable {
    /// 12 bits.
    case long(UInt16)
    /// The upper 4 of the 12 bits: all that a manual code carries.
    case short(UInt8)

    /// The upper 4 bits.
    package var short: UInt8 {
        switch self {
        case .long(let value): UInt8(truncatingIfNeeded: value >> 8)
        case .short(let value): value
        }
    }

    /// Whether both can be one device's: equal as far as both are known.
    package func agrees(with other: Discriminator) -> Bool {
        if case .long(let left) = self, case .long(let right) = other { return left == right }
        return short == other.short
    }

    fileprivate var isInRange: Bool {
        switch self {
        case .long(let value): value <= 0xFFF
        case .short(let value): value <= 0xF
        }
    }
}

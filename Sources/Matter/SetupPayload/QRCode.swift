internal import Crypto

/// The text of a QR code: `MT:`, then one payload or several joined by `*`. Core §5.1.3.
enum QRCode {
    private static let prefix: InlineArray<3, UInt8> = [
        UInt8(ascii: "M"), UInt8(ascii: "T"), UInt8(ascii: ":"),
    ]
    private static let separator = UInt8(ascii: "*")
    /// The fixed part: 88 bits, Core §5.1.3.
    private static let octetCount = 11

    /// Whether `text` starts with `MT:`, of either case.
    static func hasPrefix(_ text: Span<UInt8>) -> Bool {
        guard text.count >= prefix.count else { return false }
        for index in 0..<prefix.count {
            let letter = text[index]
            let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
            guard prefix[index] == (isLower ? letter - 0x20 : letter) else { return false }
        }
        return true
    }

    /// - Parameter text: trimmed, and with the prefix.
    static func parse(_ text: Span<UInt8>) throws(SetupPayloadError) -> [SetupPayload] {
        var payloads: [SetupPayload] = []
        var start = prefix.count
        while start <= text.count {
            var end = start
            while end < text.count, text[end] != separator { end += 1 }
            let payload = try payload(text, start..<end)
            guard !payloads.contains(payload) else { throw .duplicate(at: start) }
            payloads.append(payload)
            start = end + 1
        }
        return payloads
    }

    private static func payload(
        _ text: Span<UInt8>, _ range: Range<Int>
    ) throws(SetupPayloadError) -> SetupPayload {
        guard !range.isEmpty else { throw .emptyPayload(at: range.lowerBound) }
        guard let count = Base38.octetCount(characters: range.count) else {
            throw .chunkLength(characters: range.count)
        }
        guard count >= octetCount else { throw .tooShort(characters: range.count) }
        let octets = try Secret(count: count) { octets throws(SetupPayloadError) in
            try Base38.decode(text, range, into: &octets)
        }
        return try payload(octets.span)
    }

    /// - Parameter octets: the fixed part and what follows it. Bits are counted from the least
    ///   significant of the first octet.
    private static func payload(_ octets: Span<UInt8>) throws(SetupPayloadError) -> SetupPayload {
        var low: UInt64 = 0
        for index in 0..<8 { low |= UInt64(octets[index]) << UInt64(8 * index) }
        var high: UInt32 = 0
        for index in 0..<3 { high |= UInt32(octets[8 + index]) << UInt32(8 * index) }

        let version = UInt8(low & 7)
        guard version == 0 else { throw .unknownVersion(version) }
        guard high >> 20 == 0 else { throw .padding }
        let passcode = UInt32(low >> 57) | (high & 0xF_FFFF) << 7
        let (vendorID, productID) = try SetupPayload.identity(
            vendor: UInt16(low >> 3 & 0xFFFF), product: UInt16(low >> 19 & 0xFFFF))
        return SetupPayload(
            vendorID: vendorID, productID: productID,
            flow: CommissioningFlow(rawValue: UInt8(low >> 35 & 3)),
            discoveryCapabilities: DiscoveryCapabilities(rawValue: UInt8(low >> 37 & 0xFF)),
            discriminator: .long(UInt16(low >> 45 & 0xFFF)),
            passcode: try Passcode.secret(passcode),
            details: SetupDetails(tlv: octets.extracting(octetCount..<octets.count)))
    }

    static func text(of payload: SetupPayload) -> Secret? {
        guard case .long(let discriminator) = payload.discriminator else { return nil }
        let details = payload.details.tlv
        let octets = Secret(count: octetCount + details.count) { octets in
            let passcode = Passcode.value(of: payload.passcode)
            var low = UInt64(payload.vendorID?.rawValue ?? 0) << 3
            low |= UInt64(payload.productID?.rawValue ?? 0) << 19
            low |= UInt64((payload.flow ?? .standard).rawValue & 3) << 35
            low |= UInt64(payload.discoveryCapabilities?.rawValue ?? 0) << 37
            low |= UInt64(discriminator) << 45
            low |= UInt64(passcode) << 57
            let high = passcode >> 7
            for index in 0..<8 {
                octets[index] = UInt8(truncatingIfNeeded: low >> UInt64(8 * index))
            }
            for index in 0..<3 {
                octets[8 + index] = UInt8(truncatingIfNeeded: high >> UInt32(8 * index))
            }
            for index in details.indices { octets[octetCount + index] = details[index] }
        }
        let count = prefix.count + Base38.characterCount(octets: octets.count)
        return Secret(count: count) { text in
            for index in 0..<prefix.count { text[index] = prefix[index] }
            Base38.encode(octets.span, into: &text, at: prefix.count)
        }
    }
}

/// Why a line is no setup payload. `problem` and `remedy` say it to the person who scanned it.
///
/// Offsets and counts are those of characters in the trimmed line. No case carries a passcode.
package enum SetupPayloadError: Error, Hashable, Sendable {
    /// Nothing but blanks.
    case empty
    /// More than `Limits.setupCharacters`.
    case tooLong(characters: Int)
    /// Neither the `MT:` of a QR text nor the digits of a manual code.
    case unrecognised

    // Core §5.1.3, QR code.

    /// Nothing after `MT:`, or before or after a `*`.
    case emptyPayload(at: Int)
    /// A character outside the alphabet of Base38.
    case character(at: Int)
    /// A payload whose last chunk has 1 or 3 characters.
    case chunkLength(characters: Int)
    /// A chunk that stands for more than its octets can hold.
    case chunkOverflow(at: Int)
    /// Less than the 88 bits of the fixed part.
    case tooShort(characters: Int)
    /// A version other than 0.
    case unknownVersion(UInt8)
    /// Bits set that are to be zero.
    case padding
    /// The payload that starts here stands in the same code already.
    case duplicate(at: Int)

    // Core §5.1.4, manual code.

    case notADigit(at: Int)
    /// Neither 11 nor 21 digits.
    case digitCount(Int)
    /// 8 or 9 in the first place.
    case firstDigit(UInt8)
    /// 11 digits where the first one says 21, or the reverse.
    case digitCountMismatch(digits: Int)
    case checkDigit
    /// A group of five digits above 65535.
    case groupOverflow

    // Both.

    /// A passcode that no device may have, Core §5.1.7.1.
    case forbiddenPasscode
    /// A vendor id above 0xFFF4.
    case vendorID(UInt16)
    /// A vendor without a product.
    case productID
}

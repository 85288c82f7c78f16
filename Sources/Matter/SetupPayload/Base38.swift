/// Octets as characters that a QR symbol stores densely. Core §5.1.3.
///
/// Up to 3 octets are one chunk: a little-endian number written with its least significant
/// character first.
package enum Base38 {
    /// Octets that so many characters stand for; nil when the last chunk has 1 or 3 characters.
    package static func octetCount(characters: Int) -> Int? {
        switch characters % 5 {
        case 0: characters / 5 * 3
        case 2: characters / 5 * 3 + 1
        case 4: characters / 5 * 3 + 2
        default: nil
        }
    }

    package static func characterCount(octets: Int) -> Int {
        octets / 3 * 5 + octets % 3 * 2
    }

    /// Reads letters of either case.
    /// - Parameter octets: as many as `octetCount` gave for the range.
    /// - Throws: `character` or `chunkOverflow`, with offsets in `text`.
    package static func decode(
        _ text: Span<UInt8>, _ range: Range<Int>, into octets: inout MutableSpan<UInt8>
    ) throws(SetupPayloadError) {
        precondition(octetCount(characters: range.count) == octets.count, "room for all octets")
        var start = range.lowerBound
        var written = 0
        while start < range.upperBound {
            let end = min(start + 5, range.upperBound)
            let width = min(3, octets.count - written)
            var chunk: UInt32 = 0
            for index in (start..<end).reversed() {
                guard let digit = digit(text[index]) else { throw .character(at: index) }
                chunk = chunk * 38 + digit
            }
            guard chunk < 1 << UInt32(8 * width) else { throw .chunkOverflow(at: start) }
            for index in 0..<width {
                octets[written + index] = UInt8(truncatingIfNeeded: chunk >> UInt32(8 * index))
            }
            written += width
            start = end
        }
    }

    /// - Parameter text: room for `characterCount` after `offset`.
    package static func encode(
        _ octets: Span<UInt8>, into text: inout MutableSpan<UInt8>, at offset: Int
    ) {
        var read = 0
        var written = offset
        while read < octets.count {
            let width = min(3, octets.count - read)
            var chunk: UInt32 = 0
            for index in 0..<width { chunk |= UInt32(octets[read + index]) << UInt32(8 * index) }
            for _ in 0..<characterCount(octets: width) {
                text[written] = character(UInt8(chunk % 38))
                chunk /= 38
                written += 1
            }
            read += width
        }
    }

    private static func digit(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A")) + 10
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "-"): 36
        case UInt8(ascii: "."): 37
        default: nil
        }
    }

    private static func character(_ digit: UInt8) -> UInt8 {
        switch digit {
        case 0...9: UInt8(ascii: "0") + digit
        case 10...35: UInt8(ascii: "A") + digit - 10
        case 36: UInt8(ascii: "-")
        default: UInt8(ascii: ".")
        }
    }
}

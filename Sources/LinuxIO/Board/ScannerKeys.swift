internal import CLinux

/// From the keys of a scanner that is a keyboard to the octets that it means.
///
/// Such scanners type like a person at a keyboard of the United States, and caps lock is nothing
/// to them. Scope: keys. Not scope: lines.
struct ScannerKeys {
    private var held: Set<UInt16> = []

    /// Of one key that was pressed, released or is held (`clinux_key`).
    /// - Returns: nothing when it means no character.
    mutating func receive(_ key: clinux_key) -> [UInt8] {
        if key.code == UInt16(CLINUX_KEYS_LOST) {
            held = []
            return Self.gap
        }
        if Self.modifiers.contains(key.code) {
            if key.value == Self.released { held.remove(key.code) } else { held.insert(key.code) }
            return []
        }
        // A scanner holds no key; one that seems held has stopped in the middle.
        guard key.value == Self.pressed, held.isSubset(of: Self.shifts) else { return [] }
        let keys = held.isEmpty ? Self.plain : Self.shifted
        if Int(key.code) < keys.count {
            let octet = keys[Int(key.code)]
            return octet == Self.none ? [] : [octet]
        }
        return Self.others[key.code].map { [$0] } ?? []
    }

    /// The keyboard has gone, and whatever was held with it.
    mutating func reset() { held = [] }

    private static let released: Int32 = 0
    private static let pressed: Int32 = 1
    /// In the tables, a key that means no character.
    private static let none: UInt8 = 0

    private static let shifts: Set<UInt16> = [42, 54]
    /// With control and alt on both sides, of which nothing means a character.
    private static let modifiers: Set<UInt16> = [42, 54, 29, 97, 56, 100]

    /// Stands in the line for keys that were lost: no text, so that the line is refused.
    private static let gap: [UInt8] = [UInt8(ascii: "?"), 0x1A]

    // linux/input-event-codes.h: 2 is KEY_1, 16 KEY_Q, 30 KEY_A, 44 KEY_Z, 57 KEY_SPACE.
    private static let plain = Array(
        "\0\01234567890-=\0\tqwertyuiop[]\n\0asdfghjkl;'`\0\\zxcvbnm,./\0*\0 ".utf8)
    private static let shifted = Array(
        "\0\0!@#$%^&*()_+\0\tQWERTYUIOP{}\n\0ASDFGHJKL:\"~\0|ZXCVBNM<>?\0*\0 ".utf8)

    /// The keys of the number pad, and the one beside the left shift.
    private static let others: [UInt16: UInt8] = [
        71: UInt8(ascii: "7"), 72: UInt8(ascii: "8"), 73: UInt8(ascii: "9"),
        74: UInt8(ascii: "-"), 75: UInt8(ascii: "4"), 76: UInt8(ascii: "5"),
        77: UInt8(ascii: "6"), 78: UInt8(ascii: "+"), 79: UInt8(ascii: "1"),
        80: UInt8(ascii: "2"), 81: UInt8(ascii: "3"), 82: UInt8(ascii: "0"),
        83: UInt8(ascii: "."), 86: UInt8(ascii: "\\"), 96: 0x0A, 98: UInt8(ascii: "/"),
    ]
}

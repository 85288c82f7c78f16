/// What a terminal sends for keys, octet by octet. Arrows come as a VT100 sends them, in either of
/// its modes (ESC [ A, ESC O A), however they are cut.
struct DashboardKeys: Sendable {
    enum Key: Equatable, Sendable {
        case up, down, pageUp, pageDown, toggle, identify, help, redraw, quit
    }

    private enum State: Sendable {
        case plain, escape
        /// - Parameter digits: of the parameters, as many as have a meaning.
        case sequence(digits: [UInt8])
    }

    private var state = State.plain

    /// - Returns: nil for a key without a meaning, and within a sequence.
    mutating func receive(_ octet: UInt8) -> Key? {
        switch state {
        case .plain: return plain(octet)
        case .escape:
            state = .plain
            guard octet == UInt8(ascii: "[") || octet == UInt8(ascii: "O") else {
                return plain(octet)
            }
            state = .sequence(digits: [])
        case .sequence(let digits):
            if (0x40...0x7E).contains(octet) {
                state = .plain
                return Self.key(digits, final: octet)
            }
            // One that is broken off by a control ends there.
            guard octet >= 0x20 else {
                state = .plain
                return plain(octet)
            }
            if digits.count < 2 { state = .sequence(digits: digits + [octet]) }
        }
        return nil
    }

    private mutating func plain(_ octet: UInt8) -> Key? {
        guard octet == Self.escape else { return Self.key(octet) }
        state = .escape
        return nil
    }

    private static func key(_ digits: [UInt8], final octet: UInt8) -> Key? {
        switch octet {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "~") where digits == [UInt8(ascii: "5")]: .pageUp
        case UInt8(ascii: "~") where digits == [UInt8(ascii: "6")]: .pageDown
        default: nil
        }
    }

    private static func key(_ octet: UInt8) -> Key? {
        switch octet {
        case UInt8(ascii: "k"): .up
        case UInt8(ascii: "j"): .down
        case UInt8(ascii: "b"): .pageUp
        case UInt8(ascii: "f"): .pageDown
        case UInt8(ascii: "t"), UInt8(ascii: " "), 0x0A, 0x0D: .toggle
        case UInt8(ascii: "i"): .identify
        case UInt8(ascii: "h"), UInt8(ascii: "?"): .help
        case formFeed: .redraw
        // A serial line has no signals: Control-C and Control-D are keys there.
        case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x03, 0x04: .quit
        default: nil
        }
    }

    private static let escape: UInt8 = 0x1B
    /// Control-L.
    private static let formFeed: UInt8 = 0x0C
}

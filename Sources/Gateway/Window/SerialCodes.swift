package import Crypto

/// From the octets of a scanner, a pipe or a terminal to lines.
///
/// A line ends in CR, LF or both; empty ones are nothing. What may be a setup code is kept in
/// memory that is wiped. Scope: lines. Not scope: what they say (`InstallerLine`).
package struct SerialCodes: Sendable {
    package enum Event: Equatable, Sendable {
        /// Without its end; not empty.
        case line(Secret)
        case dropped(Fault)
    }

    package enum Fault: Equatable, Sendable {
        /// More octets than any code has.
        case tooLong
        /// Control characters inside, or no UTF-8: a scanner that is set wrongly, or noise.
        case binary
        /// Lines came faster than they were taken.
        case tooMany
    }

    /// Its first `count` octets are the line so far; the room never moves.
    private var line = [UInt8](repeating: 0, count: WindowLimits.lineBytes)
    private var count = 0
    private var isTooLong = false
    private var events: [Event] = []

    package init() {}

    package mutating func receive(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            let octet = bytes[index]
            if octet == Self.carriageReturn || octet == Self.lineFeed {
                end()
            } else if count == line.count {
                isTooLong = true
            } else {
                line[count] = octet
                count += 1
            }
        }
    }

    /// The line ends here, also where the input does.
    package mutating func end() {
        defer { wipe() }
        guard !isTooLong else { return add(.dropped(.tooLong)) }
        var start = 0
        var end = count
        // Scanners frame lines with STX and ETX, and people with blanks.
        while start < end, Self.isNoise(line[start]) { start += 1 }
        while end > start, Self.isNoise(line[end - 1]) { end -= 1 }
        guard start < end else { return }
        let isText = line[start..<end].allSatisfy { $0 == Self.tab || !Self.isControl($0) }
        let text = Secret(line.span.extracting(start..<end))
        let isUTF8 = Self.isUTF8(text.span)
        add(isText && isUTF8 ? .line(text) : .dropped(.binary))
    }

    package mutating func nextEvent() -> Event? {
        events.isEmpty ? nil : events.removeFirst()
    }

    private mutating func add(_ event: Event) {
        if events.count < WindowLimits.inputEvents - 1 {
            events.append(event)
        } else if events.last != .dropped(.tooMany) {
            events.append(.dropped(.tooMany))
        }
    }

    private mutating func wipe() {
        for index in 0..<count { line[index] = 0 }
        count = 0
        isTooLong = false
    }

    private static func isControl(_ octet: UInt8) -> Bool { octet < 0x20 || octet == 0x7F }
    private static func isNoise(_ octet: UInt8) -> Bool { octet == 0x20 || isControl(octet) }

    /// RFC 3629 §4, without making a string of it.
    private static func isUTF8(_ text: Span<UInt8>) -> Bool {
        var index = 0
        while index < text.count {
            let first = text[index]
            let following: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch first {
            case 0x00...0x7F: following = 0
            case 0xC2...0xDF: following = 1
            case 0xE0...0xEF:
                following = 2
                if first == 0xE0 { second = 0xA0...0xBF }
                if first == 0xED { second = 0x80...0x9F }
            case 0xF0...0xF4:
                following = 3
                if first == 0xF0 { second = 0x90...0xBF }
                if first == 0xF4 { second = 0x80...0x8F }
            default: return false
            }
            guard index + following < text.count else { return false }
            for place in 0..<following {
                let allowed = place == 0 ? second : 0x80...0xBF
                guard allowed.contains(text[index + 1 + place]) else { return false }
            }
            index += 1 + following
        }
        return true
    }

    private static let carriageReturn: UInt8 = 0x0D
    private static let lineFeed: UInt8 = 0x0A
    private static let tab: UInt8 = 0x09
}

internal import Base

/// A date, in seconds since 2000-01-01T00:00:00Z, the epoch of Core §7.19.2.3 (epoch-s).
///
/// On the wire it is 32 bits wide; dates of X.509 reach further, to the end of the year 9999.
package struct MatterTime: Hashable, Comparable, Sendable {
    package let seconds: Int64

    package init(secondsSince2000 seconds: Int64) {
        self.seconds = seconds
    }

    package init(unixSeconds: Int64) {
        self.seconds = unixSeconds - Self.unixEpochOffset
    }

    package var unixSeconds: Int64 { seconds + Self.unixEpochOffset }

    /// 9999-12-31T23:59:59Z: a certificate without an end, RFC 5280 §4.1.2.5.
    package static let noExpiry = MatterTime(secondsSince2000: 252_455_615_999)

    package static func < (left: MatterTime, right: MatterTime) -> Bool {
        left.seconds < right.seconds
    }

    /// Seconds between 1970-01-01 and 2000-01-01.
    private static let unixEpochOffset: Int64 = 946_684_800
}

/// The days between two dates on which a certificate may be used, both included.
package struct Validity: Hashable, Sendable {
    package let notBefore: MatterTime
    package let notAfter: MatterTime

    package init(notBefore: MatterTime, notAfter: MatterTime) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    package func contains(_ time: MatterTime) -> Bool { notBefore <= time && time <= notAfter }
}

extension MatterTime {
    /// Reads a UTCTime (years 1950 ... 2049) or a GeneralizedTime, both in seconds and UTC as
    /// RFC 5280 §4.1.2.5 demands.
    package init(_ element: borrowing DERElement) throws(DERError) {
        let text = element.content
        let yearDigits: Int
        switch element.tag {
        case .utcTime where text.count == 13: yearDigits = 2
        case .generalizedTime where text.count == 15: yearDigits = 4
        default: throw .invalidValue(at: element.offset)
        }
        guard text[text.count - 1] == UInt8(ascii: "Z"),
            let time = MatterTime(
                digits: text.extracting(0..<(text.count - 1)), yearDigits: yearDigits)
        else { throw .invalidValue(at: element.offset) }
        self = time
    }

    /// - Parameters:
    ///   - text: year, month, day, hour, minute and second, all but the year in two digits.
    ///   - yearDigits: 4, or 2 for the years 1950 ... 2049.
    /// - Returns: nil for what is no date.
    init?(digits text: Span<UInt8>, yearDigits: Int) {
        guard text.count == yearDigits + 10,
            var year = Self.number(text.extracting(0..<yearDigits))
        else { return nil }
        if yearDigits == 2 { year += year < 50 ? 2000 : 1900 }
        var parts = InlineArray<5, Int>(repeating: 0)
        for index in 0..<5 {
            let start = yearDigits + 2 * index
            guard let part = Self.number(text.extracting(start..<(start + 2))) else { return nil }
            parts[index] = part
        }
        guard let seconds = Self.seconds(year: year, parts) else { return nil }
        self.seconds = seconds
    }

    /// UTCTime up to 2049, GeneralizedTime from 2050.
    package func encode(to writer: inout DERWriter) {
        let rest = Int((seconds % 86_400 + 86_400) % 86_400)
        let (year, month, day) = Self.civil(days: Int((seconds - Int64(rest)) / 86_400))
        let isShort = year >= 1950 && year < 2050
        let start = writer.open(isShort ? .utcTime : .generalizedTime)
        if !isShort { Self.append(year / 100, to: &writer) }
        Self.append(year % 100, to: &writer)
        Self.append(month, to: &writer)
        Self.append(day, to: &writer)
        Self.append(rest / 3600, to: &writer)
        Self.append(rest / 60 % 60, to: &writer)
        Self.append(rest % 60, to: &writer)
        writer.octet(UInt8(ascii: "Z"))
        writer.close(start)
    }

    private static func append(_ number: Int, to writer: inout DERWriter) {
        writer.octet(UInt8(ascii: "0") + UInt8(number / 10))
        writer.octet(UInt8(ascii: "0") + UInt8(number % 10))
    }

    private static func number(_ digits: Span<UInt8>) -> Int? {
        var value = 0
        for index in digits.indices {
            guard digits[index] >= 0x30, digits[index] <= 0x39 else { return nil }
            value = value * 10 + Int(digits[index] - 0x30)
        }
        return value
    }

    /// - Parameter parts: month, day, hour, minute, second.
    /// - Returns: nil where the calendar has no such moment.
    private static func seconds(year: Int, _ parts: InlineArray<5, Int>) -> Int64? {
        guard (1...12).contains(parts[0]), parts[1] >= 1, parts[2] < 24, parts[3] < 60,
            parts[4] < 60
        else { return nil }
        let days = days(year: year, month: parts[0], day: parts[1])
        // A day beyond the month's last is the next month's, and comes back as such.
        guard civil(days: days) == (year, parts[0], parts[1]) else { return nil }
        return Int64(days) * 86_400 + Int64(parts[2] * 3600 + parts[3] * 60 + parts[4])
    }

    /// Days from 2000-01-01 in the Gregorian calendar. A year is taken to begin in March, so that
    /// the leap day is its last; 400 years have 146,097 days.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? month - 3 : month + 9
        let marchYear = month > 2 ? year : year - 1
        let leaps =
            floorDivide(marchYear, 4) - floorDivide(marchYear, 100)
            + floorDivide(marchYear, 400)
        return marchYear * 365 + leaps + (shifted * 153 + 2) / 5 + day - 1 - daysBefore2000
    }

    private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let count = days + daysBefore2000
        let era = floorDivide(count, 146_097)
        let dayOfEra = count - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (dayOfYear * 5 + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (shifted * 153 + 2) / 5 + 1)
    }

    private static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
        (value - (value < 0 ? divisor - 1 : 0)) / divisor
    }

    /// From 0000-03-01 to 2000-01-01.
    private static let daysBefore2000 = 730_425
}

/// A moment as people say it: so long ago, or a date in universal time.
package enum HistoryTime: Equatable, Sendable {
    case ago(seconds: Int64)
    /// Seconds since 1970.
    case date(Int64)

    /// - Parameter text: `30m`, `24h`, `7d`, `2w`, `2026-11-01` or `2026-11-01T14:05`.
    package init?(_ text: String) {
        let letters = Array(text.utf8)
        if let unit = letters.last.flatMap(Self.unit), let count = Self.number(letters.dropLast()),
            count > 0, Int64(count) * unit <= Self.longest
        {
            self = .ago(seconds: Int64(count) * unit)
        } else if let date = Self.date(letters) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// - Parameter now: seconds since 1970.
    package func seconds(at now: Int64) -> Int64 {
        switch self {
        case .ago(let seconds): now - seconds
        case .date(let date): date
        }
    }

    /// Ten years: nothing is kept for longer.
    private static let longest: Int64 = 10 * 366 * 86_400

    private static func unit(_ letter: UInt8) -> Int64? {
        switch letter {
        case UInt8(ascii: "m"): 60
        case UInt8(ascii: "h"): 3600
        case UInt8(ascii: "d"): 86_400
        case UInt8(ascii: "w"): 7 * 86_400
        default: nil
        }
    }

    private static func date(_ letters: [UInt8]) -> Int64? {
        guard letters.count == 10 || letters.count == 16,
            letters[4] == UInt8(ascii: "-"), letters[7] == UInt8(ascii: "-"),
            let year = number(letters[0..<4]), let month = number(letters[5..<7]),
            let day = number(letters[8..<10]), year >= 1970, (1...12).contains(month),
            (1...daysOf(month, year)).contains(day)
        else { return nil }
        let date = Int64(days(year, month, day)) * 86_400
        guard letters.count == 16 else { return date }
        guard letters[10] == UInt8(ascii: "T"), letters[13] == UInt8(ascii: ":"),
            let hour = number(letters[11..<13]), let minute = number(letters[14..<16]),
            hour < 24, minute < 60
        else { return nil }
        return date + Int64(hour * 3600 + minute * 60)
    }

    private static func number(_ letters: ArraySlice<UInt8>) -> Int? {
        Words.number(Array(letters))
    }

    private static func daysOf(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Since 1970 in the Gregorian calendar, of years that begin on 1 March.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month > 2 ? year : year - 1
        let months = (month + 9) % 12
        return years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day
            - 719_469
    }
}

/// What of a device's history is asked.
package struct HistoryQuestion: Equatable, Sendable {
    /// As typed; nil is all there is.
    package var quantity: String?
    package var since = HistoryTime.ago(seconds: 86_400)
    /// Nil is now.
    package var until: HistoryTime?
    package var isCSV = false

    package init() {}
}

/// Dates for people and documents, in universal time: a gateway's time zone is nobody's.
enum UTCText {
    /// `2025-11-30`.
    static func day(_ seconds: Int64) -> String {
        let (year, month, day) = date(seconds)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// `2025-11-30T19:14:05Z`, RFC 3339.
    static func instant(_ seconds: Int64) -> String {
        let second = Int(seconds - daysBefore(seconds) * 86400)
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }
        return "\(day(seconds))T\(time.joined(separator: ":"))Z"
    }

    /// `2025-11-30 19:14`
    static func minute(_ seconds: Int64) -> String {
        let minute = Int(seconds - daysBefore(seconds) * 86400) / 60
        return "\(day(seconds)) \(padded(minute / 60, 2)):\(padded(minute % 60, 2))"
    }

    private static func daysBefore(_ seconds: Int64) -> Int64 {
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86400)
        return rest < 0 ? days - 1 : days
    }

    /// The Gregorian calendar, by whole cycles of 400 years that begin on 1 March.
    private static func date(_ seconds: Int64) -> (year: Int, month: Int, day: Int) {
        let days = Int(daysBefore(seconds)) + 719_468
        let cycle = days >= 0 ? days / 146_097 : (days - 146_096) / 146_097
        let dayOfCycle = days - cycle * 146_097
        let yearOfCycle =
            (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

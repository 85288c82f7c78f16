internal import Matter
internal import MatterNode

/// What was read of one source in a stretch of time, in its own words and units.
struct HistorySeries {
    let source: ReadingSource
    /// Milliseconds since 1970.
    let range: Range<Int64>
    let points: [HistoryPoint]

    var name: String { Self.name(of: source) }

    /// As people call it: `temperature`; by its number where there is no word.
    static func name(of source: ReadingSource) -> String {
        if let kept = KeptAttribute.of(source.cluster, source.attribute) { return kept.word }
        return "\(NumberText.hexadecimal(source.cluster.rawValue, digits: 4))/"
            + NumberText.hexadecimal(source.attribute.rawValue, digits: 4)
    }

    /// Nil for numbers without a unit.
    var quantity: Quantity? {
        switch KeptAttribute.of(source.cluster, source.attribute)?.meaning {
        case .number(let quantity): quantity
        case .halfPercent: Quantity("%", decimals: 1)
        case .flag, .code, nil: nil
        }
    }

    var unit: String { quantity?.unit ?? "" }

    /// A stored value in the last digit of the quantity.
    func scaled(_ value: Int64) -> Int64 {
        guard KeptAttribute.of(source.cluster, source.attribute)?.meaning == .halfPercent else {
            return value
        }
        return value * 5
    }

    /// The number alone, with its point.
    func number(_ value: Int64) -> String {
        quantity?.number(scaled(value)) ?? String(value)
    }

    /// With its unit, or the word for it.
    func text(_ value: Int64) -> String {
        if case .flag(let off, let on)? =
            KeptAttribute.of(source.cluster, source.attribute)?.meaning
        {
            return value == 0 ? off : on
        }
        return quantity?.text(scaled(value)) ?? String(value)
    }

    /// Of all points; nil without any.
    var summary: HistoryPoint.Summary? {
        guard var all = points.first?.summary else { return nil }
        for point in points.dropFirst() { all.add(point.summary) }
        return all
    }

    /// Least, mean and greatest. Of what is on or off, how often it was on tells more.
    var summaryText: String {
        guard let summary, let latest = points.last else { return "" }
        let count = "\(summary.count) readings, latest \(text(latest.mean))"
        if case .flag(_, let on)? = KeptAttribute.of(source.cluster, source.attribute)?.meaning {
            let percent = (100 * Double(summary.sum) / Double(summary.count)).rounded()
            return "\(on) in \(Int(percent)) % of the readings; \(count)"
        }
        return "least \(text(summary.low)), mean \(text(summary.mean)),"
            + " greatest \(text(summary.high)); \(count)"
    }

    /// The points in so many bins, for drawing; one that nothing falls into is nil unless the
    /// value before it still holds.
    func columns(_ count: Int) -> [HistoryPoint.Summary?] {
        var columns = [HistoryPoint.Summary?](repeating: nil, count: count)
        let length = range.upperBound - range.lowerBound
        guard length > 0 else { return columns }
        func column(_ date: Int64) -> Int {
            min(count - 1, max(0, Int((date - range.lowerBound) * Int64(count) / length)))
        }
        let gap = gapLimit
        for (index, point) in points.enumerated() {
            let first = column(point.start)
            if columns[first]?.add(point.summary) == nil { columns[first] = point.summary }
            let end = point.start + point.milliseconds
            let next = index + 1 < points.count ? points[index + 1].start : end
            let holds = next - end <= gap ? column(next) : column(max(point.start, end - 1))
            guard holds > first + 1 || holds > first && next == end else { continue }
            for place in (first + 1)..<max(first + 1, holds) where columns[place] == nil {
                columns[place] = HistoryPoint.Summary(point.mean)
            }
        }
        return columns
    }

    /// Longer than this without a reading is a gap: three times what is usual here, ten minutes
    /// at least, which a device and a summary may take.
    private var gapLimit: Int64 {
        var pauses: [Int64] = []
        for (point, next) in zip(points, points.dropFirst()) {
            pauses.append(next.start - point.start)
        }
        pauses.sort()
        let usual = pauses.isEmpty ? 0 : pauses[pauses.count / 2]
        return max(660_000, 3 * usual)
    }
}

internal import MatterNode

/// A series drawn with characters, 80 columns wide and low enough for a terminal of 24 lines.
struct HistoryPlot {
    static let width = 80
    /// Lines of the field; each is two levels high.
    static let height = 12

    let series: HistorySeries
    /// Whether block and line characters can be shown; else ASCII draws.
    let hasBlocks: Bool

    var lines: [String] {
        guard let all = series.summary else { return [] }
        let scale = Scale(all.low, all.high)
        let labels = [scale.high, scale.middle, scale.low].map { value in
            hasBlocks ? series.text(value) : ScreenText.ascii(series.text(value))
        }
        let indent = labels.reduce(0) { max($0, DisplayWidth.columns($1)) }
        let columns = Self.width - indent - 2
        let bins = joined(
            series.columns(columns).map { bin in
                bin.map { scale.level($0.low)...scale.level($0.high) }
            })
        let places = [0, Self.height / 2, Self.height - 1]
        var lines: [String] = []
        for row in 0..<Self.height {
            let label = places.firstIndex(of: row).map { labels[$0] } ?? ""
            let upper = 2 * (Self.height - 1 - row) + 1
            var line = padded(label, indent) + " " + (hasBlocks ? "│" : "|")
            for bin in bins {
                line.append(
                    cell(bin?.contains(upper) ?? false, bin?.contains(upper - 1) ?? false))
            }
            lines.append(trimmed(line))
        }
        let corner = hasBlocks ? "└" : "+"
        lines.append(
            String(repeating: " ", count: indent + 1) + corner
                + String(repeating: hasBlocks ? "─" : "-", count: columns))
        lines.append(timeLine(indent + 2, columns))
        return lines
    }

    // MARK: Values

    /// From values to levels, the lowest 0.
    private struct Scale {
        let low: Int64
        let high: Int64

        init(_ low: Int64, _ high: Int64) {
            // A line that is straight runs through the middle.
            self.low = low == high ? low.subtractingReportingOverflow(1).partialValue : low
            self.high = low == high ? high.addingReportingOverflow(1).partialValue : high
        }

        var middle: Int64 { Int64((Int128(low) + Int128(high)) / 2) }

        func level(_ value: Int64) -> Int {
            let levels = Int128(2 * HistoryPlot.height - 1)
            let span = max(1, Int128(high) - Int128(low))
            let level = ((Int128(value) - Int128(low)) * levels + span / 2) / span
            return Int(min(levels, max(0, level)))
        }
    }

    /// What jumps is a line all the same: a column reaches to the one before it.
    private func joined(_ bins: [ClosedRange<Int>?]) -> [ClosedRange<Int>?] {
        var bins = bins
        for index in bins.indices.dropFirst() {
            guard let before = bins[index - 1], let bin = bins[index] else { continue }
            let low = min(bin.lowerBound, before.upperBound + 1)
            let high = max(bin.upperBound, before.lowerBound - 1)
            bins[index] = low...high
        }
        return bins
    }

    private func cell(_ upper: Bool, _ lower: Bool) -> Character {
        switch (upper, lower) {
        case (false, false): " "
        case (true, true): hasBlocks ? "█" : "#"
        case (true, false): hasBlocks ? "▀" : "'"
        case (false, true): hasBlocks ? "▄" : "."
        }
    }

    // MARK: Time

    /// At the beginning, the middle and the end of the field.
    private func timeLine(_ indent: Int, _ columns: Int) -> String {
        let begin = series.range.lowerBound / 1000
        let end = series.range.upperBound / 1000
        let isShort = end - begin <= 2 * 86_400
        let texts = [begin, begin + (end - begin) / 2, end].map { date in
            isShort ? UTCText.minute(date).suffix(5) : UTCText.day(date)[...]
        }
        var line = padded("", indent) + texts[0]
        let middle = indent + columns / 2 - texts[1].count / 2
        line = filled(line, middle) + texts[1]
        return filled(line, indent + columns - texts[2].count) + texts[2]
    }

    private func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - DisplayWidth.columns(text))) + text
    }

    private func filled(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}

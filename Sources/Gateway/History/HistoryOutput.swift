internal import Base
internal import Matter
internal import MatterNode

/// What `history` says.
struct HistoryOutput {
    let node: NodeRecord
    let series: [HistorySeries]
    /// What the points were summed up to, so that there are not too many; seconds.
    let width: Int64?
    let hasBlocks: Bool

    func output(isCSV: Bool) -> Output {
        var notices: [String] = []
        if let width {
            notices.append(
                "summed up to \(Self.words(width)) each: ask for less time with --since and"
                    + " --until to see more")
        }
        let lines = isCSV ? csv : text
        return Output(lines: lines, document: document, notices: notices)
    }

    private static func words(_ seconds: Int64) -> String {
        if seconds % 86_400 == 0 { return "\(seconds / 86_400) d" }
        if seconds % 3600 == 0 { return "\(seconds / 3600) h" }
        return "\(seconds / 60) min"
    }

    // MARK: For people

    private var text: [String] {
        guard let first = series.first else { return [] }
        let range = first.range
        let period =
            "\(UTCText.minute(range.lowerBound / 1000)) to"
            + " \(UTCText.minute(range.upperBound / 1000)) UTC"
        let name = DeviceOutput.callName(node).escapingControls
        if series.count == 1 {
            let heading = "\(name), \(first.name) (endpoint \(first.source.endpoint.rawValue))"
            let plot = HistoryPlot(series: first, hasBlocks: hasBlocks)
            return ["\(heading): \(period)"] + plot.lines + [first.summaryText]
        }
        var table = TextTable(["QUANTITY", "ENDPOINT", "LEAST", "MEAN", "GREATEST", "LATEST"])
        for series in series {
            guard let summary = series.summary, let latest = series.points.last else { continue }
            table.add([
                series.name, "\(series.source.endpoint.rawValue)", series.text(summary.low),
                series.text(summary.mean), series.text(summary.high), series.text(latest.mean),
            ])
        }
        return ["\(name): \(period)"] + table.lines
            + ["Name a QUANTITY, and NODE/ENDPOINT where it is there twice, to see its course."]
    }

    // MARK: For programs

    /// RFC 4180; a summary's time is its beginning.
    private var csv: [String] {
        var lines = [
            "time,node_id,endpoint,quantity,unit,low,mean,high,readings,seconds"
        ]
        for series in series {
            let place =
                "\(node.nodeID.text),\(series.source.endpoint.rawValue),"
                + "\(Self.quoted(series.name)),\(Self.quoted(series.unit))"
            for point in series.points {
                lines.append(
                    "\(UTCText.instant(point.start / 1000)),\(place),\(series.number(point.low)),"
                        + "\(series.number(point.mean)),\(series.number(point.high)),"
                        + "\(point.count),\(point.milliseconds / 1000)")
            }
        }
        return lines
    }

    /// A field that could be taken for several, or end the line, stands in quotes.
    static func quoted(_ text: String) -> String {
        let needsQuotes = text.utf8.contains { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte < 0x20
        }
        guard needsQuotes else { return text }
        var quoted = "\""
        for character in text { quoted += character == "\"" ? "\"\"" : String(character) }
        return quoted + "\""
    }

    /// Member names are relied on by scripts.
    private var document: JSONValue {
        .object([
            ("node_id", .string(node.nodeID.text)),
            ("name", .string(DeviceOutput.callName(node))),
            ("series", .array(series.map(document))),
        ])
    }

    private func document(_ series: HistorySeries) -> JSONValue {
        func number(_ value: Int64) -> JSONValue {
            guard let quantity = series.quantity, quantity.decimals > 0 else {
                return .integer(series.scaled(value))
            }
            var divisor = 1.0
            for _ in 0..<quantity.decimals { divisor *= 10 }
            return .number(Double(series.scaled(value)) / divisor)
        }
        let points = series.points.map { point in
            JSONValue.object([
                ("time", .string(UTCText.instant(point.start / 1000))),
                ("low", number(point.low)), ("mean", number(point.mean)),
                ("high", number(point.high)), ("readings", .integer(Int64(point.count))),
                ("seconds", .integer(point.milliseconds / 1000)),
            ])
        }
        return .object([
            ("quantity", .string(series.name)),
            ("endpoint", .integer(Int64(series.source.endpoint.rawValue))),
            ("cluster", .integer(Int64(series.source.cluster.rawValue))),
            ("attribute", .integer(Int64(series.source.attribute.rawValue))),
            ("unit", series.unit.isEmpty ? .null : .string(series.unit)),
            ("since", .string(UTCText.instant(series.range.lowerBound / 1000))),
            ("until", .string(UTCText.instant(series.range.upperBound / 1000))),
            ("points", .array(points)),
        ])
    }
}

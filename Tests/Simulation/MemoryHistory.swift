package import Base
package import Matter
package import MatterNode

/// A history in memory that can be told to be in trouble. It keeps everything it is given.
package final class MemoryHistory: History, @unchecked Sendable {
    /// The date at the monotonic clock's zero; nil while it is not known.
    package var dating: ReadingDating
    package var trouble: HistoryTrouble?
    package var forwarded: Int64?
    package private(set) var flushes = 0
    private var rows: [Reading] = []

    package init(offset: Int64? = 0) { dating = ReadingDating(offset: offset) }

    package var lastSequence: Int64 { Int64(rows.count) }
    package var nextDeadline: Instant? { nil }

    package func append(_ reading: Reading) { rows.append(reading) }
    package func flush(at now: Instant) { flushes += 1 }
    package func advance(to now: Instant) {}

    package func readings(
        after sequence: Int64, limit: Int
    ) throws(HistoryError) -> [HistoryRow] {
        try check()
        let start = max(0, Int(sequence))
        guard start < rows.count, limit > 0 else { return [] }
        return rows[start..<min(rows.count, start + limit)].enumerated().map { index, reading in
            HistoryRow(
                sequence: Int64(start + index + 1), source: reading.source, value: reading.value,
                unixMilliseconds: dating.date(reading.at))
        }
    }

    package func sources(of historyID: NodeID) throws(HistoryError) -> [ReadingSource] {
        try check()
        var found: [ReadingSource] = []
        for source in rows.map(\.source)
        where source.historyID == historyID && !found.contains(source) {
            found.append(source)
        }
        return found
    }

    package func advance(_ scan: inout HistoryScan) throws(HistoryError) {
        try check()
        for reading in rows where reading.source == scan.source {
            guard let value = reading.value, let date = dating.date(reading.at) else { continue }
            scan.add(HistoryPoint.Summary(value), start: date, milliseconds: 0)
        }
        scan.end()
    }

    private func check() throws(HistoryError) {
        if let trouble { throw .cannotRead(trouble) }
    }
}

internal import Base
internal import LinuxIO
internal import Matter
internal import MatterNode

/// The history file of one process, with somebody who writes down what it is given. Once the
/// process is gone it takes nothing any more.
final class WatchedHistory: History {
    private var file: HistoryFile?
    private let appended: (Reading, _ sequence: Int64) -> Void
    /// For a canary: each so many readings are kept from the file.
    var losesEach: Int?
    private var count = 0

    init(_ file: HistoryFile, appended: @escaping (Reading, _ sequence: Int64) -> Void) {
        self.file = file
        self.appended = appended
    }

    /// As the end of a process does: what was not written is lost.
    func close() { file = nil }

    func append(_ reading: Reading) {
        guard let file else { return }
        count += 1
        if let losesEach, count % losesEach == 0 {
            return appended(reading, file.lastSequence)
        }
        file.append(reading)
        appended(reading, file.lastSequence)
    }

    var lastSequence: Int64 { file?.lastSequence ?? 0 }

    func readings(after sequence: Int64, limit: Int) throws(HistoryError) -> [HistoryRow] {
        try file?.readings(after: sequence, limit: limit) ?? []
    }

    var forwarded: Int64? {
        get { file?.forwarded }
        set { file?.forwarded = newValue }
    }

    func sources(of historyID: NodeID) throws(HistoryError) -> [ReadingSource] {
        try file?.sources(of: historyID) ?? []
    }

    func advance(_ scan: inout HistoryScan) throws(HistoryError) { try file?.advance(&scan) }
    func flush(at now: Instant) { file?.flush(at: now) }
    func advance(to now: Instant) { file?.advance(to: now) }
    var nextDeadline: Instant? { file?.nextDeadline }
    var trouble: HistoryTrouble? { file?.trouble }
}

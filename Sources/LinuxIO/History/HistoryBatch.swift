internal import Base
internal import MatterNode

/// Readings that wait for the next flush, numbered without a gap; the newest that fit.
struct HistoryBatch {
    private(set) var readings: [Reading] = []
    /// Of the first of them, or of the next that comes.
    private(set) var first: Int64 = 1
    /// Dropped because nothing could be written, since the last flush.
    private(set) var lost = 0
    let bound: Int

    init(bound: Int = HistoryLimits.pending) {
        self.bound = bound
        readings.reserveCapacity(bound / 8)
    }

    var last: Int64 { first + Int64(readings.count) - 1 }
    var isEmpty: Bool { readings.isEmpty }

    mutating func append(_ reading: Reading) {
        if readings.count == bound {
            // An eighth at a time: moving the rest is rare.
            let oldest = max(1, bound / 8)
            readings.removeFirst(oldest)
            first += Int64(oldest)
            lost += oldest
        }
        readings.append(reading)
    }

    /// They are written.
    mutating func clear() {
        first += Int64(readings.count)
        readings.removeAll(keepingCapacity: true)
        lost = 0
    }

    /// Numbers up to this one are taken.
    mutating func number(after taken: Int64) {
        first = max(first, taken + 1)
    }
}

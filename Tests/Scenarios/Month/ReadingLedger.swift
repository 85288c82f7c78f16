internal import Base
internal import Gateway
internal import Matter
internal import MatterNode

/// Follows every reading from the history to the broker: each comes there, once and in order,
/// but for those that come again after a cut, and a number is never that of two readings.
struct ReadingLedger {
    private struct Row {
        let sequence: Int64
        let reading: Reading
        /// Its boot began without a date.
        let mayLackDate: Bool
    }

    /// In the history and not yet at the broker.
    private var waiting: [Row] = []
    private var head = 0
    /// The latest that came to the broker.
    private var delivered: [Row] = []
    private var lastDelivered: Int64 = 0
    /// Of the connection that there is.
    private var lastOfConnection: Int64 = 0
    /// By which dates were made: milliseconds since 1970 at the monotonic clock's zero.
    private var offsets: [Int64] = []
    private(set) var faults: [String] = []
    private(set) var appended = 0
    private(set) var forwarded = 0
    /// Came to the broker again after a cut.
    private(set) var repeated = 0
    /// In memory when the power went.
    private(set) var lost = 0
    private(set) var undated = 0

    /// Readings that may come again are one message's; this is an hour's.
    private static let memory = 4096
    /// Two flushes apart, and one that had to wait for the end of a handshake.
    private static let flushTime = Duration.seconds(40)
    /// Of a date: the clock is read in seconds at worst.
    private static let tolerance: Int64 = 2500

    /// What all this takes of the heap.
    var octets: Int {
        (waiting.capacity + delivered.capacity) * MemoryLayout<Row>.stride
            + offsets.capacity * MemoryLayout<Int64>.stride
    }

    var waitingCount: Int { waiting.count - head }
    /// From where on the history must still have everything.
    var firstWaiting: Int64? { head < waiting.count ? waiting[head].sequence : nil }

    // MARK: The history

    mutating func append(_ reading: Reading, as sequence: Int64, mayLackDate: Bool) {
        appended += 1
        waiting.append(Row(sequence: sequence, reading: reading, mayLackDate: mayLackDate))
    }

    mutating func clockWasSet(to offset: Int64) {
        if !offsets.contains(offset) { offsets.append(offset) }
    }

    /// A new process has opened the file.
    /// - Parameters:
    ///   - stored: what is there of what the broker does not have yet.
    ///   - cut: when the process before was ended; nil when it could write all.
    mutating func reopened(with stored: [HistoryRow], cut: Instant?) {
        var kept: [Row] = []
        var index = 0
        for row in waiting[head...] {
            while index < stored.count, stored[index].sequence < row.sequence { index += 1 }
            if index < stored.count, stored[index].sequence == row.sequence {
                if stored[index].source != row.reading.source
                    || stored[index].value != row.reading.value
                {
                    report("number \(row.sequence) is another reading in the file")
                }
                kept.append(row)
            } else if let cut, cut - row.reading.at < Self.flushTime {
                lost += 1
            } else {
                report("number \(row.sequence) of \(row.reading.at.text) is not in the file")
            }
        }
        waiting = kept
        head = 0
    }

    // MARK: The broker

    mutating func connected() { lastOfConnection = 0 }

    /// One message of history.
    mutating func deliver(_ document: JSONValue) {
        guard case .array(let rows)? = document["readings"] else {
            return report("a message of history without readings")
        }
        for row in rows {
            guard case .integer(let sequence)? = row["sequence"] else {
                report("a reading without a number")
                continue
            }
            if sequence <= lastOfConnection {
                report("number \(sequence) came after \(lastOfConnection) in one connection")
            }
            lastOfConnection = sequence
            if sequence <= lastDelivered { again(sequence, row) } else { first(sequence, row) }
        }
    }

    private mutating func first(_ sequence: Int64, _ row: JSONValue) {
        lastDelivered = sequence
        while head < waiting.count, waiting[head].sequence < sequence {
            report("number \(waiting[head].sequence) never came to the broker")
            head += 1
        }
        guard head < waiting.count, waiting[head].sequence == sequence else {
            return report("number \(sequence) is in no history")
        }
        let expected = waiting[head]
        head += 1
        forwarded += 1
        compare(expected, row)
        delivered.append(expected)
        if delivered.count >= 2 * Self.memory { delivered.removeFirst(Self.memory) }
        if head >= Self.memory {
            waiting.removeFirst(head)
            head = 0
        }
    }

    private mutating func again(_ sequence: Int64, _ row: JSONValue) {
        repeated += 1
        guard let known = delivered.last(where: { $0.sequence == sequence }) else {
            return report("number \(sequence) came again long after")
        }
        compare(known, row)
    }

    private mutating func compare(_ expected: Row, _ row: JSONValue) {
        let reading = expected.reading
        let kept = KeptAttribute.of(reading.source.cluster, reading.source.attribute)
        if row["value"] != kept?.json(reading.value)
            || row["endpoint"] != .integer(Int64(reading.source.endpoint.rawValue))
            || row["quantity"] != kept.map({ .string($0.word) })
        {
            report("number \(expected.sequence) was another reading: \(row.text)")
        }
        guard case .integer(let date)? = row["unix_milliseconds"] else {
            undated += 1
            if !expected.mayLackDate { report("number \(expected.sequence) has no date") }
            return
        }
        let offset = date - reading.at.nanoseconds / 1_000_000
        if !offsets.contains(where: { abs($0 - offset) <= Self.tolerance }) {
            report("number \(expected.sequence) has the date of no clock: \(date)")
        }
    }

    private mutating func report(_ text: String) {
        // The first tell enough.
        if faults.count < 20 { faults.append(text) }
    }
}

/// What was read in a stretch of time, summed up: one reading, the 5 minutes that are kept of
/// older ones, or what falls into a bin.
package struct HistoryPoint: Equatable, Sendable {
    /// Milliseconds since 1970 at its beginning.
    package let start: Int64
    /// What it covers, in milliseconds; 0 for a single reading.
    package let milliseconds: Int64
    package private(set) var summary: Summary

    package init(start: Int64, milliseconds: Int64, _ summary: Summary) {
        self.start = start
        self.milliseconds = milliseconds
        self.summary = summary
    }

    /// Of one reading or more.
    package struct Summary: Equatable, Sendable {
        package private(set) var low: Int64
        package private(set) var high: Int64
        package private(set) var sum: Int128
        package private(set) var count: Int

        package init(low: Int64, high: Int64, sum: Int128, count: Int) {
            precondition(count > 0, "a summary is of something")
            self.low = low
            self.high = high
            self.sum = sum
            self.count = count
        }

        package init(_ value: Int64) {
            self.init(low: value, high: value, sum: Int128(value), count: 1)
        }

        package mutating func add(_ other: Summary) {
            low = min(low, other.low)
            high = max(high, other.high)
            sum += other.sum
            count += other.count
        }

        /// Every reading weighs the same; rounded to the nearest, halves away from zero.
        package var mean: Int64 {
            let half = Int128(sum < 0 ? -(count / 2) : count / 2)
            return Int64(truncatingIfNeeded: (sum + half) / Int128(count))
        }
    }

    package var low: Int64 { summary.low }
    package var mean: Int64 { summary.mean }
    package var high: Int64 { summary.high }
    package var count: Int { summary.count }

    package mutating func add(_ other: Summary) { summary.add(other) }
}

/// One question to a history and the answer as far as it is known.
package struct HistoryScan: Sendable {
    package let source: ReadingSource
    /// Milliseconds since 1970; what begins before the end counts.
    package let range: Range<Int64>
    /// Of one bin, in milliseconds; 0 gives what is kept as it is kept.
    package let width: Int64
    /// In the order of time; bins that hold nothing are left out.
    package private(set) var points: [HistoryPoint] = []
    /// There was more than the bound; ask for bins, or for less.
    package private(set) var isCutOff = false
    package private(set) var isDone = false
    /// Where the history goes on; its own affair.
    package var position = Position()

    package struct Position: Sendable {
        package var stage = 0
        package var boot: Int64 = 0
        package var mark: Int64 = 0
        package var summed: Int64?

        package init() {}
    }

    package init(_ source: ReadingSource, in range: Range<Int64>, width: Int64) {
        precondition(width >= 0, "a bin has a width")
        precondition(
            width == 0 || (range.upperBound - range.lowerBound) / width < HistoryLimits.points,
            "the bins are within the bound")
        self.source = source
        self.range = range
        self.width = width
    }

    /// Takes what was read; the history gives it in the order of time.
    /// - Parameters:
    ///   - start: milliseconds since 1970.
    ///   - milliseconds: what the summary covers.
    package mutating func add(
        _ summary: HistoryPoint.Summary, start: Int64, milliseconds: Int64
    ) {
        guard range.contains(start) else { return }
        guard width > 0 else {
            guard points.count < HistoryLimits.points else {
                isCutOff = true
                return
            }
            points.append(HistoryPoint(start: start, milliseconds: milliseconds, summary))
            return
        }
        let begin = range.lowerBound + (start - range.lowerBound) / width * width
        var place = points.count
        // Boots of which the dates were corrected may overlap.
        while place > 0, points[place - 1].start > begin { place -= 1 }
        if place > 0, points[place - 1].start == begin {
            points[place - 1].add(summary)
        } else {
            points.insert(HistoryPoint(start: begin, milliseconds: width, summary), at: place)
        }
    }

    package mutating func end() { isDone = true }

    /// What is kept was moved meanwhile.
    package mutating func restart() { self = HistoryScan(source, in: range, width: width) }
}

/// Bounds of what is kept of readings.
package enum HistoryLimits {
    /// Readings in memory: two minutes of a thousand sources that change every second fill them,
    /// a hundred ordinary nodes a quarter of an hour. Some 400 kB at most.
    package static let pending = 8192
    /// Points of one answer: two weeks of 5 minutes each; as JSON about half a megabyte.
    package static let points = 4096
}

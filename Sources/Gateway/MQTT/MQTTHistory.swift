internal import Base
internal import MatterNode

/// How far the history is at the broker: one message at a time, in order.
struct MQTTHistory {
    private var last: Int64 = 0
    private var forwarded: Int64?
    /// Read and not yet acknowledged.
    private var batch: [HistoryRow] = []
    private var isSent = false
    private var isFetching = false
    private var isConnected = false
    private var skipped: Int64?
    /// When to go on.
    private var next: Instant?
    /// Until when readings without a date wait for one.
    private var undatedUntil: Instant?

    var waiting: Int64 { forwarded.map { max(0, last - $0) } ?? 0 }

    mutating func use(last: Int64, forwarded: Int64?) {
        self.last = last
        // A history that was begun anew counts from the beginning.
        self.forwarded = forwarded.map { $0 > last ? 0 : $0 } ?? last
        if forwarded == nil { skipped = last }
    }

    mutating func grew(to last: Int64, at now: Instant) {
        self.last = max(self.last, last)
        if isConnected, next == nil, batch.isEmpty, !isFetching { schedule(at: now) }
    }

    mutating func connected(at now: Instant) {
        isConnected = true
        batch = []
        isSent = false
        next = nil
        undatedUntil = now + MQTTLimits.undatedPatience
        schedule(at: now)
    }

    mutating func disconnected() {
        isConnected = false
        batch = []
        isSent = false
        next = nil
    }

    var nextDeadline: Instant? { next }

    mutating func nextFetch(at now: Instant) -> Int64? {
        guard let due = next, due <= now, batch.isEmpty, !isFetching, let forwarded else {
            return nil
        }
        next = nil
        isFetching = true
        return forwarded
    }

    mutating func receive(_ rows: [HistoryRow]?, at now: Instant) {
        isFetching = false
        guard isConnected, let forwarded else { return }
        guard let rows else {
            next = now + MQTTLimits.historyRetry
            return
        }
        if rows.isEmpty {
            // What is missing up to here is kept no more.
            if last > forwarded { skip(to: last) }
            return
        }
        var ready = rows[...]
        if let undatedUntil, undatedUntil > now,
            let undated = rows.firstIndex(where: { $0.unixMilliseconds == nil })
        {
            ready = rows[..<undated]
        }
        batch = Array(ready)
        if batch.isEmpty { next = now + MQTTLimits.historyRetry }
    }

    /// The batch to publish, once.
    mutating func nextBatch(at now: Instant) -> [HistoryRow]? {
        guard !batch.isEmpty, !isSent else { return nil }
        isSent = true
        return batch
    }

    /// - Returns: up to where the broker has everything now.
    mutating func acknowledged(at now: Instant) -> Int64? {
        guard isSent, let sequence = batch.last?.sequence else { return nil }
        batch = []
        isSent = false
        forwarded = sequence
        last = max(last, sequence)
        schedule(at: now)
        return sequence
    }

    /// What was passed over without a message.
    mutating func takeSkipped() -> Int64? {
        defer { skipped = nil }
        return skipped
    }

    private mutating func skip(to sequence: Int64) {
        forwarded = sequence
        skipped = sequence
    }

    private mutating func schedule(at now: Instant) {
        guard waiting > 0 else { return }
        next =
            now
            + (waiting >= MQTTLimits.rows
                ? MQTTLimits.historyPause : MQTTLimits.historyGathering)
    }
}

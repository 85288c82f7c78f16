internal import Base

/// What both roles do once the handshake is over: segments, windows, acknowledgements, timers.
/// Core §4.20.3.
struct BTPSession {
    /// Octets of a segment that we send.
    let segmentBytes: Int
    /// Octets of a segment that we take.
    private let receivedSegmentBytes: Int
    private let window: Int

    private var outgoing = BTPSegmenter()

    private var nextSequence: UInt8
    /// Segments sent and not acknowledged; the newest is that before `nextSequence`.
    private var outstanding: Int
    /// How many of them there are up to the newest that has data. Acknowledgements alone need no
    /// acknowledgement from the peer, only room in its window.
    private var outstandingData: Int
    private var acknowledgementWait: Instant?

    private var expectedSequence: UInt8
    /// Segments received and not acknowledged.
    private var owed: Int
    private var owesForData: Bool
    /// When what is owed is to go, alone if it must.
    private var owedDue: Instant?
    private var isOwedDue = false

    private var idleEnd: Instant
    private var awaitsAnswer = false
    private var now: Instant

    init(
        segmentBytes: Int, receivedSegmentBytes: Int, window: Int, isCentral: Bool,
        at now: Instant
    ) {
        self.segmentBytes = segmentBytes
        self.receivedSegmentBytes = receivedSegmentBytes
        self.window = window
        self.now = now
        // The handshake response is the peripheral's number 0: the central owes its
        // acknowledgement, the peripheral waits for it.
        nextSequence = isCentral ? 0 : 1
        expectedSequence = isCentral ? 1 : 0
        owed = isCentral ? 1 : 0
        owesForData = isCentral
        owedDue = isCentral ? now + Limits.btpAcknowledgementDelay : nil
        outstanding = isCentral ? 0 : 1
        outstandingData = outstanding
        acknowledgementWait = isCentral ? nil : now + Limits.btpAcknowledgementWait
        idleEnd = now + Limits.btpIdle
    }

    var isDrained: Bool { outgoing.isEmpty }

    var nextDeadline: Instant? {
        var earliest: Instant? = awaitsAnswer ? nil : idleEnd
        if let wait = acknowledgementWait { earliest = min(earliest ?? wait, wait) }
        if let due = owedDue { earliest = min(earliest ?? due, due) }
        return earliest
    }

    /// While an answer is awaited, silence does not end the session.
    mutating func setAwaitsAnswer(_ awaits: Bool, at now: Instant) {
        self.now = now
        awaitsAnswer = awaits
        idleEnd = now + Limits.btpIdle
    }

    mutating func send(_ message: Span<UInt8>, at now: Instant) -> Bool {
        self.now = now
        return outgoing.add(message)
    }

    /// - Returns: whether a message is complete.
    mutating func receive(
        _ bytes: Span<UInt8>, into incoming: inout BTPReassembler, at now: Instant
    ) throws(BTPError) -> Bool {
        self.now = now
        guard bytes.count <= receivedSegmentBytes else {
            throw .oversizedSegment(count: bytes.count)
        }
        let segment = try BTPSegment(bytes)
        if let number = segment.acknowledged { try acknowledge(number) }
        guard segment.sequence == expectedSequence else {
            throw .outOfOrder(expected: expectedSequence, received: segment.sequence)
        }
        // CHIP counts its window one too large when an acknowledgement is from before the wrap
        // of the numbers and the newest segment from after it.
        guard owed <= window else { throw .windowExceeded }
        expectedSequence &+= 1
        owed += 1
        if owedDue == nil { owedDue = now + Limits.btpAcknowledgementDelay }
        if segment.isAcknowledgementAlone { return false }
        owesForData = true
        idleEnd = now + Limits.btpIdle
        return try incoming.receive(segment)
    }

    mutating func advance(to now: Instant) -> BTPClosure? {
        self.now = now
        if let due = owedDue, due <= now {
            owedDue = nil
            isOwedDue = true
        }
        if let end = acknowledgementWait, end <= now { return .acknowledgementTimeout }
        if !awaitsAnswer, idleEnd <= now { return .idle }
        return nil
    }

    /// Writes the next packet into `buffer`, which has at least `segmentBytes` octets.
    /// - Returns: its octets; zero when there is none to send.
    mutating func write(into buffer: inout [UInt8]) -> Int {
        let room = window - outstanding
        // The last place in the peer's window is for a segment that acknowledges: two peers that
        // filled each other's windows could both never acknowledge. Core §4.20.3.8.
        let isData = !outgoing.isEmpty && (room > 1 || (room == 1 && owed > 0))
        guard isData || (mustAcknowledge && room > 0) else { return 0 }
        let newest = expectedSequence &- 1
        var writer = ByteWriter(buffer.mutableSpan)
        do throws(ByteError) {
            if isData {
                try outgoing.write(
                    &writer, size: segmentBytes, sequence: nextSequence,
                    acknowledging: owed > 0 ? newest : nil)
            } else {
                try writer.uint8(BTPFlags.acknowledgement.rawValue)
                try writer.uint8(newest)
                try writer.uint8(nextSequence)
            }
        } catch { preconditionFailure("a segment fits its buffer") }
        let count = writer.count
        sent(isData: isData)
        return count
    }
}

extension BTPSession {
    /// Not only when it is due: a window that is all but used up would stop the peer. What
    /// acknowledges alone waits, or two peers would acknowledge each other without end.
    private var mustAcknowledge: Bool {
        owed > 0 && (isOwedDue || (owesForData && window - owed <= 1))
    }

    private mutating func sent(isData: Bool) {
        nextSequence &+= 1
        outstanding += 1
        if isData {
            outstandingData = outstanding
            if acknowledgementWait == nil {
                acknowledgementWait = now + Limits.btpAcknowledgementWait
            }
            idleEnd = now + Limits.btpIdle
        }
        // Whatever was sent while something was owed acknowledged all of it.
        owed = 0
        owesForData = false
        owedDue = nil
        isOwedDue = false
    }

    private mutating func acknowledge(_ number: UInt8) throws(BTPError) {
        // How many were sent after that one.
        let newer = Int(nextSequence &- 1 &- number)
        guard newer < outstanding else { throw .invalidAcknowledgement(number) }
        let count = outstanding - newer
        outstanding = newer
        outstandingData = max(0, outstandingData - count)
        acknowledgementWait =
            outstandingData > 0 ? now + Limits.btpAcknowledgementWait : nil
    }
}

internal import Base

/// Messages that are to be sent, first in, first out, cut into segments.
struct BTPSegmenter {
    /// Room for `Limits.btpMessages` messages; nothing is allocated per message.
    private var storage = [UInt8](
        repeating: 0, count: Limits.btpMessages * Limits.btpMessageBytes)
    private var counts = InlineArray<4, Int>(repeating: 0)
    private var head = 0
    private var queued = 0
    /// Octets of the first message that went already.
    private var offset = 0

    var isEmpty: Bool { queued == 0 }

    init() {
        precondition(counts.count == Limits.btpMessages, "one length for each message")
    }

    /// - Parameter message: 1 ... `Limits.btpMessageBytes` octets.
    /// - Returns: whether there was room.
    mutating func add(_ message: Span<UInt8>) -> Bool {
        precondition(
            (1...Limits.btpMessageBytes).contains(message.count),
            "sizes are checked when a message is made")
        guard queued < Limits.btpMessages else { return false }
        let slot = (head + queued) % Limits.btpMessages
        let start = slot * Limits.btpMessageBytes
        for index in message.indices { storage[start + index] = message[index] }
        counts[slot] = message.count
        queued += 1
        return true
    }

    /// Writes the next segment, as full as it can be.
    /// - Parameter size: octets of a segment, header included.
    @_lifetime(writer: copy writer)
    mutating func write(
        _ writer: inout ByteWriter, size: Int, sequence: UInt8, acknowledging: UInt8?
    ) throws(ByteError) {
        precondition(!isEmpty, "asked before")
        let isFirst = offset == 0
        let header = 2 + (acknowledging == nil ? 0 : 1) + (isFirst ? 2 : 0)
        let rest = counts[head] - offset
        let taken = min(rest, size - header)
        // CHIP marks the last of several segments as continuing too; its devices are used to it.
        var flags = isFirst ? BTPFlags.beginning : .continuing
        if taken == rest { flags.insert(.ending) }
        if acknowledging != nil { flags.insert(.acknowledgement) }
        try writer.uint8(flags.rawValue)
        if let acknowledging { try writer.uint8(acknowledging) }
        try writer.uint8(sequence)
        if isFirst { try writer.uint16(UInt16(counts[head])) }
        let start = head * Limits.btpMessageBytes + offset
        try writer.bytes(storage.span.extracting(start..<(start + taken)))
        offset += taken
        if taken == rest {
            offset = 0
            head = (head + 1) % Limits.btpMessages
            queued -= 1
        }
    }
}

/// Puts segments together again.
struct BTPReassembler {
    private var storage = [UInt8](repeating: 0, count: Limits.btpMessageBytes)
    /// Octets of the message that is under way; nil between messages.
    private var announced: Int?
    private var count = 0

    init() {}

    /// The message that the last segment completed.
    var message: Span<UInt8> {
        @_lifetime(borrow self)
        get { storage.span.extracting(0..<count) }
    }

    /// - Returns: whether the message is complete.
    mutating func receive(_ segment: borrowing BTPSegment) throws(BTPError) -> Bool {
        if let messageBytes = segment.messageBytes {
            guard announced == nil else { throw .invalidFlags(segment.flags.rawValue) }
            guard (1...Limits.btpMessageBytes).contains(messageBytes) else {
                throw .invalidMessageLength(messageBytes)
            }
            announced = messageBytes
            count = 0
        }
        guard let announced else { throw .invalidFlags(segment.flags.rawValue) }
        let total = count + segment.payload.count
        guard total <= announced else {
            throw .lengthMismatch(announced: announced, received: total)
        }
        for index in segment.payload.indices { storage[count + index] = segment.payload[index] }
        count = total
        guard segment.flags.contains(.ending) else { return false }
        guard total == announced else {
            throw .lengthMismatch(announced: announced, received: total)
        }
        self.announced = nil
        return true
    }
}

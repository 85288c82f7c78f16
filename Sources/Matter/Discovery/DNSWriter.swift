internal import Base

/// Writes a DNS message into a borrowed buffer, names compressed. What does not fit throws
/// `full` and leaves the message as it was.
package struct DNSWriter: ~Copyable, ~Escapable {
    private var bytes: ByteWriter
    private var header: DNSHeader
    /// Where labels that later names may point to were written.
    private var targets = InlineArray<32, UInt16>(repeating: 0)
    private var targetCount = 0

    /// - Parameter buffer: at least the 12 octets of a header.
    @_lifetime(copy buffer)
    package init(_ buffer: consuming MutableSpan<UInt8>, flags: UInt16, id: UInt16 = 0) {
        precondition(buffer.count >= DNSHeader.octets, "a message has a header")
        bytes = ByteWriter(buffer)
        header = DNSHeader()
        do throws(ByteError) {
            try bytes.bigEndian(UInt64(id), width: 2)
            try bytes.bigEndian(UInt64(flags), width: 2)
            try bytes.bigEndian(0, width: 8)
        } catch { preconditionFailure("12 octets were there") }
    }

    /// Octets written so far.
    package var count: Int { bytes.count }
    package var questionCount: Int { Int(header.questionCount) }

    /// Questions stand in front of all records.
    @_lifetime(self: copy self)
    package mutating func question(
        _ name: borrowing DNSName, _ type: DNSType, prefersUnicast: Bool = false
    ) throws(DNSError) {
        precondition(
            header.answerCount == 0 && header.authorityCount == 0 && header.additionalCount == 0,
            "questions come first")
        let start = bytes.count
        do throws(ByteError) {
            try put(name)
            try bytes.bigEndian(UInt64(type.rawValue), width: 2)
            let unicast = prefersUnicast ? DNSClass.topBit : 0
            try bytes.bigEndian(UInt64(DNSClass.internet | unicast), width: 2)
        } catch {
            undo(to: start)
            throw DNSError(error)
        }
        header.questionCount += 1
        bytes.overwriteBigEndian(header.questionCount, at: 4)
    }

    /// The records of a section follow each other, sections in their order.
    @_lifetime(self: copy self)
    package mutating func record(_ record: borrowing DNSRecord) throws(DNSError) {
        let start = bytes.count
        do throws(ByteError) {
            try put(record)
        } catch {
            undo(to: start)
            throw DNSError(error)
        }
        switch record.section {
        case .answer:
            precondition(
                header.authorityCount == 0 && header.additionalCount == 0, "answers come first")
            header.answerCount += 1
            bytes.overwriteBigEndian(header.answerCount, at: 6)
        case .authority:
            precondition(header.additionalCount == 0, "additional records come last")
            header.authorityCount += 1
            bytes.overwriteBigEndian(header.authorityCount, at: 8)
        case .additional:
            header.additionalCount += 1
            bytes.overwriteBigEndian(header.additionalCount, at: 10)
        }
    }
}

extension DNSWriter {
    @_lifetime(self: copy self)
    private mutating func put(_ record: borrowing DNSRecord) throws(ByteError) {
        try put(record.name)
        try bytes.bigEndian(UInt64(record.data.type.rawValue), width: 2)
        let flush = record.flushesCache ? DNSClass.topBit : 0
        try bytes.bigEndian(UInt64(DNSClass.internet | flush), width: 2)
        try bytes.bigEndian(UInt64(record.timeToLiveSeconds), width: 4)
        let start = bytes.count + 2
        try bytes.bigEndian(0, width: 2)
        switch record.data {
        case .ptr(let target): try put(target)
        case .srv(let service):
            try bytes.bigEndian(UInt64(service.priority), width: 2)
            try bytes.bigEndian(UInt64(service.weight), width: 2)
            try bytes.bigEndian(UInt64(service.port), width: 2)
            try put(service.target)
        case .txt(let text): try bytes.bytes(text.octets)
        case .a(let address): try bytes.bytes(address.span)
        case .aaaa(let address): try bytes.bytes(address.span)
        case .other(_, let data): try bytes.bytes(data)
        }
        bytes.overwriteBigEndian(UInt16(truncatingIfNeeded: bytes.count - start), at: start - 2)
    }

    /// Writes labels up to the first part that already stands in the message.
    @_lifetime(self: copy self)
    private mutating func put(_ name: borrowing DNSName) throws(ByteError) {
        var rest = name.whole
        while !rest.isRoot {
            if let target = earlier(rest) {
                return try bytes.bigEndian(0xC000 | UInt64(target), width: 2)
            }
            let position = bytes.count
            let label = rest.firstLabel
            try bytes.uint8(UInt8(label.count))
            try bytes.bytes(label)
            remember(position)
            rest = rest.parent
        }
        try bytes.uint8(0)
    }

    private func earlier(_ name: borrowing DNSName) -> UInt16? {
        for index in 0..<targetCount {
            // A target whose name is still being written is not whole yet: it ends in nothing.
            if let candidate = try? DNSName(bytes.written, at: Int(targets[index])),
                candidate.isIdentical(to: name)
            {
                return targets[index]
            }
        }
        return nil
    }

    private mutating func remember(_ position: Int) {
        guard targetCount < targets.count, position < 0x4000 else { return }
        targets[targetCount] = UInt16(position)
        targetCount += 1
    }

    @_lifetime(self: copy self)
    private mutating func undo(to start: Int) {
        bytes.truncate(to: start)
        while targetCount > 0, Int(targets[targetCount - 1]) >= start { targetCount -= 1 }
    }
}

extension DNSName {
    /// The same name, as a value of one's own.
    fileprivate var whole: DNSName {
        @_lifetime(copy self)
        get { self }
    }
}

extension DNSRecordData {
    package var type: DNSType {
        switch self {
        case .ptr: .ptr
        case .srv: .srv
        case .txt: .txt
        case .a: .a
        case .aaaa: .aaaa
        case .other(let type, _): type
        }
    }
}

extension ByteWriter {
    @_lifetime(self: copy self)
    fileprivate mutating func overwriteBigEndian(_ value: UInt16, at offset: Int) {
        overwrite(uint16: value.byteSwapped, at: offset)
    }
}

internal import Base

/// A domain name where it stands in a message, checked once and never copied.
///
/// RFC 1035 §4.1.4. Pointers lead only backwards, in front of the labels they follow, so that
/// every walk ends; their number is bounded besides. Two names are equal without regard to the
/// case of ASCII letters (RFC 6762 §16).
package struct DNSName: ~Escapable {
    let message: Span<UInt8>
    /// Where the first label, the pointer to it, or the root's zero octet stands.
    let offset: Int
    /// Octets of the name written out, its final zero octet included: 1 ... 255.
    package let count: Int
    /// Octets that the name takes where it stands.
    let extent: Int

    /// - Throws: `truncated` or `invalidName`, with the name's own offset.
    @_lifetime(copy message)
    package init(_ message: Span<UInt8>, at offset: Int = 0) throws(DNSError) {
        var walk = DNSNameWalk(message.count, at: offset)
        while walk.position >= 0 {
            guard walk.position < message.count else { throw .truncated(at: offset) }
            let octet = message[walk.position]
            let next = walk.position + 1 < message.count ? message[walk.position + 1] : 0
            guard walk.step(octet, next) else { throw .invalidName(at: offset) }
        }
        self.message = message
        self.offset = offset
        self.count = walk.count
        self.extent = walk.extent
    }

    /// A name, or a part of one, that was checked before.
    @_lifetime(copy message)
    init(checked message: Span<UInt8>, at offset: Int, count: Int) {
        self.message = message
        self.offset = offset
        self.count = count
        self.extent = 0
    }

    package var isRoot: Bool { count == 1 }

    package var labels: DNSLabels {
        @_lifetime(copy self)
        get { DNSLabels(message, at: offset) }
    }

    /// The first label; empty for the root.
    package var firstLabel: Span<UInt8> {
        @_lifetime(copy self)
        get {
            var labels = DNSLabels(message, at: offset)
            if let label = labels.next() { return label }
            return message.extracting(0..<0)
        }
    }

    /// The name without its first label; the root stays the root.
    package var parent: DNSName {
        @_lifetime(copy self)
        get {
            var labels = DNSLabels(message, at: offset)
            var taken = 0
            if let label = labels.next() { taken = label.count + 1 }
            return DNSName(checked: message, at: labels.position, count: count - taken)
        }
    }

    package func isEqual(to other: borrowing DNSName) -> Bool {
        guard count == other.count else { return false }
        var left = labels
        var right = other.labels
        while let one = left.next() {
            guard let two = right.next(), one.isEqualFolded(to: two) else { return false }
        }
        return true
    }

    /// Equal, letters in the same case: such a name may stand for this one in a message.
    func isIdentical(to other: borrowing DNSName) -> Bool {
        guard count == other.count else { return false }
        var left = labels
        var right = other.labels
        while let one = left.next() {
            guard let two = right.next(), one.isEqual(to: two) else { return false }
        }
        return true
    }

    /// Equal names have equal hashes (FNV-1a over labels in lower case). It speeds up a search
    /// and decides nothing: whoever finds it compares the names.
    package var foldedHash: UInt32 {
        var hash: UInt32 = 0x811C_9DC5
        var labels = labels
        while let label = labels.next() {
            hash = (hash ^ UInt32(label.count)) &* 0x0100_0193
            for index in label.indices {
                hash = (hash ^ UInt32(label[index].asciiLowercased)) &* 0x0100_0193
            }
        }
        return hash
    }
}

/// Gives the labels of a checked name one by one.
package struct DNSLabels: ~Escapable {
    private let message: Span<UInt8>
    fileprivate var position: Int

    @_lifetime(copy message)
    fileprivate init(_ message: Span<UInt8>, at position: Int) {
        self.message = message
        self.position = position
    }

    @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func next() -> Span<UInt8>? {
        while message[position] >= 0xC0 {
            position = Int(message[position] & 0x3F) << 8 | Int(message[position + 1])
        }
        let length = Int(message[position])
        guard length > 0 else { return nil }
        let label = message.extracting((position + 1)..<(position + 1 + length))
        position += 1 + length
        return label
    }
}

/// The check of a name, an octet at a time.
private struct DNSNameWalk {
    /// What to look at next; negative once the name has ended.
    var position: Int
    var count = 1
    var extent = 0
    private let end: Int
    private let offset: Int
    /// Where the labels that are being read began: a pointer must lead in front of them.
    private var run: Int
    private var pointers = 0

    init(_ end: Int, at offset: Int) {
        self.end = end
        self.offset = offset
        position = offset
        run = offset
    }

    /// False when the name is malformed at `position`.
    mutating func step(_ octet: UInt8, _ next: UInt8) -> Bool {
        switch octet {
        case 0:
            if pointers == 0 { extent = position + 1 - offset }
            position = -1
            return true
        case 1...63:
            let length = 1 + Int(octet)
            count += length
            position += length
            return count <= Limits.dnsNameOctets && position < end
        case 0xC0...:
            if pointers == 0 { extent = position + 2 - offset }
            let target = Int(octet & 0x3F) << 8 | Int(next)
            guard position + 1 < end, target >= DNSHeader.octets, target < run,
                pointers < Limits.dnsNamePointers
            else { return false }
            pointers += 1
            run = target
            position = target
            return true
        default:
            return false
        }
    }
}

extension Span where Element == UInt8 {
    /// Equal without regard to the case of ASCII letters.
    func isEqualFolded(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index].asciiLowercased != other[index].asciiLowercased {
            return false
        }
        return true
    }
}

extension UInt8 {
    var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

/// What borrowed and owned bytes have in common beyond the standard library.

extension Span where Element == UInt8 {
    /// Compares content. The time depends on the lengths alone, never on where the bytes differ,
    /// so that authenticators can be compared with it.
    package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        var index = 0
        while index < count {
            difference |= self[index] ^ other[index]
            index += 1
        }
        return difference == 0
    }
}

extension Array where Element == UInt8 {
    package init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    package init<let size: Int>(_ bytes: FixedBytes<size>) {
        self.init(bytes.span)
    }

    package mutating func append(contentsOf bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Runs `body` on a writer over a new buffer of `capacity` octets and keeps what it wrote.
    package init<E: Error>(
        capacity: Int, writing body: (inout ByteWriter) throws(E) -> Void
    ) throws(E) {
        self.init(repeating: 0, count: capacity)
        var writer = ByteWriter(mutableSpan)
        try body(&writer)
        let written = writer.count
        removeLast(capacity - written)
    }
}

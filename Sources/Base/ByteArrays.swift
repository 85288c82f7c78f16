/// Owned bytes made from borrowed ones. This is the part of Base that allocates.

extension Array where Element == UInt8 {
    package init(_ bytes: Span<UInt8>) {
        self.init()
        reserveCapacity(bytes.count)
        append(contentsOf: bytes)
    }

    package init<let size: Int>(_ bytes: FixedBytes<size>) {
        self.init(bytes.span)
    }

    package mutating func append(contentsOf bytes: Span<UInt8>) {
        reserveCapacity(count + bytes.count)
        for index in bytes.indices { append(bytes[index]) }
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

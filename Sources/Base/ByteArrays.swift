/// Owned bytes made from borrowed ones. This is the part of Base that allocates.

extension Array where Element == UInt8 {
    package init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    package init<let size: Int>(_ bytes: FixedBytes<size>) {
        // No span of a parameter of any size; `FixedBytes.==` says why.
        self.init()
        reserveCapacity(size)
        for index in 0..<size { append(bytes[index]) }
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

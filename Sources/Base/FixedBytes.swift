/// A value of exactly `size` octets, stored inline: digests, public keys, nonces, identifiers.
///
/// Not for secrets: those are in `Secret`, which wipes its storage.
package struct FixedBytes<let size: Int>: Sendable {
    package var storage: InlineArray<size, UInt8>

    /// All octets zero.
    @inlinable package init() {
        storage = InlineArray(repeating: 0)
    }

    /// Copies `bytes`, or nil when their count is not `size`.
    @inlinable package init?(_ bytes: Span<UInt8>) {
        guard bytes.count == size else { return nil }
        self.init(copying: bytes)
    }

    /// Copies `bytes`, whose count is `size`.
    @inlinable package init(copying bytes: Span<UInt8>) {
        precondition(bytes.count == size, "the count was checked by the caller")
        storage = InlineArray(repeating: 0)
        var index = 0
        while index < size {
            storage[index] = bytes[index]
            index += 1
        }
    }

    @inlinable package var span: Span<UInt8> {
        @_lifetime(borrow self)
        get { storage.span }
    }

    @inlinable package var mutableSpan: MutableSpan<UInt8> {
        @_lifetime(&self)
        mutating get { storage.mutableSpan }
    }

    @inlinable package subscript(index: Int) -> UInt8 {
        get { storage[index] }
        set { storage[index] = newValue }
    }
}

extension FixedBytes: Equatable {
    package static func == (left: FixedBytes, right: FixedBytes) -> Bool {
        left.span.isEqual(to: right.span)
    }
}

extension FixedBytes: Hashable {
    package func hash(into hasher: inout Hasher) {
        for index in 0..<size { hasher.combine(storage[index]) }
    }
}

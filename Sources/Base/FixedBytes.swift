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

    /// Not to be asked of a parameter in a function that is generic over `size`; `==` says why.
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
    /// In constant time, as `Span.isEqual`.
    ///
    /// It takes no spans of its operands: Swift 6.3.1 may specialise a generic function for a
    /// size that fits registers, and then a span of a parameter outlives what it points to.
    package static func == (left: FixedBytes, right: FixedBytes) -> Bool {
        var difference: UInt8 = 0
        var index = 0
        while index < size {
            difference |= left.storage[index] ^ right.storage[index]
            index += 1
        }
        return difference == 0
    }
}

extension FixedBytes: Hashable {
    package func hash(into hasher: inout Hasher) {
        for index in 0..<size { hasher.combine(storage[index]) }
    }
}

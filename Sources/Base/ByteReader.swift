/// A cursor over borrowed bytes. Every read checks its bound and moves on, or throws and stays.
///
/// Copying a reader is cheap and is the way to look ahead.
package struct ByteReader: ~Escapable {
    package let bytes: Span<UInt8>
    /// Octets consumed so far; 0 ... `bytes.count`.
    package private(set) var offset: Int

    @inlinable @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
        self.offset = 0
    }

    @inlinable package var remaining: Int { bytes.count - offset }
    @inlinable package var isAtEnd: Bool { offset == bytes.count }

    @inlinable @_lifetime(self: copy self)
    package mutating func uint8() throws(ByteError) -> UInt8 {
        guard remaining >= 1 else { throw .truncated(at: offset) }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Reads `width` octets, least significant first; `width` is 1 ... 8.
    @inlinable @_lifetime(self: copy self)
    package mutating func littleEndian(width: Int) throws(ByteError) -> UInt64 {
        precondition(width >= 1 && width <= 8, "an integer has 1 to 8 octets")
        guard remaining >= width else { throw .truncated(at: offset) }
        var value: UInt64 = 0
        var index = 0
        while index < width {
            value |= UInt64(bytes[offset + index]) << UInt64(8 * index)
            index += 1
        }
        offset += width
        return value
    }

    /// Reads `width` octets, most significant first; `width` is 1 ... 8.
    @inlinable @_lifetime(self: copy self)
    package mutating func bigEndian(width: Int) throws(ByteError) -> UInt64 {
        precondition(width >= 1 && width <= 8, "an integer has 1 to 8 octets")
        guard remaining >= width else { throw .truncated(at: offset) }
        var value: UInt64 = 0
        var index = 0
        while index < width {
            value = value << 8 | UInt64(bytes[offset + index])
            index += 1
        }
        offset += width
        return value
    }

    @inlinable @_lifetime(self: copy self)
    package mutating func uint16() throws(ByteError) -> UInt16 {
        UInt16(truncatingIfNeeded: try littleEndian(width: 2))
    }

    @inlinable @_lifetime(self: copy self)
    package mutating func uint32() throws(ByteError) -> UInt32 {
        UInt32(truncatingIfNeeded: try littleEndian(width: 4))
    }

    @inlinable @_lifetime(self: copy self)
    package mutating func uint64() throws(ByteError) -> UInt64 {
        try littleEndian(width: 8)
    }

    /// Borrows the next `count` octets; a negative count is the caller's fault.
    @inlinable @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func bytes(count: Int) throws(ByteError) -> Span<UInt8> {
        guard remaining >= count else { throw .truncated(at: offset) }
        let part = bytes.extracting(offset..<(offset + count))
        offset += count
        return part
    }

    /// Borrows everything that is left and moves to the end.
    @inlinable @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func rest() -> Span<UInt8> {
        let part = bytes.extracting(offset..<bytes.count)
        offset = bytes.count
        return part
    }
}

/// Why bytes could not be read or written.
package enum ByteError: Error, Equatable {
    /// The input ended before the value that begins at this offset.
    case truncated(at: Int)
    /// The output buffer cannot hold what is to be written at this offset.
    case full(at: Int)
}

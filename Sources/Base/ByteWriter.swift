/// Appends to a borrowed buffer of fixed size; a write that does not fit throws and writes nothing.
package struct ByteWriter: ~Copyable, ~Escapable {
    @usableFromInline var buffer: MutableSpan<UInt8>
    /// Octets written so far; 0 ... the buffer's size.
    package private(set) var count: Int

    @inlinable @_lifetime(copy buffer)
    package init(_ buffer: consuming MutableSpan<UInt8>) {
        self.buffer = buffer
        self.count = 0
    }

    @inlinable package var freeCapacity: Int { buffer.count - count }

    /// What was written so far, to look back at.
    @inlinable package var written: Span<UInt8> {
        @_lifetime(borrow self)
        get { buffer.span.extracting(0..<count) }
    }

    @inlinable @_lifetime(self: copy self)
    package mutating func uint8(_ value: UInt8) throws(ByteError) {
        guard freeCapacity >= 1 else { throw .full(at: count) }
        buffer[count] = value
        count += 1
    }

    /// Writes the low `width` octets of `value`, least significant first; `width` is 1 ... 8.
    @inlinable @_lifetime(self: copy self)
    package mutating func littleEndian(_ value: UInt64, width: Int) throws(ByteError) {
        precondition(width >= 1 && width <= 8, "an integer has 1 to 8 octets")
        guard freeCapacity >= width else { throw .full(at: count) }
        var index = 0
        while index < width {
            buffer[count + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
            index += 1
        }
        count += width
    }

    /// Writes the low `width` octets of `value`, most significant first; `width` is 1 ... 8.
    @inlinable @_lifetime(self: copy self)
    package mutating func bigEndian(_ value: UInt64, width: Int) throws(ByteError) {
        precondition(width >= 1 && width <= 8, "an integer has 1 to 8 octets")
        guard freeCapacity >= width else { throw .full(at: count) }
        var index = 0
        while index < width {
            let shift = UInt64(8 * (width - 1 - index))
            buffer[count + index] = UInt8(truncatingIfNeeded: value >> shift)
            index += 1
        }
        count += width
    }

    @inlinable @_lifetime(self: copy self)
    package mutating func uint16(_ value: UInt16) throws(ByteError) {
        try littleEndian(UInt64(value), width: 2)
    }

    @inlinable @_lifetime(self: copy self)
    package mutating func uint32(_ value: UInt32) throws(ByteError) {
        try littleEndian(UInt64(value), width: 4)
    }

    @inlinable @_lifetime(self: copy self)
    package mutating func uint64(_ value: UInt64) throws(ByteError) {
        try littleEndian(value, width: 8)
    }

    @inlinable @_lifetime(self: copy self)
    package mutating func bytes(_ source: Span<UInt8>) throws(ByteError) {
        guard freeCapacity >= source.count else { throw .full(at: count) }
        var index = 0
        while index < source.count {
            buffer[count + index] = source[index]
            index += 1
        }
        count += source.count
    }

    /// Overwrites two octets written earlier, least significant first (a length known afterwards).
    @inlinable @_lifetime(self: copy self)
    package mutating func overwrite(uint16 value: UInt16, at offset: Int) {
        precondition(offset >= 0 && offset + 2 <= count, "only what was written can be overwritten")
        buffer[offset] = UInt8(truncatingIfNeeded: value)
        buffer[offset + 1] = UInt8(truncatingIfNeeded: value >> 8)
    }

    /// Forgets everything written after `count` (an attempt that did not fit).
    @inlinable @_lifetime(self: copy self)
    package mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "a writer can only be shortened")
        self.count = count
    }
}

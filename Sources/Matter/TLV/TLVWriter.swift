internal import Base

/// Writes TLV into a borrowed buffer, each value in its shortest form. Core Appendix A.
package struct TLVWriter: ~Copyable, ~Escapable {
    private var bytes: ByteWriter
    package private(set) var depth = 0

    @_lifetime(copy buffer)
    package init(_ buffer: consuming MutableSpan<UInt8>) {
        bytes = ByteWriter(buffer)
    }

    /// Octets written so far.
    package var count: Int { bytes.count }

    @_lifetime(self: copy self)
    package mutating func unsigned(_ value: UInt64, tag: TLVTag) throws(TLVError) {
        let width = Self.width(value)
        try put(type: 0x04, width: width, tag: tag, payload: value, of: width)
    }

    @_lifetime(self: copy self)
    package mutating func signed(_ value: Int64, tag: TLVTag) throws(TLVError) {
        let width =
            switch value {
            case -0x80...0x7F: 1
            case -0x8000...0x7FFF: 2
            case -0x8000_0000...0x7FFF_FFFF: 4
            default: 8
            }
        try put(type: 0x00, width: width, tag: tag, payload: UInt64(bitPattern: value), of: width)
    }

    @_lifetime(self: copy self)
    package mutating func boolean(_ value: Bool, tag: TLVTag) throws(TLVError) {
        try put(type: value ? 0x09 : 0x08, tag: tag)
    }

    @_lifetime(self: copy self)
    package mutating func float(_ value: Float, tag: TLVTag) throws(TLVError) {
        try put(type: 0x0A, tag: tag, payload: UInt64(value.bitPattern), of: 4)
    }

    @_lifetime(self: copy self)
    package mutating func double(_ value: Double, tag: TLVTag) throws(TLVError) {
        try put(type: 0x0B, tag: tag, payload: value.bitPattern, of: 8)
    }

    @_lifetime(self: copy self)
    package mutating func null(tag: TLVTag) throws(TLVError) {
        try put(type: 0x14, tag: tag)
    }

    /// The octets are taken to be UTF-8; a `String` gives nothing else.
    @_lifetime(self: copy self)
    package mutating func utf8(_ value: Span<UInt8>, tag: TLVTag) throws(TLVError) {
        try string(type: 0x0C, value, tag: tag)
    }

    @_lifetime(self: copy self)
    package mutating func octets(_ value: Span<UInt8>, tag: TLVTag) throws(TLVError) {
        try string(type: 0x10, value, tag: tag)
    }

    @_lifetime(self: copy self)
    package mutating func open(_ container: TLVContainer, tag: TLVTag) throws(TLVError) {
        precondition(container != .none, "only a structure, an array or a list can be opened")
        guard depth < Limits.tlvDepth else { throw .tooDeep(at: count) }
        try put(type: ElementType.structure + container.rawValue - 1, tag: tag)
        depth += 1
    }

    @_lifetime(self: copy self)
    package mutating func end() throws(TLVError) {
        precondition(depth > 0, "no container is open")
        try put(type: ElementType.endOfContainer, tag: .anonymous)
        depth -= 1
    }

    /// Writes an element that is already encoded, whatever its tag, under `tag`.
    /// - Parameter element: exactly one element, checked when it was read.
    @_lifetime(self: copy self)
    package mutating func element(_ element: Span<UInt8>, tag: TLVTag) throws(TLVError) {
        var reader = TLVReader(element)
        _ = try reader.require()
        let form = element[0] >> 5
        let tagBytes = Self.tagWidths[Int(form)]
        let mark = bytes.count
        try put(type: element[0] & 0x1F, tag: tag)
        do throws(ByteError) {
            try bytes.bytes(element.extracting((1 + tagBytes)..<element.count))
        } catch {
            bytes.truncate(to: mark)
            throw .full(at: mark)
        }
    }

    /// Forgets what was written after `mark`, an earlier `count` at the same depth.
    @_lifetime(self: copy self)
    package mutating func rewind(to mark: Int, depth: Int) {
        bytes.truncate(to: mark)
        self.depth = depth
    }
}

extension TLVWriter {
    /// Octets of each tag form, Core Appendix A.7.2.
    private static let tagWidths: InlineArray<8, Int> = [0, 1, 2, 4, 2, 4, 6, 8]

    private static func width(_ value: UInt64) -> Int {
        switch value {
        case 0...0xFF: 1
        case 0...0xFFFF: 2
        case 0...0xFFFF_FFFF: 4
        default: 8
        }
    }

    /// Writes control octet and tag, then `of` octets of `payload`. The two low bits of a sized
    /// type are the logarithm of `width`.
    @_lifetime(self: copy self)
    private mutating func put(
        type: UInt8, width: Int = 1, tag: TLVTag, payload: UInt64 = 0, of octets: Int = 0
    ) throws(TLVError) {
        let type = type | UInt8(truncatingIfNeeded: width.trailingZeroBitCount)
        let mark = bytes.count
        do throws(ByteError) {
            try head(type, tag)
            if octets > 0 { try bytes.littleEndian(payload, width: octets) }
        } catch {
            bytes.truncate(to: mark)
            throw .full(at: mark)
        }
    }

    @_lifetime(self: copy self)
    private mutating func head(_ type: UInt8, _ tag: TLVTag) throws(ByteError) {
        switch tag {
        case .anonymous:
            try bytes.uint8(type)
        case .context(let number):
            try bytes.uint8(0x20 | type)
            try bytes.uint8(number)
        case .commonProfile(let number):
            try bytes.uint8((number <= 0xFFFF ? 0x40 : 0x60) | type)
            try bytes.littleEndian(UInt64(number), width: number <= 0xFFFF ? 2 : 4)
        case .implicitProfile(let number):
            try bytes.uint8((number <= 0xFFFF ? 0x80 : 0xA0) | type)
            try bytes.littleEndian(UInt64(number), width: number <= 0xFFFF ? 2 : 4)
        case .fullyQualified(let vendor, let profile, let number):
            try bytes.uint8((number <= 0xFFFF ? 0xC0 : 0xE0) | type)
            try bytes.uint16(vendor)
            try bytes.uint16(profile)
            try bytes.littleEndian(UInt64(number), width: number <= 0xFFFF ? 2 : 4)
        }
    }

    @_lifetime(self: copy self)
    private mutating func string(
        type: UInt8, _ value: Span<UInt8>, tag: TLVTag
    ) throws(TLVError) {
        let width = Self.width(UInt64(value.count))
        let mark = bytes.count
        try put(type: type, width: width, tag: tag, payload: UInt64(value.count), of: width)
        do throws(ByteError) { try bytes.bytes(value) } catch {
            bytes.truncate(to: mark)
            throw .full(at: mark)
        }
    }
}

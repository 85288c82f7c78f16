internal import Base

/// Walks TLV element by element over borrowed bytes, without recursion and without copying.
///
/// Containers are walked flat: `next()` gives their opening, their members and their end.
/// `content(of:)` takes a container as a whole instead. Every length is checked against what
/// is there, and nesting against `Limits.tlvDepth`. Core Appendix A.
package struct TLVReader: ~Escapable {
    private var bytes: ByteReader
    /// Two bits per open container, the innermost lowest: its `TLVContainer`.
    private var kinds: UInt64
    /// Containers open at this point.
    package private(set) var depth: Int

    /// - Parameter container: the kind of container whose content `bytes` is.
    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>, in container: TLVContainer = .none) {
        self.bytes = ByteReader(bytes)
        self.kinds = UInt64(container.rawValue)
        self.depth = 0
    }

    package var offset: Int { bytes.offset }
    package var isAtEnd: Bool { bytes.isAtEnd }

    /// The next element, or nil at the end of the bytes.
    /// - Throws: what is malformed, with the offset of the element; `truncated` when the bytes
    ///   end inside a container.
    @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func next() throws(TLVError) -> TLVElement? {
        let start = bytes.offset
        var problem: TLVError?
        if bytes.isAtEnd {
            guard depth == 0 else { throw .truncated(at: start) }
            return nil
        }
        do throws(ByteError) {
            let control = try bytes.uint8()
            let tag = try tag(form: control >> 5)
            let type = control & 0x1F
            problem = self.problem(tag: tag, type: type, at: start)
            if problem == nil {
                return TLVElement(tag: tag, value: try value(type: type), offset: start)
            }
        } catch {
            problem = .truncated(at: start)
        }
        throw problem ?? .truncated(at: start)
    }

    /// The element that must be there.
    @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func require() throws(TLVError) -> TLVElement {
        let start = bytes.offset
        guard let element = try next() else { throw .truncated(at: start) }
        return element
    }

    /// Having read the opening of a container, takes everything up to its end
    /// and moves past the end.
    @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func content() throws(TLVError) -> Span<UInt8> {
        precondition(depth > 0, "content() follows the opening of a container")
        let start = bytes.offset
        let outer = depth - 1
        var end = start
        while depth > outer {
            end = bytes.offset
            _ = try require()
        }
        return bytes.bytes.extracting(start..<end)
    }

    /// Passes over the rest of the element just read: nothing, or a container's members and end.
    @_lifetime(self: copy self)
    package mutating func skip(_ element: borrowing TLVElement) throws(TLVError) {
        if case .open = element.value { _ = try content() }
    }

    /// All octets of the element just read, from its control octet to its last.
    @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func whole(_ element: borrowing TLVElement) throws(TLVError) -> Span<UInt8> {
        try skip(element)
        return bytes.bytes.extracting(element.offset..<bytes.offset)
    }
}

extension TLVReader {
    private var innermost: TLVContainer { TLVContainer(rawValue: UInt8(kinds & 3)) ?? .none }

    @_lifetime(self: copy self)
    private mutating func tag(form: UInt8) throws(ByteError) -> TLVTag {
        switch form {
        case 0: return .anonymous
        case 1: return .context(try bytes.uint8())
        case 2: return .commonProfile(UInt32(try bytes.uint16()))
        case 3: return .commonProfile(try bytes.uint32())
        case 4: return .implicitProfile(UInt32(try bytes.uint16()))
        case 5: return .implicitProfile(try bytes.uint32())
        default:
            let vendor = try bytes.uint16()
            let profile = try bytes.uint16()
            let number = form == 6 ? UInt32(try bytes.uint16()) : try bytes.uint32()
            return .fullyQualified(vendor: vendor, profile: profile, number: number)
        }
    }

    private func problem(tag: TLVTag, type: UInt8, at offset: Int) -> TLVError? {
        switch type {
        case ElementType.endOfContainer:
            if depth == 0 { return .unbalancedEnd(at: offset) }
            return tag == .anonymous ? nil : .misplacedTag(at: offset)
        case ElementType.structure...ElementType.list where depth >= Limits.tlvDepth:
            return .tooDeep(at: offset)
        case (ElementType.endOfContainer + 1)...:
            return .unknownType(at: offset)
        default: break
        }
        return switch innermost {
        case .structure where tag == .anonymous: .misplacedTag(at: offset)
        case .array where tag != .anonymous: .misplacedTag(at: offset)
        default: nil
        }
    }

    @_lifetime(copy self) @_lifetime(self: copy self)
    private mutating func value(type: UInt8) throws(ByteError) -> TLVValue {
        let width = 1 << Int(type & 3)
        switch type {
        case 0x00...0x03:
            let shift = UInt64(64 - 8 * width)
            let raw = try bytes.littleEndian(width: width)
            return .signed(Int64(bitPattern: raw << shift) >> Int64(shift))
        case 0x04...0x07: return .unsigned(try bytes.littleEndian(width: width))
        case 0x08, 0x09: return .boolean(type == 0x09)
        case 0x0A: return .float(Float(bitPattern: try bytes.uint32()))
        case 0x0B: return .double(Double(bitPattern: try bytes.uint64()))
        case 0x0C...0x0F: return .utf8(try string(lengthWidth: width))
        case 0x10...0x13: return .octets(try string(lengthWidth: width))
        case 0x14: return .null
        case ElementType.endOfContainer:
            kinds >>= 2
            depth -= 1
            return .end
        default:
            let kind = TLVContainer(rawValue: type - ElementType.structure + 1) ?? .list
            kinds = kinds << 2 | UInt64(kind.rawValue)
            depth += 1
            return .open(kind)
        }
    }

    @_lifetime(copy self) @_lifetime(self: copy self)
    private mutating func string(lengthWidth: Int) throws(ByteError) -> Span<UInt8> {
        let start = bytes.offset
        let length = try bytes.littleEndian(width: lengthWidth)
        guard length <= UInt64(bytes.remaining) else { throw .truncated(at: start) }
        return try bytes.bytes(count: Int(length))
    }
}

/// Core Appendix A.7.1: the element types that are named in code.
enum ElementType {
    static let structure: UInt8 = 0x15
    static let array: UInt8 = 0x16
    static let list: UInt8 = 0x17
    static let endOfContainer: UInt8 = 0x18
}

package import Base

/// A value that is one TLV element, and one JSON value at the console.
package protocol TLVCodable {
    /// - Parameters:
    ///   - element: the element just read.
    ///   - reader: stands behind `element`; a container is consumed to its end.
    init(from element: borrowing TLVElement, _ reader: inout TLVReader) throws(TLVError)
    @_lifetime(writer: copy writer)
    func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError)

    var json: JSONValue { get }
    /// - Throws: `wrongType` or `outOfRange` without a tag.
    init(json: JSONValue) throws(TLVError)

    /// What an absent field reads as; nil where absence is a fault of the peer.
    static var absent: Self? { get }
    /// True where the field is left out when written.
    var isAbsent: Bool { get }
}

extension TLVCodable {
    package static var absent: Self? { nil }
    package var isAbsent: Bool { false }
}

/// Goes through the fields of a structure in the order in which it lists them.
package protocol FieldVisitor: ~Copyable, ~Escapable {
    /// - Parameters:
    ///   - tag: the context tag.
    ///   - name: the specification's name, as the console spells it.
    mutating func callAsFunction<Value: TLVCodable>(
        _ tag: UInt8, _ name: StaticString, _ value: inout Value
    ) throws(TLVError)
}

/// What a structure's `fields` takes: `inout some FieldList`.
package typealias FieldList = FieldVisitor & ~Copyable & ~Escapable

/// A structure as a table: one list of fields reads and writes it, as TLV and as JSON.
package protocol TLVStructure: TLVCodable {
    init()
    mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError)
    /// Lists where the specification says so (paths), structures otherwise.
    static var container: TLVContainer { get }
}

extension TLVStructure {
    package static var container: TLVContainer { .structure }

    @_semantics("optimize.sil.specialize.generic.never")
    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        try element.expect(Self.container)
        self.init()
        var visitor = TLVFieldReader(try reader.content())
        try fields(&visitor)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.open(Self.container, tag: tag)
        var copy = self
        var failure: TLVError?
        var visitor = TLVFieldWriter(writer)
        do throws(TLVError) { try copy.fields(&visitor) } catch { failure = error }
        writer = visitor.finish()
        if let failure { throw failure }
        try writer.end()
    }

    @_semantics("optimize.sil.specialize.generic.never")
    package var json: JSONValue {
        var copy = self
        var visitor = JSONFieldWriter()
        // Writing JSON refuses nothing; only reading does.
        do throws(TLVError) { try copy.fields(&visitor) } catch { return .null }
        return .object(visitor.members)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    package init(json: JSONValue) throws(TLVError) {
        guard case .object(let members) = json else { throw .wrongType(tag: nil) }
        self.init()
        var visitor = JSONFieldReader(members)
        try fields(&visitor)
        if visitor.unread > 0 { throw .unknownField }
    }
}

extension TLVCodable {
    /// Decodes octets that are this one value and nothing else, whatever its tag.
    package init(tlv bytes: Span<UInt8>) throws(TLVError) {
        var reader = TLVReader(bytes)
        let element = try reader.require()
        try self.init(from: element, &reader)
        guard reader.isAtEnd else { throw .trailingBytes(at: reader.offset) }
    }
}

extension TLVCodable {
    /// - Parameter capacity: octets beyond which the value does not fit (`full`).
    package func tlv(capacity: Int, tag: TLVTag = .anonymous) throws(TLVError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: capacity)
        var writer = TLVWriter(bytes.mutableSpan)
        try encode(&writer, tag: tag)
        let count = writer.count
        bytes.removeLast(capacity - count)
        return bytes
    }
}

extension TLVStructure {
    /// A structure whose fields `set` fills: `ArmFailSafe { $0.expiryLengthSeconds = 60 }`.
    package init(_ set: (inout Self) -> Void) {
        self.init()
        set(&self)
    }
}

/// Finds each field by its tag. Peers may write the members of a structure in any order and may
/// know fields that we do not, so a search starts behind the last field found and wraps once.
package struct TLVFieldReader: FieldVisitor, ~Escapable {
    private let content: Span<UInt8>
    private var position = 0

    @_lifetime(copy content)
    package init(_ content: Span<UInt8>) {
        self.content = content
    }

    @_lifetime(self: copy self)
    package mutating func callAsFunction<Value: TLVCodable>(
        _ tag: UInt8, _ name: StaticString, _ value: inout Value
    ) throws(TLVError) {
        if try search(tag, from: position, to: content.count, &value) { return }
        if try search(tag, from: 0, to: position, &value) { return }
        guard let absent = Value.absent else { throw .missing(tag: tag) }
        value = absent
    }

    @_semantics("optimize.sil.specialize.generic.never")
    @_lifetime(self: copy self)
    private mutating func search<Value: TLVCodable>(
        _ tag: UInt8, from start: Int, to end: Int, _ value: inout Value
    ) throws(TLVError) -> Bool {
        var reader = TLVReader(content.extracting(start..<end))
        while let element = try reader.next() {
            if element.contextTag == tag {
                value = try Value(from: element, &reader)
                position = start + reader.offset
                return true
            }
            try reader.skip(element)
        }
        return false
    }
}

package struct TLVFieldWriter: FieldVisitor, ~Copyable, ~Escapable {
    private var writer: TLVWriter

    @_lifetime(copy writer)
    init(_ writer: consuming TLVWriter) {
        self.writer = writer
    }

    @_lifetime(self: copy self)
    package mutating func callAsFunction<Value: TLVCodable>(
        _ tag: UInt8, _ name: StaticString, _ value: inout Value
    ) throws(TLVError) {
        if value.isAbsent { return }
        try value.encode(&writer, tag: .context(tag))
    }

    @_lifetime(copy self)
    consuming func finish() -> TLVWriter { writer }
}

/// JSON is for people at a console: its code is kept once, for all structures.
struct JSONFieldWriter: FieldVisitor {
    private(set) var members: [(key: String, value: JSONValue)] = []

    @_semantics("optimize.sil.specialize.generic.never")
    mutating func callAsFunction<Value: TLVCodable>(
        _ tag: UInt8, _ name: StaticString, _ value: inout Value
    ) throws(TLVError) {
        if value.isAbsent { return }
        members.append((name.description, value.json))
    }
}

struct JSONFieldReader: FieldVisitor {
    private let members: [(key: String, value: JSONValue)]
    /// Members that no field has taken; a misspelt name must not be dropped in silence.
    private(set) var unread: Int

    init(_ members: [(key: String, value: JSONValue)]) {
        self.members = members
        unread = members.count
    }

    @_semantics("optimize.sil.specialize.generic.never")
    mutating func callAsFunction<Value: TLVCodable>(
        _ tag: UInt8, _ name: StaticString, _ value: inout Value
    ) throws(TLVError) {
        guard let member = members.first(where: { $0.key == name.description }) else {
            guard let absent = Value.absent else { throw .missing(tag: tag) }
            value = absent
            return
        }
        value = try Value(json: member.value)
        unread -= 1
    }
}

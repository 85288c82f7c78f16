package import Base

/// A nil field is absent; what may be null is a `Nullable`.
extension Optional: TLVCodable where Wrapped: TLVCodable {
    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        self = try Wrapped(from: element, &reader)
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        if let self { try self.encode(&writer, tag: tag) }
    }

    package static var absent: Wrapped?? { .some(.none) }
    package var isAbsent: Bool { self == nil }

    package var json: JSONValue { self?.json ?? .null }

    package init(json: JSONValue) throws(TLVError) { self = try Wrapped(json: json) }
}

/// A field that is there and may be null. Core §7.17.1 (quality X).
package enum Nullable<Wrapped: TLVCodable>: TLVCodable {
    case null
    case value(Wrapped)

    package var value: Wrapped? { if case .value(let value) = self { value } else { nil } }

    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        self = element.isNull ? .null : .value(try Wrapped(from: element, &reader))
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        switch self {
        case .null: try writer.null(tag: tag)
        case .value(let value): try value.encode(&writer, tag: tag)
        }
    }

    package var json: JSONValue { value?.json ?? .null }

    package init(json: JSONValue) throws(TLVError) {
        self = json == .null ? .null : .value(try Wrapped(json: json))
    }
}

extension Nullable: Equatable where Wrapped: Equatable {}
extension Nullable: Hashable where Wrapped: Hashable {}
extension Nullable: Sendable where Wrapped: Sendable {}

/// Written as an array; read from an array, or from a list where a structure says so.
extension Array: TLVCodable where Element: TLVCodable {
    @_semantics("optimize.sil.specialize.generic.never")
    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        guard case .open(let kind) = element.value, kind != .structure else {
            throw .wrongType(tag: element.contextTag)
        }
        self.init()
        var members = TLVReader(try reader.content(), in: kind)
        while let member = try members.next() {
            append(try Element(from: member, &members))
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.open(.array, tag: tag)
        for member in self { try member.encode(&writer, tag: .anonymous) }
        try writer.end()
    }

    @_semantics("optimize.sil.specialize.generic.never")
    package var json: JSONValue { .array(map(\.json)) }

    @_semantics("optimize.sil.specialize.generic.never")
    package init(json: JSONValue) throws(TLVError) {
        guard case .array(let values) = json else { throw .wrongType(tag: nil) }
        self.init()
        for value in values { append(try Element(json: value)) }
    }
}

extension TLVCodable where Self: Identifier {
    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        self.init(try element.integer(as: RawValue.self))
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.unsigned(UInt64(rawValue), tag: tag)
    }

    package var json: JSONValue { .unsigned(fitting: rawValue) }

    package init(json: JSONValue) throws(TLVError) {
        switch json {
        case .integer(let number):
            guard let value = RawValue(exactly: number) else { throw .outOfRange(tag: nil) }
            self.init(value)
        case .unsigned(let number):
            guard let value = RawValue(exactly: number) else { throw .outOfRange(tag: nil) }
            self.init(value)
        default: throw .wrongType(tag: nil)
        }
    }
}

extension NodeID: TLVCodable {}
extension FabricID: TLVCodable {}
extension FabricIndex: TLVCodable {}
extension VendorID: TLVCodable {}
extension ProductID: TLVCodable {}
extension EndpointID: TLVCodable {}
extension ClusterID: TLVCodable {}
extension AttributeID: TLVCodable {}
extension CommandID: TLVCodable {}
extension EventID: TLVCodable {}
extension DeviceTypeID: TLVCodable {}
extension SessionID: TLVCodable {}

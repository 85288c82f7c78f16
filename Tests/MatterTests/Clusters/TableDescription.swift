import Base
import Matter

/// What a table says of a value's type, in the words of `Tests/Peers/oracle.py`.
indirect enum TypeDescription {
    /// A number, a flag, text or octets: the name of its Swift type.
    case leaf(String)
    /// The table leaves the type open.
    case untyped
    case optional(TypeDescription)
    case nullable(TypeDescription)
    case list(TypeDescription)
    case named([(name: String, number: UInt64)])
    case structure([FieldDescription])

    init(_ type: Any.Type) {
        if let described = type as? any Described.Type {
            self = described.description
        } else if let structure = type as? any TLVStructure.Type {
            self = .structure(structure.fieldDescriptions)
        } else {
            self = .leaf("\(type)")
        }
    }

    var json: JSONValue {
        switch self {
        case .leaf(let name): object(("kind", .string("leaf")), ("name", .string(name)))
        case .untyped: object(("kind", .string("untyped")))
        case .optional(let type): object(("kind", .string("optional")), ("of", type.json))
        case .nullable(let type): object(("kind", .string("nullable")), ("of", type.json))
        case .list(let type): object(("kind", .string("list")), ("of", type.json))
        case .named(let cases):
            object(
                ("kind", .string("enum")),
                ("cases", .array(cases.map { .array([.string($0.name), $0.number.json]) })))
        case .structure(let fields):
            object(("kind", .string("struct")), ("fields", .array(fields.map(\.json))))
        }
    }
}

struct FieldDescription {
    let tag: UInt8
    let name: String
    let type: TypeDescription

    var json: JSONValue {
        object(("tag", tag.json), ("name", .string(name)), ("type", type.json))
    }
}

extension TLVStructure {
    static var fieldDescriptions: [FieldDescription] {
        var value = Self()
        var list = FieldDescriptions()
        // The list refuses nothing.
        do throws(TLVError) { try value.fields(&list) } catch { return [] }
        return list.fields
    }
}

private struct FieldDescriptions: FieldVisitor {
    var fields: [FieldDescription] = []

    mutating func callAsFunction<Value: TLVCodable>(
        _ tag: UInt8, _ name: StaticString, _ value: inout Value
    ) throws(TLVError) {
        let type = TypeDescription(Value.self)
        fields.append(FieldDescription(tag: tag, name: name.description, type: type))
    }
}

/// A type that is more than its name.
private protocol Described {
    static var description: TypeDescription { get }
}

extension Optional: Described {
    fileprivate static var description: TypeDescription { .optional(TypeDescription(Wrapped.self)) }
}

extension Nullable: Described {
    fileprivate static var description: TypeDescription { .nullable(TypeDescription(Wrapped.self)) }
}

extension Array: Described {
    fileprivate static var description: TypeDescription { .list(TypeDescription(Element.self)) }
}

extension OpenEnum: Described {
    fileprivate static var description: TypeDescription {
        .named(Known.allCases.map { ("\($0)", UInt64($0.rawValue)) })
    }
}

extension EncodedElement: Described {
    fileprivate static var description: TypeDescription { .untyped }
}

// The tables keep the types of their lines to themselves; the tests look inside.

extension AttributeInfo {
    var description: TypeDescription? {
        (Mirror(reflecting: self).descendant("type") as? Any.Type).map(TypeDescription.init)
    }

    var json: JSONValue {
        object(
            ("id", id.rawValue.json), ("name", .string(name.description)),
            ("writable", .boolean(access == .readWrite)), ("type", description?.json ?? .null))
    }
}

extension CommandInfo {
    var command: (any Command.Type)? {
        Mirror(reflecting: self).descendant("type") as? any Command.Type
    }

    var json: JSONValue {
        object(
            ("id", id.rawValue.json), ("name", .string(name.description)),
            ("timed", .boolean(isTimed)),
            ("fields", .array(command?.fieldDescriptions.map(\.json) ?? [])),
            ("response", command?.responseJSON ?? .null))
    }
}

extension Command {
    fileprivate static var responseJSON: JSONValue {
        guard let response = Response.self as? any ResponseCommand.Type else { return .null }
        return object(
            ("id", response.id.rawValue.json), ("name", .string("\(response)")),
            ("fields", .array(response.fieldDescriptions.map(\.json))))
    }
}

extension Cluster {
    static var json: JSONValue {
        object(
            ("id", id.rawValue.json), ("name", .string(name.description)),
            ("attributes", .array(attributes.map(\.json))),
            ("commands", .array(commands.map(\.json))))
    }
}

private func object(_ members: (String, JSONValue)...) -> JSONValue {
    .object(members.map { (key: $0.0, value: $0.1) })
}

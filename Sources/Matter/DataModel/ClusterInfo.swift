package import Base

/// An attribute without its type, found by name or number and shown or written as JSON.
package struct AttributeInfo: Sendable {
    package let id: AttributeID
    package let name: StaticString
    package let access: AttributeAccess
    package let quantity: Quantity?
    private let type: any (TLVCodable & Sendable).Type

    package init<Value>(_ attribute: Attribute<Value>) {
        id = attribute.id
        name = attribute.name
        access = attribute.access
        quantity = attribute.quantity
        type = Value.self
    }

    /// - Throws: when the value is not of the attribute's type.
    package func json(_ value: EncodedElement) throws(TLVError) -> JSONValue {
        try type.json(of: value)
    }

    /// - Throws: when the value is not of the attribute's type.
    package func check(_ value: EncodedElement) throws(TLVError) {
        try type.check(value)
    }

    /// - Throws: when the value is not of the attribute's type, or too long for a message.
    package func element(_ json: JSONValue) throws(TLVError) -> EncodedElement {
        try type.element(of: json)
    }
}

/// A command without its type, found by name or number and invoked with JSON.
package struct CommandInfo: Sendable {
    package let cluster: ClusterID
    package let id: CommandID
    package let name: StaticString
    package let isTimed: Bool
    private let type: any Command.Type

    package init<Invoked: Command>(_ command: Invoked.Type) {
        cluster = Invoked.cluster
        id = Invoked.id
        name = Invoked.name
        isTimed = Invoked.isTimed
        type = command
    }

    /// - Parameter json: an object of the command's fields.
    /// - Throws: `malformed` when `json` does not fit the command, `tooLarge`.
    package func client(
        _ json: JSONValue, endpoint: EndpointID
    ) throws(InteractionError) -> InvokeClient {
        try type.client(json, endpoint: endpoint)
    }

    /// The response's fields, or null where the command has none.
    package func json(_ result: InvokeResult) throws(InteractionError) -> JSONValue {
        try type.json(of: result)
    }
}

extension TLVCodable {
    fileprivate static func check(_ value: EncodedElement) throws(TLVError) {
        _ = try value.decoded(as: Self.self)
    }

    fileprivate static func json(of value: EncodedElement) throws(TLVError) -> JSONValue {
        try value.decoded(as: Self.self).json
    }

    fileprivate static func element(of json: JSONValue) throws(TLVError) -> EncodedElement {
        try EncodedElement(try Self(json: json))
    }
}

extension Command {
    fileprivate static func client(
        _ json: JSONValue, endpoint: EndpointID
    ) throws(InteractionError) -> InvokeClient {
        let command: Self
        do throws(TLVError) {
            command = try Self(json: json)
        } catch {
            throw .malformed(error)
        }
        return try InvokeClient(command, endpoint: endpoint)
    }

    fileprivate static func json(of result: InvokeResult) throws(InteractionError) -> JSONValue {
        let response = try result.response(to: Self.self)
        return (response as? any ResponseCommand)?.json ?? .null
    }
}

internal import Base

/// A cluster as tables: its attributes and commands, a line for each. Core §7.10.
package protocol Cluster: SendableMetatype {
    static var id: ClusterID { get }
    /// Lower-case words joined by dashes, as the console spells it.
    static var name: StaticString { get }
    /// All attributes but the global ones, which every cluster has.
    static var attributes: [AttributeInfo] { get }
    static var commands: [CommandInfo] { get }
}

/// What the specification lets a client do with an attribute, given the privilege.
package enum AttributeAccess: Sendable {
    case read
    case readWrite
}

/// One attribute of a cluster and the type of its value. Core §7.12.
package struct Attribute<Value: TLVCodable & Sendable>: Sendable {
    package let cluster: ClusterID
    package let id: AttributeID
    package let name: StaticString
    package let access: AttributeAccess
    /// What the number counts, where it counts something.
    package let quantity: Quantity?

    package init(
        _ cluster: ClusterID, _ id: UInt32, _ name: StaticString,
        access: AttributeAccess = .read, quantity: Quantity? = nil
    ) {
        self.cluster = cluster
        self.id = AttributeID(id)
        self.name = name
        self.access = access
        self.quantity = quantity
    }

    package func path(_ endpoint: EndpointID) -> ConcreteAttributePath {
        ConcreteAttributePath(endpoint: endpoint, cluster: cluster, attribute: id)
    }
}

/// A request that a client sends to a cluster. Core §7.11.
package protocol Command: TLVStructure, Sendable {
    static var cluster: ClusterID { get }
    static var id: CommandID { get }
    static var name: StaticString { get }
    /// The specification demands a timed request before it (quality T).
    static var isTimed: Bool { get }
    /// Carried out twice it does no more than once, so that it may be sent again when it is not
    /// known whether it was heard.
    static var isRepeatable: Bool { get }
    associatedtype Response: CommandResponse = NoResponse
}

extension Command {
    package static var isTimed: Bool { false }
    package static var isRepeatable: Bool { false }
}

/// A command that is its id alone.
package protocol FieldlessCommand: Command {}

extension FieldlessCommand {
    package mutating func fields(_ field: inout some FieldList) throws(TLVError) {}
}

/// What a command brings when it was carried out.
package protocol CommandResponse: Sendable {
    /// - Throws: `missingResponse` when `result` is something else.
    init(of result: InvokeResult) throws(InteractionError)
}

/// The command is answered with a status alone.
package struct NoResponse: CommandResponse, Equatable {
    package init(of result: InvokeResult) throws(InteractionError) {
        guard case .success = result else { throw .missingResponse }
    }
}

/// A command that a cluster sends in answer to one of ours.
package protocol ResponseCommand: CommandResponse, TLVStructure {
    static var id: CommandID { get }
}

extension ResponseCommand {
    package init(of result: InvokeResult) throws(InteractionError) {
        guard case .response(Self.id, let fields) = result else { throw .missingResponse }
        do throws(TLVError) {
            self = try Self(tlv: fields.octets.span)
        } catch {
            throw .malformed(error)
        }
    }
}

extension Cluster {
    /// The attributes that every cluster has. Core §7.13.
    package static var clusterRevision: Attribute<UInt16> {
        Attribute(id, 0xFFFD, "cluster-revision")
    }
    package static var featureMap: Attribute<UInt32> {
        Attribute(id, 0xFFFC, "feature-map")
    }
    package static var attributeList: Attribute<[AttributeID]> {
        Attribute(id, 0xFFFB, "attribute-list")
    }
    package static var acceptedCommandList: Attribute<[CommandID]> {
        Attribute(id, 0xFFF9, "accepted-command-list")
    }
    package static var generatedCommandList: Attribute<[CommandID]> {
        Attribute(id, 0xFFF8, "generated-command-list")
    }

    package static var globalAttributes: [AttributeInfo] {
        table(
            generatedCommandList, acceptedCommandList, attributeList, featureMap, clusterRevision)
    }

    /// The attributes by their own types, listed without them.
    static func table<each Value>(
        _ attribute: repeat Attribute<each Value>
    ) -> [AttributeInfo] {
        var table: [AttributeInfo] = []
        repeat table.append(AttributeInfo(each attribute))
        return table
    }

    static func table<each Invoked: Command>(
        _ command: repeat (each Invoked).Type
    ) -> [CommandInfo] {
        var table: [CommandInfo] = []
        repeat table.append(CommandInfo(each command))
        return table
    }
}

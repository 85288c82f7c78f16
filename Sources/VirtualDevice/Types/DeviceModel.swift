package import Base
package import Matter

/// What one endpoint of the device is and does: its clusters and values, its commands and writes,
/// and how its values move with time.
///
/// A value without input or output: the owner calls `advance(to:)` first with every instant, then
/// hands in what came, then lets it `publish`; notes and events are drained after each.
package protocol DeviceModel: Sendable {
    /// What Descriptor says of the endpoint. Core §9.5.6.1.
    var deviceTypes: [Descriptor.DeviceTypeStruct] { get }
    /// The server clusters, without Descriptor.
    var clusters: [ClusterID] { get }
    /// What the console can set here.
    var words: [SettableWord] { get }

    /// Adds the clusters and the values that never change.
    func declare(in table: inout AttributeTable, on endpoint: EndpointID)
    /// Brings the values of now into the table.
    func publish(to table: inout AttributeTable, on endpoint: EndpointID)

    mutating func invoke(
        _ command: ModelCommand, at now: Instant
    ) throws(Refused) -> InvocationAnswer
    mutating func write(_ write: ModelWrite, at now: Instant) throws(Refused)
    /// What somebody does at the device itself, or the world to it.
    mutating func set(
        _ word: SettableWord, _ value: SettableValue, at now: Instant
    ) throws(SettingError)
    /// Its button.
    mutating func press(at now: Instant) throws(SettingError)
    /// Power came back: the start-up attributes decide. What lasts is as it was.
    mutating func restart(at now: Instant)

    mutating func advance(to now: Instant)
    var nextDeadline: Instant? { get }
    mutating func nextNote() -> ModelNote?
    mutating func nextEvent() -> ModelEvent?
}

extension DeviceModel {
    package mutating func press(at now: Instant) throws(SettingError) { throw .noButton }
    package mutating func nextEvent() -> ModelEvent? { nil }
}

/// A command that the server has found addressed to this endpoint and permitted.
package struct ModelCommand: Sendable {
    package let cluster: ClusterID
    package let command: CommandID
    package let fields: EncodedElement

    package init(cluster: ClusterID, command: CommandID, fields: EncodedElement) {
        self.cluster = cluster
        self.command = command
        self.fields = fields
    }

    func decoded<Fields: Command>(_ type: Fields.Type) throws(Refused) -> Fields {
        do throws(TLVError) { return try fields.decoded() } catch {
            throw Refused(.invalidCommand)
        }
    }
}

/// A new value for an attribute that the server has found writable and permitted.
package struct ModelWrite: Sendable {
    package let cluster: ClusterID
    package let attribute: AttributeID
    package let value: EncodedElement

    package init(cluster: ClusterID, attribute: AttributeID, value: EncodedElement) {
        self.cluster = cluster
        self.attribute = attribute
        self.value = value
    }

    func decoded<Value>(_ attribute: Attribute<Value>) throws(Refused) -> Value {
        do throws(TLVError) { return try value.decoded() } catch {
            throw Refused(.invalidDataType)
        }
    }
}

/// Why a command or a write is not carried out.
package struct Refused: Error, Equatable {
    package let status: InteractionStatus

    package init(_ status: InteractionStatus) { self.status = status }
}

extension EncodedElement {
    /// Of a value of our own, which is far smaller than a message.
    static func own(_ value: some TLVCodable) -> EncodedElement {
        do throws(TLVError) { return try EncodedElement(value) } catch {
            preconditionFailure("a model's values fit a message")
        }
    }
}

extension Descriptor.DeviceTypeStruct {
    init(_ id: UInt32, revision: UInt16) {
        self.init()
        deviceType = DeviceTypeID(id)
        self.revision = revision
    }
}

internal import Base
internal import Matter

/// A door or a window, which somebody opens at the console. Device Library §7.1.
struct ContactSensor: DeviceModel {
    private var identify = IdentifyServer(.visibleIndicator)
    /// StateValue: the contact is made.
    private var isClosed = true
    private var events = BoundedQueue<ModelEvent>()

    let deviceTypes = [Descriptor.DeviceTypeStruct(0x0015, revision: 2)]
    let clusters = [Identify.id, BooleanState.id]
    let words = [SettableWord.contact]

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        identify.declare(in: &table, on: endpoint)
        table.add(BooleanState.self, on: endpoint, revision: 1)
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        identify.publish(to: &table, on: endpoint)
        table.set(BooleanState.stateValue, isClosed, on: endpoint)
    }

    mutating func invoke(
        _ command: ModelCommand, at now: Instant
    ) throws(Refused) -> InvocationAnswer {
        guard command.cluster == Identify.id else { throw Refused(.unsupportedCommand) }
        return try identify.invoke(command, at: now)
    }

    mutating func write(_ write: ModelWrite, at now: Instant) throws(Refused) {
        guard write.cluster == Identify.id else { throw Refused(.unsupportedWrite) }
        try identify.write(write, at: now)
    }

    mutating func set(
        _ word: SettableWord, _ value: SettableValue, at now: Instant
    ) throws(SettingError) {
        guard word == .contact else { throw .notHere(word) }
        let isClosed = !(try value.flag(word))
        guard isClosed != self.isClosed else { return }
        self.isClosed = isClosed
        events.append(.stateChange(BooleanStateChange { $0.stateValue = isClosed }))
    }

    mutating func restart(at now: Instant) {}

    mutating func advance(to now: Instant) { identify.advance(to: now) }

    var nextDeadline: Instant? { identify.nextDeadline }

    mutating func nextNote() -> ModelNote? { identify.nextNote() }
    mutating func nextEvent() -> ModelEvent? { events.next() }
}

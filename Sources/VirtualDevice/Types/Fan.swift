internal import Base
internal import Matter

/// Device Library §9.3.
struct Fan: DeviceModel {
    private var identify = IdentifyServer(.actuator)
    private var fan = FanServer()
    private var notes = BoundedQueue<ModelNote>()

    let deviceTypes = [Descriptor.DeviceTypeStruct(0x002B, revision: 3)]
    let clusters = [Identify.id, Groups.id, FanControl.id]
    let words = [SettableWord.speed]

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        identify.declare(in: &table, on: endpoint)
        GroupsServer.declare(in: &table, on: endpoint)
        fan.declare(in: &table, on: endpoint)
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        identify.publish(to: &table, on: endpoint)
        fan.publish(to: &table, on: endpoint)
    }

    mutating func invoke(
        _ command: ModelCommand, at now: Instant
    ) throws(Refused) -> InvocationAnswer {
        switch (command.cluster, command.command) {
        case (Identify.id, _): return try identify.invoke(command, at: now)
        case (Groups.id, _):
            return try GroupsServer.invoke(command, isIdentifying: identify.seconds > 0)
        case (FanControl.id, FanControl.Step.id):
            let fields = try command.decoded(FanControl.Step.self)
            try telling { fan throws(Refused) in try fan.step(fields, at: now) }
            return .success
        default: throw Refused(.unsupportedCommand)
        }
    }

    mutating func write(_ write: ModelWrite, at now: Instant) throws(Refused) {
        switch write.cluster {
        case Identify.id: try identify.write(write, at: now)
        case FanControl.id:
            try telling { fan throws(Refused) in try fan.write(write, at: now) }
        default: throw Refused(.unsupportedWrite)
        }
    }

    private mutating func telling(
        _ change: (inout FanServer) throws(Refused) -> Void
    ) throws(Refused) {
        let before = fan
        try change(&fan)
        if fan.mode != before.mode { notes.append(.fanMode(OpenEnum(fan.mode))) }
        if let percent = fan.percent, percent != before.percent, percent > 0 {
            notes.append(.fanSpeed(percent))
        }
    }

    mutating func set(
        _ word: SettableWord, _ value: SettableValue, at now: Instant
    ) throws(SettingError) {
        guard word == .speed else { throw .notHere(word) }
        fan.set(percent: try value.number(word, in: 0...100_00) / 100, at: now)
    }

    mutating func restart(at now: Instant) { fan.restart(at: now) }

    mutating func advance(to now: Instant) {
        identify.advance(to: now)
        fan.advance(to: now)
    }

    var nextDeadline: Instant? {
        [identify.nextDeadline, fan.nextDeadline].compactMap(\.self).min()
    }

    mutating func nextNote() -> ModelNote? { notes.next() ?? identify.nextNote() }
}

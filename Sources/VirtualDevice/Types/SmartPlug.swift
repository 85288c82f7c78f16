internal import Base
internal import Matter

/// A plug that switches what is plugged in and measures it. Device Library §5.1 and §2.10.
struct SmartPlug: DeviceModel {
    private var identify = IdentifyServer(.visibleIndicator, hasEffects: true)
    private var power = OnOffServer()
    private var meter: MeterServer
    private var notes = BoundedQueue<ModelNote>()

    init(noise: Noise, at now: Instant) {
        meter = MeterServer(noise: noise, at: now)
    }

    let deviceTypes: [Descriptor.DeviceTypeStruct] = [
        .init(0x010A, revision: 3), .init(0x0510, revision: 1),
    ]
    let clusters = [
        Identify.id, Groups.id, OnOff.id, ElectricalPowerMeasurement.id,
        ElectricalEnergyMeasurement.id, PowerTopology.id,
    ]
    let words: [SettableWord] = [.power, .load]

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        identify.declare(in: &table, on: endpoint)
        GroupsServer.declare(in: &table, on: endpoint)
        power.declare(in: &table, on: endpoint)
        meter.declare(in: &table, on: endpoint)
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        identify.publish(to: &table, on: endpoint)
        power.publish(to: &table, on: endpoint)
        meter.publish(to: &table, on: endpoint)
    }

    mutating func invoke(
        _ command: ModelCommand, at now: Instant
    ) throws(Refused) -> InvocationAnswer {
        switch command.cluster {
        case Identify.id: return try identify.invoke(command, at: now)
        case Groups.id:
            return try GroupsServer.invoke(command, isIdentifying: identify.seconds > 0)
        case OnOff.id:
            let before = power.isOn
            try power.invoke(command, at: now)
            if power.isOn != before { turned() }
            return .success
        default: throw Refused(.unsupportedCommand)
        }
    }

    private mutating func turned() {
        meter.turn(on: power.isOn)
        notes.append(.power(.plug, power.isOn))
    }

    mutating func write(_ write: ModelWrite, at now: Instant) throws(Refused) {
        switch write.cluster {
        case Identify.id: try identify.write(write, at: now)
        case OnOff.id: try power.write(write)
        default: throw Refused(.unsupportedWrite)
        }
    }

    mutating func set(
        _ word: SettableWord, _ value: SettableValue, at now: Instant
    ) throws(SettingError) {
        switch word {
        case .power: turn(on: try value.flag(word))
        case .load:
            let watts = try value.number(word, in: 0...3500_00)
            meter.set(load: Double(watts) * 10, isOn: power.isOn)
        default: throw .notHere(word)
        }
    }

    mutating func press(at now: Instant) throws(SettingError) { turn(on: !power.isOn) }

    private mutating func turn(on isOn: Bool) {
        if isOn { power.turnOn() } else { power.turnOff() }
        meter.turn(on: isOn)
    }

    mutating func restart(at now: Instant) {
        power.restart()
        meter.turn(on: power.isOn)
    }

    mutating func advance(to now: Instant) {
        identify.advance(to: now)
        meter.advance(to: now)
        let before = power.isOn
        power.advance(to: now)
        if power.isOn != before { turned() }
    }

    var nextDeadline: Instant? {
        [identify.nextDeadline, power.nextDeadline, meter.nextDeadline].compactMap(\.self).min()
    }

    mutating func nextNote() -> ModelNote? { notes.next() ?? identify.nextNote() }
    mutating func nextEvent() -> ModelEvent? { meter.nextEvent() }
}

internal import Base
internal import Matter

/// Three kinds of light, each having what the one before has. Device Library §4.1, §4.2, §4.3.
struct Light: DeviceModel {
    enum Kind {
        case onOff, dimmable, colorTemperature
    }

    private let kind: Kind
    private var identify = IdentifyServer(.lightOutput, hasEffects: true)
    private var power = OnOffServer()
    private var level: LevelControlServer?
    private var color: ColorTemperatureServer?
    private var notes = BoundedQueue<ModelNote>()

    init(_ kind: Kind) {
        self.kind = kind
        level = kind == .onOff ? nil : LevelControlServer()
        color = kind == .colorTemperature ? ColorTemperatureServer() : nil
    }

    var deviceTypes: [Descriptor.DeviceTypeStruct] {
        switch kind {
        case .onOff: [.init(0x0100, revision: 3)]
        case .dimmable: [.init(0x0101, revision: 3)]
        case .colorTemperature: [.init(0x010C, revision: 4)]
        }
    }

    var clusters: [ClusterID] {
        switch kind {
        case .onOff: [Identify.id, Groups.id, OnOff.id]
        case .dimmable: [Identify.id, Groups.id, OnOff.id, LevelControl.id]
        case .colorTemperature:
            [Identify.id, Groups.id, OnOff.id, LevelControl.id, ColorControl.id]
        }
    }

    var words: [SettableWord] {
        switch kind {
        case .onOff: [.power]
        case .dimmable: [.power, .level]
        case .colorTemperature: [.power, .level, .color]
        }
    }

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        identify.declare(in: &table, on: endpoint)
        GroupsServer.declare(in: &table, on: endpoint)
        power.declare(in: &table, on: endpoint)
        level?.declare(in: &table, on: endpoint)
        color?.declare(in: &table, on: endpoint)
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        identify.publish(to: &table, on: endpoint)
        power.publish(to: &table, on: endpoint)
        level?.publish(to: &table, on: endpoint)
        color?.publish(to: &table, on: endpoint)
    }

    mutating func invoke(
        _ command: ModelCommand, at now: Instant
    ) throws(Refused) -> InvocationAnswer {
        switch command.cluster {
        case Identify.id: return try identify.invoke(command, at: now)
        case Groups.id:
            return try GroupsServer.invoke(command, isIdentifying: identify.seconds > 0)
        case OnOff.id:
            try watchingPower { light throws(Refused) in
                try light.power.invoke(command, at: now)
            }
        case LevelControl.id where level != nil: try invokeLevel(command, at: now)
        case ColorControl.id where color != nil:
            let before = color?.target
            try color?.invoke(command, isOn: power.isOn, at: now)
            if let color, color.target != before {
                notes.append(.colorTemperature(kelvins: color.kelvins))
            }
        default: throw Refused(.unsupportedCommand)
        }
        return .success
    }

    private mutating func invokeLevel(
        _ command: ModelCommand, at now: Instant
    ) throws(Refused) {
        let before = level?.target
        let switching = try level?.invoke(command, isOn: power.isOn, at: now) ?? .none
        follow(switching)
        if let level, level.target != before, switching != .off {
            notes.append(.level(level.percent))
        }
    }

    /// What a move of the level does to the power.
    private mutating func follow(_ switching: LevelControlServer.Switching) {
        switch switching {
        case .none: break
        case .on where !power.isOn:
            power.turnOn()
            notes.append(.power(.light, true))
        case .off where power.isOn:
            power.turnOff()
            notes.append(.power(.light, false))
        case .on, .off: break
        }
    }

    /// Lets the level follow what `change` does to the power, and tells of it.
    private mutating func watchingPower(
        _ change: (inout Self) throws(Refused) -> Void
    ) throws(Refused) {
        let before = power.isOn
        try change(&self)
        guard power.isOn != before else { return }
        if power.isOn { level?.turnedOn() } else { level?.stop() }
        notes.append(.power(.light, power.isOn))
    }

    mutating func write(_ write: ModelWrite, at now: Instant) throws(Refused) {
        switch write.cluster {
        case Identify.id: try identify.write(write, at: now)
        case OnOff.id: try power.write(write)
        case LevelControl.id where level != nil: try level?.write(write)
        case ColorControl.id where color != nil: try color?.write(write)
        default: throw Refused(.unsupportedWrite)
        }
    }

    mutating func set(
        _ word: SettableWord, _ value: SettableValue, at now: Instant
    ) throws(SettingError) {
        switch word {
        case .power: turn(on: try value.flag(word))
        case .level where level != nil:
            let percent = try value.number(word, in: 0...100_00)
            level?.set(percent * LevelControlServer.highest / 100_00)
        case .color where color != nil:
            let kelvins = try value.number(word, in: 2000_00...6535_00) / 100
            color?.set(mireds: 1_000_000 / kelvins)
        default: throw .notHere(word)
        }
    }

    mutating func press(at now: Instant) throws(SettingError) { turn(on: !power.isOn) }

    private mutating func turn(on isOn: Bool) {
        guard isOn != power.isOn else { return }
        if isOn {
            power.turnOn()
            level?.turnedOn()
        } else {
            power.turnOff()
            level?.stop()
        }
    }

    mutating func restart(at now: Instant) {
        power.restart()
        level?.restart()
        color?.restart()
    }

    mutating func advance(to now: Instant) {
        identify.advance(to: now)
        let before = power.isOn
        power.advance(to: now)
        if before, !power.isOn {
            level?.stop()
            notes.append(.power(.light, false))
        }
        if let switching = level?.advance(to: now) { follow(switching) }
        color?.advance(to: now)
    }

    var nextDeadline: Instant? {
        [
            identify.nextDeadline, power.nextDeadline, level?.nextDeadline, color?.nextDeadline,
        ].compactMap(\.self).min()
    }

    mutating func nextNote() -> ModelNote? { notes.next() ?? identify.nextNote() }
}

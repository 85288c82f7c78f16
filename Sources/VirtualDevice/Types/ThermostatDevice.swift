internal import Base
internal import Matter

/// A thermostat and the room it hangs in. Device Library §9.2.
struct ThermostatDevice: DeviceModel {
    private var identify = IdentifyServer(.display)
    private var thermostat = ThermostatServer()
    private var room: RoomModel
    /// LocalTemperature is null.
    private var isSensorBroken = false
    private var notes = BoundedQueue<ModelNote>()

    init(noise: Noise, day: DayClock, at now: Instant) {
        room = RoomModel(temperature: 19, noise: noise, day: day, at: now)
        decide()
    }

    let deviceTypes = [Descriptor.DeviceTypeStruct(0x0301, revision: 4)]
    let clusters = [Identify.id, Thermostat.id]
    let words: [SettableWord] = [.temperature, .outdoor, .heat, .cool]

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        identify.declare(in: &table, on: endpoint)
        thermostat.declare(in: &table, on: endpoint)
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        identify.publish(to: &table, on: endpoint)
        thermostat.publish(to: &table, on: endpoint)
        table.set(
            Thermostat.localTemperature, measured.map { .value(Int16($0)) } ?? .null,
            on: endpoint)
        table.set(
            Thermostat.outdoorTemperature, .value(Int16(Self.tenths(room.outdoor))),
            on: endpoint)
    }

    /// A common sensor tells tenths of a degree.
    private var measured: Int? { isSensorBroken ? nil : Self.tenths(room.temperature) }

    /// 0.01 °C, rounded to 0.1 °C.
    private static func tenths(_ degrees: Double) -> Int { Int((degrees * 10).rounded()) * 10 }

    mutating func invoke(
        _ command: ModelCommand, at now: Instant
    ) throws(Refused) -> InvocationAnswer {
        switch (command.cluster, command.command) {
        case (Identify.id, _): return try identify.invoke(command, at: now)
        case (Thermostat.id, Thermostat.SetpointRaiseLower.id):
            let fields = try command.decoded(Thermostat.SetpointRaiseLower.self)
            try telling { device throws(Refused) in
                try device.thermostat.raiseOrLower(fields)
            }
            return .success
        default: throw Refused(.unsupportedCommand)
        }
    }

    mutating func write(_ write: ModelWrite, at now: Instant) throws(Refused) {
        switch write.cluster {
        case Identify.id: try identify.write(write, at: now)
        case Thermostat.id:
            try telling { device throws(Refused) in try device.thermostat.write(write) }
        default: throw Refused(.unsupportedWrite)
        }
    }

    /// Tells what `change` makes of the settings; the plant follows at once.
    private mutating func telling(
        _ change: (inout Self) throws(Refused) -> Void
    ) throws(Refused) {
        let before = thermostat
        try change(&self)
        if thermostat.mode != before.mode { notes.append(.systemMode(OpenEnum(thermostat.mode))) }
        if thermostat.heating != before.heating {
            notes.append(.heatingSetpoint(Int16(thermostat.heating)))
        }
        if thermostat.cooling != before.cooling {
            notes.append(.coolingSetpoint(Int16(thermostat.cooling)))
        }
        decide()
    }

    private mutating func decide() { _ = thermostat.decide(measured) }

    mutating func set(
        _ word: SettableWord, _ value: SettableValue, at now: Instant
    ) throws(SettingError) {
        switch word {
        case .temperature: try setRoom(value)
        case .outdoor:
            let degrees: Double? =
                value == .auto
                ? nil : Double(try value.number(word, in: -50_00...50_00)) / 100
            room.hold(outdoor: degrees, at: now)
        case .heat, .cool:
            let setpoint = try value.number(word, in: 0...50_00)
            do throws(Refused) {
                if word == .heat {
                    try thermostat.setHeating(setpoint)
                } else {
                    try thermostat.setCooling(setpoint)
                }
            } catch { throw .wrongValue(word) }
        default: throw .notHere(word)
        }
        decide()
    }

    private mutating func setRoom(_ value: SettableValue) throws(SettingError) {
        switch value {
        case .null: isSensorBroken = true
        case .auto: isSensorBroken = false
        case .number, .flag:
            let degrees = try value.number(.temperature, in: -50_00...150_00)
            room.set(temperature: Double(degrees) / 100)
            isSensorBroken = false
        }
    }

    mutating func restart(at now: Instant) { decide() }

    mutating func advance(to now: Instant) {
        identify.advance(to: now)
        var thermostat = thermostat
        let isBroken = isSensorBroken
        room.advance(to: now) { degrees in
            thermostat.decide(isBroken ? nil : Self.tenths(degrees))
        }
        self.thermostat = thermostat
        decide()
    }

    var nextDeadline: Instant? {
        [identify.nextDeadline, room.nextDeadline].compactMap(\.self).min()
    }

    mutating func nextNote() -> ModelNote? { notes.next() ?? identify.nextNote() }
}

internal import Base
internal import Matter

/// A room's relative humidity: drier by day, wandering about that. Device Library §7.7.
struct HumiditySensor: DeviceModel {
    private var identify = IdentifyServer(.visibleIndicator)
    private var reading: Reading
    private let day: DayClock

    init(noise: Noise, day: DayClock, at now: Instant) {
        self.day = day
        reading = Reading(
            Self.aim(day, now), share: 0.02, stray: 15, noise: noise, at: now)
    }

    private static func aim(_ day: DayClock, _ now: Instant) -> Double {
        48_00 - 5_00 * day.warmth(at: now)
    }

    let deviceTypes = [Descriptor.DeviceTypeStruct(0x0307, revision: 2)]
    let clusters = [Identify.id, RelativeHumidityMeasurement.id]
    let words = [SettableWord.humidity]

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        identify.declare(in: &table, on: endpoint)
        table.add(RelativeHumidityMeasurement.self, on: endpoint, revision: 3)
        table.set(RelativeHumidityMeasurement.minMeasuredValue, .value(0), on: endpoint)
        table.set(RelativeHumidityMeasurement.maxMeasuredValue, .value(100_00), on: endpoint)
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        identify.publish(to: &table, on: endpoint)
        let value = reading.value.map { UInt16(min(max($0, 0), 100_00)) }
        table.set(
            RelativeHumidityMeasurement.measuredValue, value.map { .value($0) } ?? .null,
            on: endpoint)
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
        guard word == .humidity else { throw .notHere(word) }
        try reading.set(word, value, in: 0...100_00)
    }

    mutating func restart(at now: Instant) {}

    mutating func advance(to now: Instant) {
        identify.advance(to: now)
        reading.advance(to: now) { Self.aim(day, $0) }
    }

    var nextDeadline: Instant? {
        [identify.nextDeadline, reading.nextDeadline].compactMap(\.self).min()
    }

    mutating func nextNote() -> ModelNote? { identify.nextNote() }
}

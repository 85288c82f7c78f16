internal import Base
internal import Matter

/// A room's temperature: warmer by day, wandering about that. Device Library §7.4.
struct TemperatureSensor: DeviceModel {
    private var identify = IdentifyServer(.visibleIndicator)
    private var reading: Reading
    private let day: DayClock

    init(noise: Noise, day: DayClock, at now: Instant) {
        self.day = day
        reading = Reading(
            Self.aim(day, now), share: 0.02, stray: 4, noise: noise, at: now)
    }

    /// 20 °C at night, 22 °C in the afternoon.
    private static func aim(_ day: DayClock, _ now: Instant) -> Double {
        21_00 + 1_00 * day.warmth(at: now)
    }

    let deviceTypes = [Descriptor.DeviceTypeStruct(0x0302, revision: 2)]
    let clusters = [Identify.id, TemperatureMeasurement.id]
    let words = [SettableWord.temperature]

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        identify.declare(in: &table, on: endpoint)
        table.add(TemperatureMeasurement.self, on: endpoint, revision: 4)
        table.set(
            TemperatureMeasurement.minMeasuredValue, .value(Int16(Self.range.lowerBound)),
            on: endpoint)
        table.set(
            TemperatureMeasurement.maxMeasuredValue, .value(Int16(Self.range.upperBound)),
            on: endpoint)
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        identify.publish(to: &table, on: endpoint)
        table.set(
            TemperatureMeasurement.measuredValue,
            reading.value.map { .value(Int16($0)) } ?? .null, on: endpoint)
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
        guard word == .temperature else { throw .notHere(word) }
        try reading.set(word, value, in: Self.range)
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

    private static let range = -50_00...150_00
}

internal import Base
internal import Matter

/// People come and go by the seed, until somebody says so at the console. Device Library §7.3.
struct OccupancySensor: DeviceModel {
    private var identify = IdentifyServer(.visibleIndicator)
    private var isOccupied = false
    /// Nil while somebody decides at the console.
    private var nextChange: Instant?
    private var noise: Noise
    private var events = BoundedQueue<ModelEvent>()

    init(noise: Noise, at now: Instant) {
        self.noise = noise
        nextChange = now + stay()
    }

    let deviceTypes = [Descriptor.DeviceTypeStruct(0x0107, revision: 4)]
    let clusters = [Identify.id, OccupancySensing.id]
    let words = [SettableWord.occupied]

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        identify.declare(in: &table, on: endpoint)
        table.add(
            OccupancySensing.self, on: endpoint, revision: 5, features: Self.passiveInfrared)
        table.set(OccupancySensing.occupancySensorType, OpenEnum(.pir), on: endpoint)
        table.set(OccupancySensing.occupancySensorTypeBitmap, 0x01, on: endpoint)
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        identify.publish(to: &table, on: endpoint)
        table.set(OccupancySensing.occupancy, isOccupied ? 1 : 0, on: endpoint)
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
        guard word == .occupied else { throw .notHere(word) }
        if value == .auto {
            nextChange = now + stay()
            return
        }
        let isOccupied = try value.flag(word)
        nextChange = nil
        change(to: isOccupied)
    }

    mutating func restart(at now: Instant) {}

    mutating func advance(to now: Instant) {
        identify.advance(to: now)
        // After a long sleep one change is as good as many.
        guard let nextChange, nextChange <= now else { return }
        change(to: !isOccupied)
        self.nextChange = now + stay()
    }

    private mutating func change(to isOccupied: Bool) {
        guard isOccupied != self.isOccupied else { return }
        self.isOccupied = isOccupied
        events.append(.occupancyChanged(OccupancyChange { $0.occupancy = isOccupied ? 1 : 0 }))
    }

    /// Five minutes to half an hour.
    private mutating func stay() -> Duration {
        .seconds(300 + Int(noise.unit() * 1500))
    }

    var nextDeadline: Instant? {
        [identify.nextDeadline, nextChange].compactMap(\.self).min()
    }

    mutating func nextNote() -> ModelNote? { identify.nextNote() }
    mutating func nextEvent() -> ModelEvent? { events.next() }

    /// Application Clusters §2.7.4: PIR.
    private static let passiveInfrared: UInt32 = 0x2
}

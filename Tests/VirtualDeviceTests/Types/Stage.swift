import Base
import Matter
import Testing

@testable import VirtualDevice

/// Models with the table they publish to, in virtual time.
struct Stage {
    var models: EndpointModels
    var table = AttributeTable()
    private(set) var now = Instant(nanoseconds: 5_000_000_000)
    /// How often time stood still for a deadline.
    private(set) var steps = 0

    init(_ types: DeviceType..., seed: UInt64 = 1) {
        models = EndpointModels(types, seed: seed, at: now)
        models.declare(in: &table)
    }

    @discardableResult
    mutating func invoke<C: Command>(_ command: C, on endpoint: UInt16 = 1) -> InvocationAnswer {
        defer { models.publish(to: &table) }
        return models.invoke(
            ModelCommand(cluster: C.cluster, command: C.id, fields: .own(command)),
            on: EndpointID(endpoint), at: now)
    }

    @discardableResult
    mutating func write<Value>(
        _ attribute: Attribute<Value>, _ value: Value, on endpoint: UInt16 = 1
    ) -> InteractionStatus {
        defer { models.publish(to: &table) }
        return models.write(
            ModelWrite(cluster: attribute.cluster, attribute: attribute.id, value: .own(value)),
            on: EndpointID(endpoint), at: now)
    }

    mutating func set(
        _ word: SettableWord, _ text: String, on endpoint: UInt16? = nil
    ) throws(SettingError) {
        guard let value = SettableValue(text) else { throw .wrongValue(word) }
        defer { models.publish(to: &table) }
        try models.set(word, value, on: endpoint.map { EndpointID($0) }, at: now)
    }

    /// Lets time go from deadline to deadline, as a loop does.
    mutating func run(_ duration: Duration) {
        let end = now + duration
        while let deadline = models.nextDeadline, deadline <= end {
            #expect(deadline > now, "a deadline lies ahead, or the loop spins")
            now = max(now, deadline)
            models.advance(to: now)
            models.publish(to: &table)
            steps += 1
        }
        now = end
        models.advance(to: now)
        models.publish(to: &table)
    }

    func value<Value>(_ attribute: Attribute<Value>, on endpoint: UInt16 = 1) -> Value? {
        table.get(attribute, on: EndpointID(endpoint))
    }

    mutating func notes() -> [String] {
        var texts: [String] = []
        while let next = models.nextNote() { texts.append(next.note.text) }
        return texts
    }

    mutating func events() -> [ModelEvent] {
        var events: [ModelEvent] = []
        while let next = models.nextEvent() { events.append(next.event) }
        return events
    }
}

internal import Base
internal import Matter

/// Shows which device is meant. Application Clusters §1.2.
struct IdentifyServer: Sendable {
    private let type: Identify.IdentifyType
    /// TriggerEffect, which lights must have.
    private let hasEffects: Bool
    /// What is left, rounded up.
    private(set) var seconds: UInt16 = 0
    private var end: Instant?
    private var notes = BoundedQueue<ModelNote>()

    init(_ type: Identify.IdentifyType, hasEffects: Bool = false) {
        self.type = type
        self.hasEffects = hasEffects
    }

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        var commands = [Identify.IdentifyDevice.id]
        if hasEffects { commands.append(Identify.TriggerEffect.id) }
        table.add(Identify.self, on: endpoint, revision: 4, commands: commands)
        table.set(Identify.identifyType, OpenEnum(type), on: endpoint)
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        table.set(Identify.identifyTime, seconds, on: endpoint)
    }

    mutating func invoke(
        _ command: ModelCommand, at now: Instant
    ) throws(Refused) -> InvocationAnswer {
        switch command.command {
        case Identify.IdentifyDevice.id:
            start(try command.decoded(Identify.IdentifyDevice.self).identifyTime, at: now)
        case Identify.TriggerEffect.id where hasEffects:
            let effect = try command.decoded(Identify.TriggerEffect.self)
            guard effect.effectIdentifier.known != nil else { throw Refused(.invalidCommand) }
            notes.append(.effect(effect.effectIdentifier))
        default: throw Refused(.unsupportedCommand)
        }
        return .success
    }

    mutating func write(_ write: ModelWrite, at now: Instant) throws(Refused) {
        guard write.attribute == Identify.identifyTime.id else {
            throw Refused(.unsupportedWrite)
        }
        start(try write.decoded(Identify.identifyTime), at: now)
    }

    private mutating func start(_ seconds: UInt16, at now: Instant) {
        if seconds != self.seconds { notes.append(.identify(seconds: seconds)) }
        self.seconds = seconds
        end = seconds == 0 ? nil : now + .seconds(Int(seconds))
    }

    mutating func advance(to now: Instant) {
        guard let end else { return }
        let left = (end - now).milliseconds
        seconds = left > 0 ? UInt16(clamping: (left + 999) / 1000) : 0
        if seconds == 0 { self.end = nil }
    }

    /// When the next second has gone.
    var nextDeadline: Instant? { end.map { $0 + .seconds(1 - Int(seconds)) } }

    mutating func nextNote() -> ModelNote? { notes.next() }
}

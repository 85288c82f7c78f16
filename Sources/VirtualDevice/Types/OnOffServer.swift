internal import Base
internal import Matter

/// On and off, with the Lighting feature's timed off. Application Clusters §1.5.
struct OnOffServer: Sendable {
    private(set) var isOn = false
    private var isGlobalSceneControl = true
    /// Tenths of a second that are left, 0xFFFF without end.
    private(set) var onTime: UInt16 = 0
    private(set) var offWaitTime: UInt16 = 0
    private var startUp: Nullable<OpenEnum<OnOff.StartUpOnOff>> = .null
    /// In a timed on, or the wait after one: the instant at which the times were as they stand.
    private var counted: Instant?

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        table.add(
            OnOff.self, on: endpoint, revision: 6, features: OnOff.Feature.lighting.rawValue,
            commands: [
                OnOff.Off.id, OnOff.On.id, OnOff.Toggle.id, OnOff.OffWithEffect.id,
                OnOff.OnWithRecallGlobalScene.id, OnOff.OnWithTimedOff.id,
            ])
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        table.set(OnOff.onOff, isOn, on: endpoint)
        table.set(OnOff.globalSceneControl, isGlobalSceneControl, on: endpoint)
        table.set(OnOff.onTime, onTime, on: endpoint)
        table.set(OnOff.offWaitTime, offWaitTime, on: endpoint)
        table.set(OnOff.startUpOnOff, startUp, on: endpoint)
    }

    mutating func invoke(_ command: ModelCommand, at now: Instant) throws(Refused) {
        switch command.command {
        case OnOff.Off.id: turnOff()
        case OnOff.On.id: turnOn()
        case OnOff.Toggle.id: if isOn { turnOff() } else { turnOn() }
        case OnOff.OffWithEffect.id:
            let effect = try command.decoded(OnOff.OffWithEffect.self)
            // §1.5.7.4.2: three variants of the first effect, one of the second.
            switch effect.effectIdentifier.known {
            case .delayedAllOff where effect.effectVariant <= 2: break
            case .dyingLight where effect.effectVariant == 0: break
            default: throw Refused(.constraintError)
            }
            turnOff()
            isGlobalSceneControl = false
        case OnOff.OnWithRecallGlobalScene.id:
            if !isGlobalSceneControl { turnOn() }
        case OnOff.OnWithTimedOff.id:
            turnOnForATime(try command.decoded(OnOff.OnWithTimedOff.self), at: now)
        default: throw Refused(.unsupportedCommand)
        }
    }

    mutating func write(_ write: ModelWrite) throws(Refused) {
        switch write.attribute {
        case OnOff.onTime.id: onTime = try write.decoded(OnOff.onTime)
        case OnOff.offWaitTime.id: offWaitTime = try write.decoded(OnOff.offWaitTime)
        case OnOff.startUpOnOff.id:
            let value = try write.decoded(OnOff.startUpOnOff)
            if case .value(let choice) = value, choice.known == nil {
                throw Refused(.constraintError)
            }
            startUp = value
        default: throw Refused(.unsupportedWrite)
        }
    }

    mutating func turnOn() {
        isOn = true
        isGlobalSceneControl = true
        if onTime == 0 { offWaitTime = 0 }
    }

    mutating func turnOff() {
        isOn = false
        onTime = 0
    }

    /// §1.5.7.6.4
    private mutating func turnOnForATime(_ command: OnOff.OnWithTimedOff, at now: Instant) {
        if command.onOffControl.contains(.acceptOnlyWhenOn), !isOn { return }
        if offWaitTime > 0, !isOn {
            offWaitTime = min(offWaitTime, command.offWaitTime)
        } else {
            onTime = max(onTime, command.onTime)
            offWaitTime = command.offWaitTime
            isOn = true
        }
        counted = onTime != Self.endless && offWaitTime != Self.endless ? now : nil
    }

    mutating func advance(to now: Instant) {
        guard let counted else { return }
        let tenths = (now - counted).milliseconds / 100
        self.counted = counted + .milliseconds(100 * tenths)
        if isOn, onTime > 0 {
            onTime = Self.counting(onTime, down: tenths)
            if onTime == 0 {
                offWaitTime = 0
                isOn = false
            }
        } else if !isOn, offWaitTime > 0 {
            offWaitTime = Self.counting(offWaitTime, down: tenths)
        }
        if left == 0 { self.counted = nil }
    }

    /// Once a second on the way, and at the end.
    var nextDeadline: Instant? {
        guard let counted, left > 0 else { return nil }
        return counted + .milliseconds(100 * Int(min(left, 10)))
    }

    /// §1.5.6.6: what StartUpOnOff says; null leaves it as it was.
    mutating func restart() {
        onTime = 0
        offWaitTime = 0
        counted = nil
        isGlobalSceneControl = true
        guard case .value(let choice) = startUp else { return }
        switch choice.known {
        case .off: isOn = false
        case .on: isOn = true
        case .toggle: isOn.toggle()
        case nil: break
        }
    }

    private var left: UInt16 { isOn ? onTime : offWaitTime }

    private static func counting(_ value: UInt16, down tenths: Int64) -> UInt16 {
        UInt16(max(0, Int64(value) - tenths))
    }

    private static let endless: UInt16 = 0xFFFF
}

internal import Base

/// Lights, plugs and whatever else is on or off. Application Clusters §1.5  On/Off
package enum OnOff: Cluster {
    package static let id = ClusterID(0x0006)
    package static let name: StaticString = "on-off"

    package static let onOff = Attribute<Bool>(id, 0x0000, "on-off")
    package static let globalSceneControl = Attribute<Bool>(id, 0x4000, "global-scene-control")
    package static let onTime = Attribute<UInt16>(
        id, 0x4001, "on-time", access: .readWrite, quantity: .tenthsOfSecond)
    package static let offWaitTime = Attribute<UInt16>(
        id, 0x4002, "off-wait-time", access: .readWrite, quantity: .tenthsOfSecond)
    package static let startUpOnOff = Attribute<Nullable<OpenEnum<StartUpOnOff>>>(
        id, 0x4003, "start-up-on-off", access: .readWrite)

    package static let attributes = table(
        onOff, globalSceneControl, onTime, offWaitTime, startUpOnOff)
    package static let commands = table(
        Off.self, On.self, Toggle.self, OffWithEffect.self, OnWithRecallGlobalScene.self,
        OnWithTimedOff.self)
}

extension OnOff {
    /// Application Clusters §1.5.7.1
    package struct Off: FieldlessCommand, Equatable {
        package static let cluster = OnOff.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "off"
        package static let isRepeatable = true

        package init() {}
    }

    /// Application Clusters §1.5.7.2
    package struct On: FieldlessCommand, Equatable {
        package static let cluster = OnOff.id
        package static let id = CommandID(0x01)
        package static let name: StaticString = "on"
        package static let isRepeatable = true

        package init() {}
    }

    /// Application Clusters §1.5.7.3
    package struct Toggle: FieldlessCommand, Equatable {
        package static let cluster = OnOff.id
        package static let id = CommandID(0x02)
        package static let name: StaticString = "toggle"

        package init() {}
    }

    /// Application Clusters §1.5.7.4
    package struct OffWithEffect: Command, Equatable {
        package static let cluster = OnOff.id
        package static let id = CommandID(0x40)
        package static let name: StaticString = "off-with-effect"

        package var effectIdentifier = OpenEnum(EffectIdentifier.delayedAllOff)
        package var effectVariant: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "effectIdentifier", &effectIdentifier)
            try field(1, "effectVariant", &effectVariant)
        }
    }

    /// Application Clusters §1.5.7.5
    package struct OnWithRecallGlobalScene: FieldlessCommand, Equatable {
        package static let cluster = OnOff.id
        package static let id = CommandID(0x41)
        package static let name: StaticString = "on-with-recall-global-scene"

        package init() {}
    }

    /// Application Clusters §1.5.7.6. The times are tenths of a second.
    package struct OnWithTimedOff: Command, Equatable {
        package static let cluster = OnOff.id
        package static let id = CommandID(0x42)
        package static let name: StaticString = "on-with-timed-off"

        package var onOffControl = OnOffControl()
        package var onTime: UInt16 = 0
        package var offWaitTime: UInt16 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "onOffControl", &onOffControl)
            try field(1, "onTime", &onTime)
            try field(2, "offWaitTime", &offWaitTime)
        }
    }
}

extension OnOff {
    /// Application Clusters §1.5.4
    package struct Feature: Bitmap {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let lighting = Self(rawValue: 0x1)
        package static let deadFrontBehavior = Self(rawValue: 0x2)
        package static let offOnly = Self(rawValue: 0x4)
    }

    /// Application Clusters §1.5.5.1
    package struct OnOffControl: Bitmap {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let acceptOnlyWhenOn = Self(rawValue: 0x01)
    }

    /// Application Clusters §1.5.5.2
    package enum StartUpOnOff: UInt8, NamedNumber {
        case off = 0
        case on = 1
        case toggle = 2
    }

    /// Application Clusters §1.5.5.3
    package enum EffectIdentifier: UInt8, NamedNumber {
        case delayedAllOff = 0
        case dyingLight = 1
    }
}

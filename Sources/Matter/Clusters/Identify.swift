internal import Base

/// Makes a device show itself. Application Clusters §1.2  Identify
package enum Identify: Cluster {
    package static let id = ClusterID(0x0003)
    package static let name: StaticString = "identify"

    package static let identifyTime = Attribute<UInt16>(
        id, 0x0000, "identify-time", access: .readWrite, quantity: .seconds)
    package static let identifyType = Attribute<OpenEnum<IdentifyType>>(id, 0x0001, "identify-type")

    package static let attributes = table(identifyTime, identifyType)
    package static let commands = table(IdentifyDevice.self, TriggerEffect.self)
}

extension Identify {
    /// Application Clusters §1.2.6.1. The device shows itself for this long; 0 ends it.
    package struct IdentifyDevice: Command, Equatable {
        package static let cluster = Identify.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "identify"
        package static let isRepeatable = true

        package var identifyTime: UInt16 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "identifyTime", &identifyTime)
        }
    }

    /// Application Clusters §1.2.6.2
    package struct TriggerEffect: Command, Equatable {
        package static let cluster = Identify.id
        package static let id = CommandID(0x40)
        package static let name: StaticString = "trigger-effect"

        package var effectIdentifier = OpenEnum(EffectIdentifier.blink)
        package var effectVariant = OpenEnum(EffectVariant.default)

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "effectIdentifier", &effectIdentifier)
            try field(1, "effectVariant", &effectVariant)
        }
    }
}

extension Identify {
    /// Application Clusters §1.2.4.1
    package enum IdentifyType: UInt8, NamedNumber {
        case none = 0x00
        case lightOutput = 0x01
        case visibleIndicator = 0x02
        case audibleBeep = 0x03
        case display = 0x04
        case actuator = 0x05
    }

    /// Application Clusters §1.2.4.2
    package enum EffectIdentifier: UInt8, NamedNumber {
        case blink = 0x00
        case breathe = 0x01
        case okay = 0x02
        case channelChange = 0x0B
        case finishEffect = 0xFE
        case stopEffect = 0xFF
    }

    /// Application Clusters §1.2.4.3
    package enum EffectVariant: UInt8, NamedNumber {
        case `default` = 0x00
    }
}

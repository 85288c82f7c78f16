internal import Base

/// How fast a fan turns. Application Clusters §4.4  Fan Control
package enum FanControl: Cluster {
    package static let id = ClusterID(0x0202)
    package static let name: StaticString = "fan-control"

    package static let fanMode = Attribute<OpenEnum<FanMode>>(
        id, 0x0000, "fan-mode", access: .readWrite)
    package static let fanModeSequence = Attribute<OpenEnum<FanModeSequence>>(
        id, 0x0001, "fan-mode-sequence")
    package static let percentSetting = Attribute<Nullable<UInt8>>(
        id, 0x0002, "percent-setting", access: .readWrite, quantity: .percent)
    package static let percentCurrent = Attribute<UInt8>(
        id, 0x0003, "percent-current", quantity: .percent)
    package static let speedMax = Attribute<UInt8>(id, 0x0004, "speed-max")
    package static let speedSetting = Attribute<Nullable<UInt8>>(
        id, 0x0005, "speed-setting", access: .readWrite)
    package static let speedCurrent = Attribute<UInt8>(id, 0x0006, "speed-current")
    package static let rockSupport = Attribute<UInt8>(id, 0x0007, "rock-support")
    package static let rockSetting = Attribute<UInt8>(
        id, 0x0008, "rock-setting", access: .readWrite)
    package static let windSupport = Attribute<UInt8>(id, 0x0009, "wind-support")
    package static let windSetting = Attribute<UInt8>(
        id, 0x000A, "wind-setting", access: .readWrite)
    package static let airflowDirection = Attribute<OpenEnum<AirflowDirection>>(
        id, 0x000B, "airflow-direction", access: .readWrite)

    package static let attributes = table(
        fanMode, fanModeSequence, percentSetting, percentCurrent, speedMax, speedSetting,
        speedCurrent, rockSupport, rockSetting, windSupport, windSetting, airflowDirection)
    package static let commands = table(Step.self)
}

extension FanControl {
    /// Application Clusters §4.4.7.1
    package struct Step: Command, Equatable {
        package static let cluster = FanControl.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "step"

        package var direction = OpenEnum(StepDirection.increase)
        package var wrap: Bool?
        package var lowestOff: Bool?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "direction", &direction)
            try field(1, "wrap", &wrap)
            try field(2, "lowestOff", &lowestOff)
        }
    }
}

extension FanControl {
    /// Application Clusters §4.4.5.3
    package enum StepDirection: UInt8, NamedNumber {
        case increase = 0
        case decrease = 1
    }

    /// Application Clusters §4.4.5.4
    package enum AirflowDirection: UInt8, NamedNumber {
        case forward = 0
        case reverse = 1
    }

    /// Application Clusters §4.4.5.5
    package enum FanMode: UInt8, NamedNumber {
        case off = 0
        case low = 1
        case medium = 2
        case high = 3
        case on = 4
        case auto = 5
        case smart = 6
    }

    /// Application Clusters §4.4.5.6
    package enum FanModeSequence: UInt8, NamedNumber {
        case offLowMedHigh = 0
        case offLowHigh = 1
        case offLowMedHighAuto = 2
        case offLowHighAuto = 3
        case offHighAuto = 4
        case offHigh = 5
    }
}

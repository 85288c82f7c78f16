internal import Base

/// How bright, open or fast something is, 0 to 254. Application Clusters §1.6  Level Control
package enum LevelControl: Cluster {
    package static let id = ClusterID(0x0008)
    package static let name: StaticString = "level-control"

    package static let currentLevel = Attribute<Nullable<UInt8>>(id, 0x0000, "current-level")
    package static let remainingTime = Attribute<UInt16>(
        id, 0x0001, "remaining-time", quantity: .tenthsOfSecond)
    package static let minLevel = Attribute<UInt8>(id, 0x0002, "min-level")
    package static let maxLevel = Attribute<UInt8>(id, 0x0003, "max-level")
    package static let currentFrequency = Attribute<UInt16>(id, 0x0004, "current-frequency")
    package static let minFrequency = Attribute<UInt16>(id, 0x0005, "min-frequency")
    package static let maxFrequency = Attribute<UInt16>(id, 0x0006, "max-frequency")
    package static let options = Attribute<UInt8>(id, 0x000F, "options", access: .readWrite)
    package static let onOffTransitionTime = Attribute<UInt16>(
        id, 0x0010, "on-off-transition-time", access: .readWrite, quantity: .tenthsOfSecond)
    package static let onLevel = Attribute<Nullable<UInt8>>(
        id, 0x0011, "on-level", access: .readWrite)
    package static let onTransitionTime = Attribute<Nullable<UInt16>>(
        id, 0x0012, "on-transition-time", access: .readWrite, quantity: .tenthsOfSecond)
    package static let offTransitionTime = Attribute<Nullable<UInt16>>(
        id, 0x0013, "off-transition-time", access: .readWrite, quantity: .tenthsOfSecond)
    package static let defaultMoveRate = Attribute<Nullable<UInt8>>(
        id, 0x0014, "default-move-rate", access: .readWrite)
    package static let startUpCurrentLevel = Attribute<Nullable<UInt8>>(
        id, 0x4000, "start-up-current-level", access: .readWrite)

    package static let attributes = table(
        currentLevel, remainingTime, minLevel, maxLevel, currentFrequency, minFrequency,
        maxFrequency, options, onOffTransitionTime, onLevel, onTransitionTime, offTransitionTime,
        defaultMoveRate, startUpCurrentLevel)
    package static let commands = table(
        MoveToLevel.self, Move.self, Step.self, Stop.self, MoveToLevelWithOnOff.self,
        MoveWithOnOff.self, StepWithOnOff.self, StopWithOnOff.self, MoveToClosestFrequency.self)
}

extension LevelControl {
    /// Application Clusters §1.6.7.1. Times are tenths of a second, null: as fast as it can. Bit 0
    /// of the options: also while off.
    package struct MoveToLevel: Command, Equatable {
        package static let cluster = LevelControl.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "move-to-level"
        package static let isRepeatable = true

        package var level: UInt8 = 0
        package var transitionTime: Nullable<UInt16> = .null
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "level", &level)
            try field(1, "transitionTime", &transitionTime)
            try field(2, "optionsMask", &optionsMask)
            try field(3, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §1.6.7.2. The rate is in steps a second, null: DefaultMoveRate. Bit 0
    /// of the options: also while off.
    package struct Move: Command, Equatable {
        package static let cluster = LevelControl.id
        package static let id = CommandID(0x01)
        package static let name: StaticString = "move"

        package var moveMode = OpenEnum(MoveMode.up)
        package var rate: Nullable<UInt8> = .null
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "moveMode", &moveMode)
            try field(1, "rate", &rate)
            try field(2, "optionsMask", &optionsMask)
            try field(3, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §1.6.7.3. Times are tenths of a second, null: as fast as it can. Bit 0
    /// of the options: also while off.
    package struct Step: Command, Equatable {
        package static let cluster = LevelControl.id
        package static let id = CommandID(0x02)
        package static let name: StaticString = "step"

        package var stepMode = OpenEnum(StepMode.up)
        package var stepSize: UInt8 = 0
        package var transitionTime: Nullable<UInt16> = .null
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "stepMode", &stepMode)
            try field(1, "stepSize", &stepSize)
            try field(2, "transitionTime", &transitionTime)
            try field(3, "optionsMask", &optionsMask)
            try field(4, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §1.6.7.4. Bit 0 of the options: also while off.
    package struct Stop: Command, Equatable {
        package static let cluster = LevelControl.id
        package static let id = CommandID(0x03)
        package static let name: StaticString = "stop"

        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "optionsMask", &optionsMask)
            try field(1, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §1.6.7. As MoveToLevel, switching on or off.
    package struct MoveToLevelWithOnOff: Command, Equatable {
        package static let cluster = LevelControl.id
        package static let id = CommandID(0x04)
        package static let name: StaticString = "move-to-level-with-on-off"
        package static let isRepeatable = true

        package var level: UInt8 = 0
        package var transitionTime: Nullable<UInt16> = .null
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "level", &level)
            try field(1, "transitionTime", &transitionTime)
            try field(2, "optionsMask", &optionsMask)
            try field(3, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §1.6.7. As Move, switching on or off.
    package struct MoveWithOnOff: Command, Equatable {
        package static let cluster = LevelControl.id
        package static let id = CommandID(0x05)
        package static let name: StaticString = "move-with-on-off"

        package var moveMode = OpenEnum(MoveMode.up)
        package var rate: Nullable<UInt8> = .null
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "moveMode", &moveMode)
            try field(1, "rate", &rate)
            try field(2, "optionsMask", &optionsMask)
            try field(3, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §1.6.7. As Step, switching on or off.
    package struct StepWithOnOff: Command, Equatable {
        package static let cluster = LevelControl.id
        package static let id = CommandID(0x06)
        package static let name: StaticString = "step-with-on-off"

        package var stepMode = OpenEnum(StepMode.up)
        package var stepSize: UInt8 = 0
        package var transitionTime: Nullable<UInt16> = .null
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "stepMode", &stepMode)
            try field(1, "stepSize", &stepSize)
            try field(2, "transitionTime", &transitionTime)
            try field(3, "optionsMask", &optionsMask)
            try field(4, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §1.6.7
    package struct StopWithOnOff: Command, Equatable {
        package static let cluster = LevelControl.id
        package static let id = CommandID(0x07)
        package static let name: StaticString = "stop-with-on-off"

        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "optionsMask", &optionsMask)
            try field(1, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §1.6.7.5
    package struct MoveToClosestFrequency: Command, Equatable {
        package static let cluster = LevelControl.id
        package static let id = CommandID(0x08)
        package static let name: StaticString = "move-to-closest-frequency"

        package var frequency: UInt16 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "frequency", &frequency)
        }
    }
}

extension LevelControl {
    /// Application Clusters §1.6.5.2
    package enum MoveMode: UInt8, NamedNumber {
        case up = 0
        case down = 1
    }

    /// Application Clusters §1.6.5.3
    package enum StepMode: UInt8, NamedNumber {
        case up = 0
        case down = 1
    }
}

internal import Base

// The commands of Application Clusters §3.2  Color Control

extension ColorControl {
    /// Application Clusters §3.2.8.4. Times are tenths of a second. Bit 0 of the options: also
    /// while off.
    package struct MoveToHue: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "move-to-hue"

        package var hue: UInt8 = 0
        package var direction = OpenEnum(Direction.shortest)
        package var transitionTime: UInt16 = 0
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "hue", &hue)
            try field(1, "direction", &direction)
            try field(2, "transitionTime", &transitionTime)
            try field(3, "optionsMask", &optionsMask)
            try field(4, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §3.2.8.5. Rates are steps a second. Bit 0 of the options: also while
    /// off.
    package struct MoveHue: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x01)
        package static let name: StaticString = "move-hue"

        package var moveMode = OpenEnum(MoveMode.stop)
        package var rate: UInt8 = 0
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

    /// Application Clusters §3.2.8.6
    package struct StepHue: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x02)
        package static let name: StaticString = "step-hue"

        package var stepMode = OpenEnum(StepMode.up)
        package var stepSize: UInt8 = 0
        package var transitionTime: UInt8 = 0
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

    /// Application Clusters §3.2.8.7
    package struct MoveToSaturation: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x03)
        package static let name: StaticString = "move-to-saturation"

        package var saturation: UInt8 = 0
        package var transitionTime: UInt16 = 0
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "saturation", &saturation)
            try field(1, "transitionTime", &transitionTime)
            try field(2, "optionsMask", &optionsMask)
            try field(3, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §3.2.8.8
    package struct MoveSaturation: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x04)
        package static let name: StaticString = "move-saturation"

        package var moveMode = OpenEnum(MoveMode.stop)
        package var rate: UInt8 = 0
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

    /// Application Clusters §3.2.8.9
    package struct StepSaturation: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x05)
        package static let name: StaticString = "step-saturation"

        package var stepMode = OpenEnum(StepMode.up)
        package var stepSize: UInt8 = 0
        package var transitionTime: UInt8 = 0
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

    /// Application Clusters §3.2.8.10
    package struct MoveToHueAndSaturation: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x06)
        package static let name: StaticString = "move-to-hue-and-saturation"

        package var hue: UInt8 = 0
        package var saturation: UInt8 = 0
        package var transitionTime: UInt16 = 0
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "hue", &hue)
            try field(1, "saturation", &saturation)
            try field(2, "transitionTime", &transitionTime)
            try field(3, "optionsMask", &optionsMask)
            try field(4, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §3.2.8.11
    package struct MoveToColor: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x07)
        package static let name: StaticString = "move-to-color"

        package var colorX: UInt16 = 0
        package var colorY: UInt16 = 0
        package var transitionTime: UInt16 = 0
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "colorX", &colorX)
            try field(1, "colorY", &colorY)
            try field(2, "transitionTime", &transitionTime)
            try field(3, "optionsMask", &optionsMask)
            try field(4, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §3.2.8.12
    package struct MoveColor: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x08)
        package static let name: StaticString = "move-color"

        package var rateX: Int16 = 0
        package var rateY: Int16 = 0
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "rateX", &rateX)
            try field(1, "rateY", &rateY)
            try field(2, "optionsMask", &optionsMask)
            try field(3, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §3.2.8.13
    package struct StepColor: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x09)
        package static let name: StaticString = "step-color"

        package var stepX: Int16 = 0
        package var stepY: Int16 = 0
        package var transitionTime: UInt16 = 0
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "stepX", &stepX)
            try field(1, "stepY", &stepY)
            try field(2, "transitionTime", &transitionTime)
            try field(3, "optionsMask", &optionsMask)
            try field(4, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §3.2.8.14
    package struct MoveToColorTemperature: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x0A)
        package static let name: StaticString = "move-to-color-temperature"

        package var colorTemperatureMireds: UInt16 = 0
        package var transitionTime: UInt16 = 0
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "colorTemperatureMireds", &colorTemperatureMireds)
            try field(1, "transitionTime", &transitionTime)
            try field(2, "optionsMask", &optionsMask)
            try field(3, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §3.2.8.15
    package struct EnhancedMoveToHue: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x40)
        package static let name: StaticString = "enhanced-move-to-hue"

        package var enhancedHue: UInt16 = 0
        package var direction = OpenEnum(Direction.shortest)
        package var transitionTime: UInt16 = 0
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "enhancedHue", &enhancedHue)
            try field(1, "direction", &direction)
            try field(2, "transitionTime", &transitionTime)
            try field(3, "optionsMask", &optionsMask)
            try field(4, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §3.2.8.16
    package struct EnhancedMoveHue: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x41)
        package static let name: StaticString = "enhanced-move-hue"

        package var moveMode = OpenEnum(MoveMode.stop)
        package var rate: UInt16 = 0
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

    /// Application Clusters §3.2.8.17
    package struct EnhancedStepHue: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x42)
        package static let name: StaticString = "enhanced-step-hue"

        package var stepMode = OpenEnum(StepMode.up)
        package var stepSize: UInt16 = 0
        package var transitionTime: UInt16 = 0
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

    /// Application Clusters §3.2.8.18
    package struct EnhancedMoveToHueAndSaturation: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x43)
        package static let name: StaticString = "enhanced-move-to-hue-and-saturation"

        package var enhancedHue: UInt16 = 0
        package var saturation: UInt8 = 0
        package var transitionTime: UInt16 = 0
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "enhancedHue", &enhancedHue)
            try field(1, "saturation", &saturation)
            try field(2, "transitionTime", &transitionTime)
            try field(3, "optionsMask", &optionsMask)
            try field(4, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §3.2.8.19. The time is in seconds.
    package struct ColorLoopSet: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x44)
        package static let name: StaticString = "color-loop-set"

        package var updateFlags: UInt8 = 0
        package var action = OpenEnum(ColorLoopAction.deactivate)
        package var direction = OpenEnum(ColorLoopDirection.decrement)
        package var time: UInt16 = 0
        package var startHue: UInt16 = 0
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "updateFlags", &updateFlags)
            try field(1, "action", &action)
            try field(2, "direction", &direction)
            try field(3, "time", &time)
            try field(4, "startHue", &startHue)
            try field(5, "optionsMask", &optionsMask)
            try field(6, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §3.2.8.20
    package struct StopMoveStep: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x47)
        package static let name: StaticString = "stop-move-step"

        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "optionsMask", &optionsMask)
            try field(1, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §3.2.8.21
    package struct MoveColorTemperature: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x4B)
        package static let name: StaticString = "move-color-temperature"

        package var moveMode = OpenEnum(MoveMode.stop)
        package var rate: UInt16 = 0
        package var colorTemperatureMinimumMireds: UInt16 = 0
        package var colorTemperatureMaximumMireds: UInt16 = 0
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "moveMode", &moveMode)
            try field(1, "rate", &rate)
            try field(2, "colorTemperatureMinimumMireds", &colorTemperatureMinimumMireds)
            try field(3, "colorTemperatureMaximumMireds", &colorTemperatureMaximumMireds)
            try field(4, "optionsMask", &optionsMask)
            try field(5, "optionsOverride", &optionsOverride)
        }
    }

    /// Application Clusters §3.2.8.22
    package struct StepColorTemperature: Command, Equatable {
        package static let cluster = ColorControl.id
        package static let id = CommandID(0x4C)
        package static let name: StaticString = "step-color-temperature"

        package var stepMode = OpenEnum(StepMode.up)
        package var stepSize: UInt16 = 0
        package var transitionTime: UInt16 = 0
        package var colorTemperatureMinimumMireds: UInt16 = 0
        package var colorTemperatureMaximumMireds: UInt16 = 0
        package var optionsMask: UInt8 = 0
        package var optionsOverride: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "stepMode", &stepMode)
            try field(1, "stepSize", &stepSize)
            try field(2, "transitionTime", &transitionTime)
            try field(3, "colorTemperatureMinimumMireds", &colorTemperatureMinimumMireds)
            try field(4, "colorTemperatureMaximumMireds", &colorTemperatureMaximumMireds)
            try field(5, "optionsMask", &optionsMask)
            try field(6, "optionsOverride", &optionsOverride)
        }
    }
}

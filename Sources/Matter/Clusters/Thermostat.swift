internal import Base

/// What a room should be, and what heats or cools it. Application Clusters §4.3  Thermostat
package enum Thermostat: Cluster {
    package static let id = ClusterID(0x0201)
    package static let name: StaticString = "thermostat"

    package static let localTemperature = Attribute<Nullable<Int16>>(
        id, 0x0000, "local-temperature", quantity: .temperature)
    package static let outdoorTemperature = Attribute<Nullable<Int16>>(
        id, 0x0001, "outdoor-temperature", quantity: .temperature)
    package static let occupancy = Attribute<UInt8>(id, 0x0002, "occupancy")
    package static let absMinHeatSetpointLimit = Attribute<Int16>(
        id, 0x0003, "abs-min-heat-setpoint-limit", quantity: .temperature)
    package static let absMaxHeatSetpointLimit = Attribute<Int16>(
        id, 0x0004, "abs-max-heat-setpoint-limit", quantity: .temperature)
    package static let absMinCoolSetpointLimit = Attribute<Int16>(
        id, 0x0005, "abs-min-cool-setpoint-limit", quantity: .temperature)
    package static let absMaxCoolSetpointLimit = Attribute<Int16>(
        id, 0x0006, "abs-max-cool-setpoint-limit", quantity: .temperature)
    package static let piCoolingDemand = Attribute<UInt8>(
        id, 0x0007, "pi-cooling-demand", quantity: .percent)
    package static let piHeatingDemand = Attribute<UInt8>(
        id, 0x0008, "pi-heating-demand", quantity: .percent)
    package static let hvacSystemTypeConfiguration = Attribute<UInt8>(
        id, 0x0009, "hvac-system-type-configuration", access: .readWrite)
    package static let localTemperatureCalibration = Attribute<Int8>(
        id, 0x0010, "local-temperature-calibration", access: .readWrite, quantity: .tenthsOfDegree)
    package static let occupiedCoolingSetpoint = Attribute<Int16>(
        id, 0x0011, "occupied-cooling-setpoint", access: .readWrite, quantity: .temperature)
    package static let occupiedHeatingSetpoint = Attribute<Int16>(
        id, 0x0012, "occupied-heating-setpoint", access: .readWrite, quantity: .temperature)
    package static let unoccupiedCoolingSetpoint = Attribute<Int16>(
        id, 0x0013, "unoccupied-cooling-setpoint", access: .readWrite, quantity: .temperature)
    package static let unoccupiedHeatingSetpoint = Attribute<Int16>(
        id, 0x0014, "unoccupied-heating-setpoint", access: .readWrite, quantity: .temperature)
    package static let minHeatSetpointLimit = Attribute<Int16>(
        id, 0x0015, "min-heat-setpoint-limit", access: .readWrite, quantity: .temperature)
    package static let maxHeatSetpointLimit = Attribute<Int16>(
        id, 0x0016, "max-heat-setpoint-limit", access: .readWrite, quantity: .temperature)
    package static let minCoolSetpointLimit = Attribute<Int16>(
        id, 0x0017, "min-cool-setpoint-limit", access: .readWrite, quantity: .temperature)
    package static let maxCoolSetpointLimit = Attribute<Int16>(
        id, 0x0018, "max-cool-setpoint-limit", access: .readWrite, quantity: .temperature)
    package static let minSetpointDeadBand = Attribute<Int8>(
        id, 0x0019, "min-setpoint-dead-band", access: .readWrite, quantity: .tenthsOfDegree)
    package static let remoteSensing = Attribute<UInt8>(
        id, 0x001A, "remote-sensing", access: .readWrite)
    package static let controlSequenceOfOperation = Attribute<OpenEnum<ControlSequenceOfOperation>>(
        id, 0x001B, "control-sequence-of-operation", access: .readWrite)
    package static let systemMode = Attribute<OpenEnum<SystemMode>>(
        id, 0x001C, "system-mode", access: .readWrite)
    package static let thermostatRunningMode = Attribute<OpenEnum<ThermostatRunningMode>>(
        id, 0x001E, "thermostat-running-mode")
    package static let startOfWeek = Attribute<OpenEnum<StartOfWeek>>(id, 0x0020, "start-of-week")
    package static let numberOfWeeklyTransitions = Attribute<UInt8>(
        id, 0x0021, "number-of-weekly-transitions")
    package static let numberOfDailyTransitions = Attribute<UInt8>(
        id, 0x0022, "number-of-daily-transitions")
    package static let temperatureSetpointHold = Attribute<OpenEnum<TemperatureSetpointHold>>(
        id, 0x0023, "temperature-setpoint-hold", access: .readWrite)
    package static let temperatureSetpointHoldDuration = Attribute<Nullable<UInt16>>(
        id, 0x0024, "temperature-setpoint-hold-duration", access: .readWrite, quantity: .minutes)
    package static let thermostatProgrammingOperationMode = Attribute<UInt8>(
        id, 0x0025, "thermostat-programming-operation-mode", access: .readWrite)
    package static let thermostatRunningState = Attribute<UInt16>(
        id, 0x0029, "thermostat-running-state")
    package static let setpointChangeSource = Attribute<OpenEnum<SetpointChangeSource>>(
        id, 0x0030, "setpoint-change-source")
    package static let setpointChangeAmount = Attribute<Nullable<Int16>>(
        id, 0x0031, "setpoint-change-amount", quantity: .temperature)
    package static let setpointChangeSourceTimestamp = Attribute<UInt32>(
        id, 0x0032, "setpoint-change-source-timestamp")
    package static let occupiedSetback = Attribute<Nullable<UInt8>>(
        id, 0x0034, "occupied-setback", access: .readWrite, quantity: .tenthsOfDegree)
    package static let occupiedSetbackMin = Attribute<Nullable<UInt8>>(
        id, 0x0035, "occupied-setback-min", quantity: .tenthsOfDegree)
    package static let occupiedSetbackMax = Attribute<Nullable<UInt8>>(
        id, 0x0036, "occupied-setback-max", quantity: .tenthsOfDegree)
    package static let unoccupiedSetback = Attribute<Nullable<UInt8>>(
        id, 0x0037, "unoccupied-setback", access: .readWrite, quantity: .tenthsOfDegree)
    package static let unoccupiedSetbackMin = Attribute<Nullable<UInt8>>(
        id, 0x0038, "unoccupied-setback-min", quantity: .tenthsOfDegree)
    package static let unoccupiedSetbackMax = Attribute<Nullable<UInt8>>(
        id, 0x0039, "unoccupied-setback-max", quantity: .tenthsOfDegree)
    package static let emergencyHeatDelta = Attribute<UInt8>(
        id, 0x003A, "emergency-heat-delta", access: .readWrite, quantity: .tenthsOfDegree)
    package static let acType = Attribute<OpenEnum<ACType>>(
        id, 0x0040, "ac-type", access: .readWrite)
    package static let acCapacity = Attribute<UInt16>(id, 0x0041, "ac-capacity", access: .readWrite)
    package static let acRefrigerantType = Attribute<OpenEnum<ACRefrigerantType>>(
        id, 0x0042, "ac-refrigerant-type", access: .readWrite)
    package static let acCompressorType = Attribute<OpenEnum<ACCompressorType>>(
        id, 0x0043, "ac-compressor-type", access: .readWrite)
    package static let acErrorCode = Attribute<UInt32>(
        id, 0x0044, "ac-error-code", access: .readWrite)
    package static let acLouverPosition = Attribute<OpenEnum<ACLouverPosition>>(
        id, 0x0045, "ac-louver-position", access: .readWrite)
    package static let acCoilTemperature = Attribute<Nullable<Int16>>(
        id, 0x0046, "ac-coil-temperature", quantity: .temperature)
    package static let acCapacityFormat = Attribute<OpenEnum<ACCapacityFormat>>(
        id, 0x0047, "ac-capacity-format", access: .readWrite)
    package static let presetTypes = Attribute<EncodedElement>(id, 0x0048, "preset-types")
    package static let scheduleTypes = Attribute<EncodedElement>(id, 0x0049, "schedule-types")
    package static let numberOfPresets = Attribute<UInt8>(id, 0x004A, "number-of-presets")
    package static let numberOfSchedules = Attribute<UInt8>(id, 0x004B, "number-of-schedules")
    package static let numberOfScheduleTransitions = Attribute<UInt8>(
        id, 0x004C, "number-of-schedule-transitions")
    package static let numberOfScheduleTransitionPerDay = Attribute<Nullable<UInt8>>(
        id, 0x004D, "number-of-schedule-transition-per-day")
    package static let activePresetHandle = Attribute<Nullable<Octets>>(
        id, 0x004E, "active-preset-handle")
    package static let activeScheduleHandle = Attribute<Nullable<Octets>>(
        id, 0x004F, "active-schedule-handle")
    package static let presets = Attribute<EncodedElement>(
        id, 0x0050, "presets", access: .readWrite)
    package static let schedules = Attribute<EncodedElement>(
        id, 0x0051, "schedules", access: .readWrite)
    package static let setpointHoldExpiryTimestamp = Attribute<Nullable<UInt32>>(
        id, 0x0052, "setpoint-hold-expiry-timestamp")

    package static let attributes = table(
        localTemperature, outdoorTemperature, occupancy, absMinHeatSetpointLimit,
        absMaxHeatSetpointLimit, absMinCoolSetpointLimit, absMaxCoolSetpointLimit, piCoolingDemand,
        piHeatingDemand, hvacSystemTypeConfiguration, localTemperatureCalibration,
        occupiedCoolingSetpoint, occupiedHeatingSetpoint, unoccupiedCoolingSetpoint,
        unoccupiedHeatingSetpoint, minHeatSetpointLimit, maxHeatSetpointLimit, minCoolSetpointLimit,
        maxCoolSetpointLimit, minSetpointDeadBand, remoteSensing, controlSequenceOfOperation,
        systemMode, thermostatRunningMode, startOfWeek, numberOfWeeklyTransitions,
        numberOfDailyTransitions, temperatureSetpointHold, temperatureSetpointHoldDuration,
        thermostatProgrammingOperationMode, thermostatRunningState, setpointChangeSource,
        setpointChangeAmount, setpointChangeSourceTimestamp, occupiedSetback, occupiedSetbackMin,
        occupiedSetbackMax, unoccupiedSetback, unoccupiedSetbackMin, unoccupiedSetbackMax,
        emergencyHeatDelta, acType, acCapacity, acRefrigerantType, acCompressorType, acErrorCode,
        acLouverPosition, acCoilTemperature, acCapacityFormat, presetTypes, scheduleTypes,
        numberOfPresets, numberOfSchedules, numberOfScheduleTransitions,
        numberOfScheduleTransitionPerDay, activePresetHandle, activeScheduleHandle, presets,
        schedules, setpointHoldExpiryTimestamp)
    package static let commands = table(
        SetpointRaiseLower.self, SetActiveScheduleRequest.self, SetActivePresetRequest.self)
}

extension Thermostat {
    /// Application Clusters §4.3.10.1. The amount is in tenths of a degree.
    package struct SetpointRaiseLower: Command, Equatable {
        package static let cluster = Thermostat.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "setpoint-raise-lower"

        package var mode = OpenEnum(SetpointRaiseLowerMode.heat)
        package var amount: Int8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "mode", &mode)
            try field(1, "amount", &amount)
        }
    }

    /// Application Clusters §4.3.10.8
    package struct SetActiveScheduleRequest: Command, Equatable {
        package static let cluster = Thermostat.id
        package static let id = CommandID(0x05)
        package static let name: StaticString = "set-active-schedule-request"

        package var scheduleHandle = Octets()

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "scheduleHandle", &scheduleHandle)
        }
    }

    /// Application Clusters §4.3.10.9. Null: no preset.
    package struct SetActivePresetRequest: Command, Equatable {
        package static let cluster = Thermostat.id
        package static let id = CommandID(0x06)
        package static let name: StaticString = "set-active-preset-request"

        package var presetHandle: Nullable<Octets> = .null

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "presetHandle", &presetHandle)
        }
    }
}

extension Thermostat {
    /// Application Clusters §4.3.8.15
    package enum ACCapacityFormat: UInt8, NamedNumber {
        case btuh = 0
    }

    /// Application Clusters §4.3.8.16
    package enum ACCompressorType: UInt8, NamedNumber {
        case unknown = 0
        case t1 = 1
        case t2 = 2
        case t3 = 3
    }

    /// Application Clusters §4.3.8.17
    package enum ACLouverPosition: UInt8, NamedNumber {
        case closed = 1
        case open = 2
        case quarter = 3
        case half = 4
        case threeQuarters = 5
    }

    /// Application Clusters §4.3.8.18
    package enum ACRefrigerantType: UInt8, NamedNumber {
        case unknown = 0
        case r22 = 1
        case r410a = 2
        case r407c = 3
    }

    /// Application Clusters §4.3.8.19
    package enum ACType: UInt8, NamedNumber {
        case unknown = 0
        case coolingFixed = 1
        case heatPumpFixed = 2
        case coolingInverter = 3
        case heatPumpInverter = 4
    }

    /// Application Clusters §4.3.8.20
    package enum SetpointRaiseLowerMode: UInt8, NamedNumber {
        case heat = 0
        case cool = 1
        case both = 2
    }

    /// Application Clusters §4.3.8.21
    package enum ControlSequenceOfOperation: UInt8, NamedNumber {
        case coolingOnly = 0
        case coolingWithReheat = 1
        case heatingOnly = 2
        case heatingWithReheat = 3
        case coolingAndHeating = 4
        case coolingAndHeatingWithReheat = 5
    }

    /// Application Clusters §4.3.8.23
    package enum SetpointChangeSource: UInt8, NamedNumber {
        case manual = 0
        case schedule = 1
        case external = 2
    }

    /// Application Clusters §4.3.8.24
    package enum StartOfWeek: UInt8, NamedNumber {
        case sunday = 0
        case monday = 1
        case tuesday = 2
        case wednesday = 3
        case thursday = 4
        case friday = 5
        case saturday = 6
    }

    /// Application Clusters §4.3.8.25
    package enum SystemMode: UInt8, NamedNumber {
        case off = 0
        case auto = 1
        case cool = 3
        case heat = 4
        case emergencyHeat = 5
        case precooling = 6
        case fanOnly = 7
        case dry = 8
        case sleep = 9
    }

    /// Application Clusters §4.3.8.26
    package enum ThermostatRunningMode: UInt8, NamedNumber {
        case off = 0
        case cool = 3
        case heat = 4
    }

    /// Application Clusters §4.3.8.27
    package enum TemperatureSetpointHold: UInt8, NamedNumber {
        case setpointHoldOff = 0
        case setpointHoldOn = 1
    }
}

internal import Base

/// What flows now. Application Clusters §2.13  Electrical Power Measurement
package enum ElectricalPowerMeasurement: Cluster {
    package static let id = ClusterID(0x0090)
    package static let name: StaticString = "electrical-power-measurement"

    package static let powerMode = Attribute<OpenEnum<PowerMode>>(id, 0x0000, "power-mode")
    package static let numberOfMeasurementTypes = Attribute<UInt8>(
        id, 0x0001, "number-of-measurement-types")
    package static let accuracy = Attribute<EncodedElement>(id, 0x0002, "accuracy")
    package static let ranges = Attribute<EncodedElement>(id, 0x0003, "ranges")
    package static let voltage = Attribute<Nullable<Int64>>(
        id, 0x0004, "voltage", quantity: .millivolts)
    package static let activeCurrent = Attribute<Nullable<Int64>>(
        id, 0x0005, "active-current", quantity: .milliamperes)
    package static let reactiveCurrent = Attribute<Nullable<Int64>>(
        id, 0x0006, "reactive-current", quantity: .milliamperes)
    package static let apparentCurrent = Attribute<Nullable<Int64>>(
        id, 0x0007, "apparent-current", quantity: .milliamperes)
    package static let activePower = Attribute<Nullable<Int64>>(
        id, 0x0008, "active-power", quantity: .milliwatts)
    package static let reactivePower = Attribute<Nullable<Int64>>(
        id, 0x0009, "reactive-power", quantity: .milliwatts)
    package static let apparentPower = Attribute<Nullable<Int64>>(
        id, 0x000A, "apparent-power", quantity: .milliwatts)
    package static let rmsVoltage = Attribute<Nullable<Int64>>(
        id, 0x000B, "rms-voltage", quantity: .millivolts)
    package static let rmsCurrent = Attribute<Nullable<Int64>>(
        id, 0x000C, "rms-current", quantity: .milliamperes)
    package static let rmsPower = Attribute<Nullable<Int64>>(
        id, 0x000D, "rms-power", quantity: .milliwatts)
    package static let frequency = Attribute<Nullable<Int64>>(
        id, 0x000E, "frequency", quantity: .millihertz)
    package static let harmonicCurrents = Attribute<EncodedElement>(id, 0x000F, "harmonic-currents")
    package static let harmonicPhases = Attribute<EncodedElement>(id, 0x0010, "harmonic-phases")
    package static let powerFactor = Attribute<Nullable<Int64>>(
        id, 0x0011, "power-factor", quantity: .percent100ths)
    package static let neutralCurrent = Attribute<Nullable<Int64>>(
        id, 0x0012, "neutral-current", quantity: .milliamperes)

    package static let attributes = table(
        powerMode, numberOfMeasurementTypes, accuracy, ranges, voltage, activeCurrent,
        reactiveCurrent, apparentCurrent, activePower, reactivePower, apparentPower, rmsVoltage,
        rmsCurrent, rmsPower, frequency, harmonicCurrents, harmonicPhases, powerFactor,
        neutralCurrent)
    package static let commands: [CommandInfo] = []
}

extension ElectricalPowerMeasurement {
    /// Application Clusters §2.13.5.1
    package enum PowerMode: UInt8, NamedNumber {
        case unknown = 0
        case dc = 1
        case ac = 2
    }
}

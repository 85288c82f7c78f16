internal import Base

/// The pressure of a liquid or a gas; scaled values are pascals times ten to the Scale. Application
/// Clusters §2.4  Pressure Measurement
package enum PressureMeasurement: Cluster {
    package static let id = ClusterID(0x0403)
    package static let name: StaticString = "pressure-measurement"

    package static let measuredValue = Attribute<Nullable<Int16>>(
        id, 0x0000, "measured-value", quantity: .tenthsOfKilopascal)
    package static let minMeasuredValue = Attribute<Nullable<Int16>>(
        id, 0x0001, "min-measured-value", quantity: .tenthsOfKilopascal)
    package static let maxMeasuredValue = Attribute<Nullable<Int16>>(
        id, 0x0002, "max-measured-value", quantity: .tenthsOfKilopascal)
    package static let tolerance = Attribute<UInt16>(
        id, 0x0003, "tolerance", quantity: .tenthsOfKilopascal)
    package static let scaledValue = Attribute<Nullable<Int16>>(id, 0x0010, "scaled-value")
    package static let minScaledValue = Attribute<Nullable<Int16>>(id, 0x0011, "min-scaled-value")
    package static let maxScaledValue = Attribute<Nullable<Int16>>(id, 0x0012, "max-scaled-value")
    package static let scaledTolerance = Attribute<UInt16>(id, 0x0013, "scaled-tolerance")
    package static let scale = Attribute<Int8>(id, 0x0014, "scale")

    package static let attributes = table(
        measuredValue, minMeasuredValue, maxMeasuredValue, tolerance, scaledValue, minScaledValue,
        maxScaledValue, scaledTolerance, scale)
    package static let commands: [CommandInfo] = []
}

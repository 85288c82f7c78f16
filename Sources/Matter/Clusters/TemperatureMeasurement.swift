internal import Base

/// Application Clusters §2.3  Temperature Measurement
package enum TemperatureMeasurement: Cluster {
    package static let id = ClusterID(0x0402)
    package static let name: StaticString = "temperature-measurement"

    package static let measuredValue = Attribute<Nullable<Int16>>(
        id, 0x0000, "measured-value", quantity: .temperature)
    package static let minMeasuredValue = Attribute<Nullable<Int16>>(
        id, 0x0001, "min-measured-value", quantity: .temperature)
    package static let maxMeasuredValue = Attribute<Nullable<Int16>>(
        id, 0x0002, "max-measured-value", quantity: .temperature)
    package static let tolerance = Attribute<UInt16>(
        id, 0x0003, "tolerance", quantity: .temperature)

    package static let attributes = table(
        measuredValue, minMeasuredValue, maxMeasuredValue, tolerance)
    package static let commands: [CommandInfo] = []
}

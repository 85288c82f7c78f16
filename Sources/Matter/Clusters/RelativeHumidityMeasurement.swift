internal import Base

/// Application Clusters §2.6  Relative Humidity Measurement
package enum RelativeHumidityMeasurement: Cluster {
    package static let id = ClusterID(0x0405)
    package static let name: StaticString = "relative-humidity-measurement"

    package static let measuredValue = Attribute<Nullable<UInt16>>(
        id, 0x0000, "measured-value", quantity: .percent100ths)
    package static let minMeasuredValue = Attribute<Nullable<UInt16>>(
        id, 0x0001, "min-measured-value", quantity: .percent100ths)
    package static let maxMeasuredValue = Attribute<Nullable<UInt16>>(
        id, 0x0002, "max-measured-value", quantity: .percent100ths)
    package static let tolerance = Attribute<UInt16>(
        id, 0x0003, "tolerance", quantity: .percent100ths)

    package static let attributes = table(
        measuredValue, minMeasuredValue, maxMeasuredValue, tolerance)
    package static let commands: [CommandInfo] = []
}

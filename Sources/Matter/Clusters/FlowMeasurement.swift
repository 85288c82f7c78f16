internal import Base

/// How much flows through a pipe. Application Clusters §2.5  Flow Measurement
package enum FlowMeasurement: Cluster {
    package static let id = ClusterID(0x0404)
    package static let name: StaticString = "flow-measurement"

    package static let measuredValue = Attribute<Nullable<UInt16>>(
        id, 0x0000, "measured-value", quantity: .tenthsOfCubicMetrePerHour)
    package static let minMeasuredValue = Attribute<Nullable<UInt16>>(
        id, 0x0001, "min-measured-value", quantity: .tenthsOfCubicMetrePerHour)
    package static let maxMeasuredValue = Attribute<Nullable<UInt16>>(
        id, 0x0002, "max-measured-value", quantity: .tenthsOfCubicMetrePerHour)
    package static let tolerance = Attribute<UInt16>(
        id, 0x0003, "tolerance", quantity: .tenthsOfCubicMetrePerHour)

    package static let attributes = table(
        measuredValue, minMeasuredValue, maxMeasuredValue, tolerance)
    package static let commands: [CommandInfo] = []
}

internal import Base

/// How light it is: 10000 · log10(lux) + 1, 0 is too dark. Application Clusters §2.2  Illuminance
/// Measurement
package enum IlluminanceMeasurement: Cluster {
    package static let id = ClusterID(0x0400)
    package static let name: StaticString = "illuminance-measurement"

    package static let measuredValue = Attribute<Nullable<UInt16>>(id, 0x0000, "measured-value")
    package static let minMeasuredValue = Attribute<Nullable<UInt16>>(
        id, 0x0001, "min-measured-value")
    package static let maxMeasuredValue = Attribute<Nullable<UInt16>>(
        id, 0x0002, "max-measured-value")
    package static let tolerance = Attribute<UInt16>(id, 0x0003, "tolerance")
    package static let lightSensorType = Attribute<Nullable<UInt8>>(id, 0x0004, "light-sensor-type")

    package static let attributes = table(
        measuredValue, minMeasuredValue, maxMeasuredValue, tolerance, lightSensorType)
    package static let commands: [CommandInfo] = []
}

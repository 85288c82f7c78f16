internal import Base

/// How good the air is. Application Clusters §2.9  Air Quality
package enum AirQuality: Cluster {
    package static let id = ClusterID(0x005B)
    package static let name: StaticString = "air-quality"

    package static let airQuality = Attribute<OpenEnum<AirQuality>>(id, 0x0000, "air-quality")

    package static let attributes = table(airQuality)
    package static let commands: [CommandInfo] = []
}

extension AirQuality {
    /// Application Clusters §2.9.5.1
    package enum AirQuality: UInt8, NamedNumber {
        case unknown = 0
        case good = 1
        case fair = 2
        case moderate = 3
        case poor = 4
        case veryPoor = 5
        case extremelyPoor = 6
    }
}

internal import Base

/// Whether someone is there: bit 0 of Occupancy. Application Clusters §2.7  Occupancy Sensing
package enum OccupancySensing: Cluster {
    package static let id = ClusterID(0x0406)
    package static let name: StaticString = "occupancy-sensing"

    package static let occupancy = Attribute<UInt8>(id, 0x0000, "occupancy")
    package static let occupancySensorType = Attribute<OpenEnum<OccupancySensorType>>(
        id, 0x0001, "occupancy-sensor-type")
    package static let occupancySensorTypeBitmap = Attribute<UInt8>(
        id, 0x0002, "occupancy-sensor-type-bitmap")
    package static let holdTime = Attribute<UInt16>(
        id, 0x0003, "hold-time", access: .readWrite, quantity: .seconds)
    package static let holdTimeLimits = Attribute<HoldTimeLimitsStruct>(
        id, 0x0004, "hold-time-limits")
    package static let pirOccupiedToUnoccupiedDelay = Attribute<UInt16>(
        id, 0x0010, "pir-occupied-to-unoccupied-delay", access: .readWrite, quantity: .seconds)
    package static let pirUnoccupiedToOccupiedDelay = Attribute<UInt16>(
        id, 0x0011, "pir-unoccupied-to-occupied-delay", access: .readWrite, quantity: .seconds)
    package static let pirUnoccupiedToOccupiedThreshold = Attribute<UInt8>(
        id, 0x0012, "pir-unoccupied-to-occupied-threshold", access: .readWrite)
    package static let ultrasonicOccupiedToUnoccupiedDelay = Attribute<UInt16>(
        id, 0x0020, "ultrasonic-occupied-to-unoccupied-delay", access: .readWrite,
        quantity: .seconds)
    package static let ultrasonicUnoccupiedToOccupiedDelay = Attribute<UInt16>(
        id, 0x0021, "ultrasonic-unoccupied-to-occupied-delay", access: .readWrite,
        quantity: .seconds)
    package static let ultrasonicUnoccupiedToOccupiedThreshold = Attribute<UInt8>(
        id, 0x0022, "ultrasonic-unoccupied-to-occupied-threshold", access: .readWrite)
    package static let physicalContactOccupiedToUnoccupiedDelay = Attribute<UInt16>(
        id, 0x0030, "physical-contact-occupied-to-unoccupied-delay", access: .readWrite,
        quantity: .seconds)
    package static let physicalContactUnoccupiedToOccupiedDelay = Attribute<UInt16>(
        id, 0x0031, "physical-contact-unoccupied-to-occupied-delay", access: .readWrite,
        quantity: .seconds)
    package static let physicalContactUnoccupiedToOccupiedThreshold = Attribute<UInt8>(
        id, 0x0032, "physical-contact-unoccupied-to-occupied-threshold", access: .readWrite)

    package static let attributes = table(
        occupancy, occupancySensorType, occupancySensorTypeBitmap, holdTime, holdTimeLimits,
        pirOccupiedToUnoccupiedDelay, pirUnoccupiedToOccupiedDelay,
        pirUnoccupiedToOccupiedThreshold, ultrasonicOccupiedToUnoccupiedDelay,
        ultrasonicUnoccupiedToOccupiedDelay, ultrasonicUnoccupiedToOccupiedThreshold,
        physicalContactOccupiedToUnoccupiedDelay, physicalContactUnoccupiedToOccupiedDelay,
        physicalContactUnoccupiedToOccupiedThreshold)
    package static let commands: [CommandInfo] = []
}

extension OccupancySensing {
    /// Application Clusters §2.7.5.4. Seconds.
    package struct HoldTimeLimitsStruct: TLVStructure, Hashable, Sendable {
        package var holdTimeMin: UInt16 = 0
        package var holdTimeMax: UInt16 = 0
        package var holdTimeDefault: UInt16 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "holdTimeMin", &holdTimeMin)
            try field(1, "holdTimeMax", &holdTimeMax)
            try field(2, "holdTimeDefault", &holdTimeDefault)
        }
    }
}

extension OccupancySensing {
    /// Application Clusters §2.7.5.3
    package enum OccupancySensorType: UInt8, NamedNumber {
        case pir = 0
        case ultrasonic = 1
        case pirAndUltrasonic = 2
        case physicalContact = 3
    }
}

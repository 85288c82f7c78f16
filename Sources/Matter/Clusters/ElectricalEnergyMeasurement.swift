internal import Base

/// What has flowed. Application Clusters §2.12  Electrical Energy Measurement
package enum ElectricalEnergyMeasurement: Cluster {
    package static let id = ClusterID(0x0091)
    package static let name: StaticString = "electrical-energy-measurement"

    package static let accuracy = Attribute<EncodedElement>(id, 0x0000, "accuracy")
    package static let cumulativeEnergyImported = Attribute<Nullable<EnergyMeasurementStruct>>(
        id, 0x0001, "cumulative-energy-imported")
    package static let cumulativeEnergyExported = Attribute<Nullable<EnergyMeasurementStruct>>(
        id, 0x0002, "cumulative-energy-exported")
    package static let periodicEnergyImported = Attribute<Nullable<EnergyMeasurementStruct>>(
        id, 0x0003, "periodic-energy-imported")
    package static let periodicEnergyExported = Attribute<Nullable<EnergyMeasurementStruct>>(
        id, 0x0004, "periodic-energy-exported")
    package static let cumulativeEnergyReset = Attribute<EncodedElement>(
        id, 0x0005, "cumulative-energy-reset")

    package static let attributes = table(
        accuracy, cumulativeEnergyImported, cumulativeEnergyExported, periodicEnergyImported,
        periodicEnergyExported, cumulativeEnergyReset)
    package static let commands: [CommandInfo] = []
}

extension ElectricalEnergyMeasurement {
    /// Application Clusters §2.12.5.1. Energy in milliwatt-hours; the times count from 2000 in
    /// seconds, from the start of the node in milliseconds.
    package struct EnergyMeasurementStruct: TLVStructure, Hashable, Sendable {
        package var energy: Int64 = 0
        package var startTimestamp: UInt32?
        package var endTimestamp: UInt32?
        package var startSystime: UInt64?
        package var endSystime: UInt64?
        package var apparentEnergy: Int64?
        package var reactiveEnergy: Int64?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "energy", &energy)
            try field(1, "startTimestamp", &startTimestamp)
            try field(2, "endTimestamp", &endTimestamp)
            try field(3, "startSystime", &startSystime)
            try field(4, "endSystime", &endSystime)
            try field(5, "apparentEnergy", &apparentEnergy)
            try field(6, "reactiveEnergy", &reactiveEnergy)
        }
    }
}

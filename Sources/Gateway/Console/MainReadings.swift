package import Matter
package import MatterNode

/// What `read` asks a device for when nobody says what: what it measures or is set to.
package enum MainReadings {
    /// - Parameter endpoint: nil for all of them.
    /// - Returns: empty when the device is known to have none.
    package static func paths(of node: NodeRecord, on endpoint: EndpointID?) -> [AttributePath] {
        if node.endpoints.isEmpty {
            return table.map { AttributePath(endpoint: endpoint, cluster: $0.0, attribute: $0.1) }
        }
        let endpoints = node.endpoints.filter { endpoint == nil || $0.endpoint == endpoint }
        return endpoints.flatMap { record in
            record.clusters.flatMap { cluster in
                table.filter { $0.0 == cluster }.map { cluster, attribute in
                    AttributePath(
                        endpoint: record.endpoint, cluster: cluster, attribute: attribute)
                }
            }
        }
    }

    /// What a sheet of the device shows, of all endpoints at once: what the device measures or is
    /// set to, what its thermostats do, and the names of those behind a bridge.
    static func sheet(of node: NodeRecord) -> [AttributePath] {
        let clusters = Set(node.endpoints.flatMap(\.clusters))
        return (table + details).filter { clusters.contains($0.0) }
            .map { AttributePath(endpoint: nil, cluster: $0.0, attribute: $0.1) }
    }

    /// Attributes that a device may have or not; asked for all endpoints, none is refused.
    private static let details: [(ClusterID, AttributeID)] = [
        (Thermostat.id, Thermostat.systemMode.id),
        (Thermostat.id, Thermostat.occupiedHeatingSetpoint.id),
        (Thermostat.id, Thermostat.occupiedCoolingSetpoint.id),
        (Thermostat.id, Thermostat.thermostatRunningState.id),
        (Thermostat.id, Thermostat.thermostatRunningMode.id),
        (Thermostat.id, Thermostat.piHeatingDemand.id),
        (Thermostat.id, Thermostat.piCoolingDemand.id),
        (BridgedDeviceBasicInformation.id, BridgedDeviceBasicInformation.nodeLabel.id),
        (BridgedDeviceBasicInformation.id, BridgedDeviceBasicInformation.productName.id),
        (BridgedDeviceBasicInformation.id, BridgedDeviceBasicInformation.reachable.id),
    ]

    /// Application Clusters 1.4: of each cluster that measures or holds a state, what it is for.
    private static let table: [(ClusterID, AttributeID)] = [
        (0x0006, 0x0000),  // On/Off: OnOff
        (0x0008, 0x0000),  // Level Control: CurrentLevel
        (0x002F, 0x000C),  // Power Source: BatPercentRemaining
        (0x0045, 0x0000),  // Boolean State: StateValue
        (0x005B, 0x0000),  // Air Quality: AirQuality
        (0x0090, 0x0008),  // Electrical Power Measurement: ActivePower
        (0x0101, 0x0000),  // Door Lock: LockState
        (0x0102, 0x000E),  // Window Covering: CurrentPositionLiftPercent100ths
        (0x0201, 0x0000),  // Thermostat: LocalTemperature
        (0x0202, 0x0003),  // Fan Control: PercentCurrent
        (0x0400, 0x0000),  // Illuminance Measurement: MeasuredValue
        (0x0402, 0x0000),  // Temperature Measurement: MeasuredValue
        (0x0403, 0x0000),  // Pressure Measurement: MeasuredValue
        (0x0404, 0x0000),  // Flow Measurement: MeasuredValue
        (0x0405, 0x0000),  // Relative Humidity Measurement: MeasuredValue
        (0x0406, 0x0000),  // Occupancy Sensing: Occupancy
        (0x040D, 0x0000),  // Carbon Dioxide Concentration Measurement: MeasuredValue
        (0x042A, 0x0000),  // PM2.5 Concentration Measurement: MeasuredValue
    ].map { (ClusterID($0), AttributeID($1)) }
}

extension NodeRecord {
    /// The endpoint that a command is for.
    /// - Parameter named: what the person said; nil takes the only one with the cluster.
    package func endpoint(
        for cluster: ClusterID, named: EndpointID?
    ) throws(EndpointError) -> EndpointID {
        if let named { return named }
        // A device that was not asked what it is has its first function on endpoint 1.
        if endpoints.isEmpty { return EndpointID(1) }
        let fitting = endpoints.filter { $0.clusters.contains(cluster) }.map(\.endpoint)
        guard let first = fitting.first else { throw .none(cluster) }
        guard fitting.count == 1 else { throw .several(cluster, fitting) }
        return first
    }
}

/// Why a device does not say by itself which of its endpoints is meant.
package enum EndpointError: Error, Equatable {
    /// None has the cluster that the command is of.
    case none(ClusterID)
    case several(ClusterID, [EndpointID])
}

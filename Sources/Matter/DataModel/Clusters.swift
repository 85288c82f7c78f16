package import Base

/// The clusters that are known here, and what can be said of those that are not.
package enum Clusters {
    /// In the order of their ids.
    package static let all: [any Cluster.Type] = [
        Identify.self,
        Groups.self,
        OnOff.self,
        LevelControl.self,
        Descriptor.self,
        AccessControl.self,
        BasicInformation.self,
        PowerSource.self,
        GeneralCommissioning.self,
        NetworkCommissioning.self,
        GeneralDiagnostics.self,
        ThreadNetworkDiagnostics.self,
        WiFiNetworkDiagnostics.self,
        TimeSynchronization.self,
        BridgedDeviceBasicInformation.self,
        AdministratorCommissioning.self,
        OperationalCredentials.self,
        GroupKeyManagement.self,
        BooleanState.self,
        ICDManagement.self,
        AirQuality.self,
        ElectricalPowerMeasurement.self,
        ElectricalEnergyMeasurement.self,
        PowerTopology.self,
        DoorLock.self,
        Thermostat.self,
        FanControl.self,
        ColorControl.self,
        IlluminanceMeasurement.self,
        TemperatureMeasurement.self,
        PressureMeasurement.self,
        FlowMeasurement.self,
        RelativeHumidityMeasurement.self,
        OccupancySensing.self,
    ]

    package static func cluster(_ id: ClusterID) -> (any Cluster.Type)? {
        all.first { $0.id == id }
    }

    package static func attribute(
        _ id: AttributeID, of cluster: ClusterID
    ) -> AttributeInfo? {
        guard let cluster = self.cluster(cluster) else {
            return Descriptor.globalAttributes.first { $0.id == id }
        }
        return cluster.attributes.first { $0.id == id }
            ?? cluster.globalAttributes.first { $0.id == id }
    }

    package static func command(_ id: CommandID, of cluster: ClusterID) -> CommandInfo? {
        self.cluster(cluster)?.commands.first { $0.id == id }
    }

    /// By the cluster's field names; by tag numbers where the attribute is unknown or the device
    /// does not keep to its type.
    package static func json(
        _ value: EncodedElement, of path: ConcreteAttributePath
    ) -> JSONValue {
        guard let info = attribute(path.attribute, of: path.cluster) else { return value.json }
        do throws(TLVError) {
            return try info.json(value)
        } catch {
            return value.json
        }
    }

    /// A value to write: by the cluster's field names, or by tag numbers where it is unknown.
    package static func element(
        _ json: JSONValue, for path: ConcreteAttributePath
    ) throws(TLVError) -> EncodedElement {
        guard let info = attribute(path.attribute, of: path.cluster) else {
            return try EncodedElement(json: json)
        }
        return try info.element(json)
    }

    /// What people read: "21.50 °C", "no value".
    package static func text(
        _ value: EncodedElement, of path: ConcreteAttributePath
    ) -> String {
        let json = json(value, of: path)
        if let info = attribute(path.attribute, of: path.cluster) { return info.text(json) }
        return json == .null ? "no value" : json.text
    }
}

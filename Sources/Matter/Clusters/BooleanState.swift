internal import Base

/// A contact, a leak, rain: true or false, as the device type says. Application Clusters
/// §1.7  Boolean State
package enum BooleanState: Cluster {
    package static let id = ClusterID(0x0045)
    package static let name: StaticString = "boolean-state"

    package static let stateValue = Attribute<Bool>(id, 0x0000, "state-value")

    package static let attributes = table(stateValue)
    package static let commands: [CommandInfo] = []
}

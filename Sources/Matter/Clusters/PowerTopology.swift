internal import Base

/// Whose power an endpoint measures. Core §11.8  Power Topology
package enum PowerTopology: Cluster {
    package static let id = ClusterID(0x009C)
    package static let name: StaticString = "power-topology"

    package static let availableEndpoints = Attribute<[EndpointID]>(
        id, 0x0000, "available-endpoints")
    package static let activeEndpoints = Attribute<[EndpointID]>(id, 0x0001, "active-endpoints")

    package static let attributes = table(availableEndpoints, activeEndpoints)
    package static let commands: [CommandInfo] = []
}

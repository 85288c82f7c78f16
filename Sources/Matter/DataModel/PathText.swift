internal import Base

/// Which part of a typed path is not understood.
package enum PathError: Error, Equatable {
    /// Not three parts between slashes.
    case shape
    case endpoint
    case cluster
    case attribute
    case command
}

extension AttributePath {
    /// Reads `endpoint/cluster/attribute`: names in any spelling, numbers, or `*` for all.
    package init(_ text: String) throws(PathError) {
        let parts = try Parts(text)
        self.init()
        if parts.endpoint != "*" { endpoint = try parts.endpointID() }
        if parts.cluster != "*" { cluster = try parts.clusterID() }
        if parts.leaf != "*" { attribute = try parts.attributeID(of: cluster) }
    }
}

extension CommandPath {
    /// Reads `endpoint/cluster/command`, names in any spelling or numbers.
    package init(_ text: String) throws(PathError) {
        let parts = try Parts(text)
        let cluster = try parts.clusterID()
        self.init(
            endpoint: try parts.endpointID(), cluster: cluster,
            command: try parts.commandID(of: cluster))
    }
}

extension ConcreteAttributePath: CustomStringConvertible {
    /// As the console spells it; what has no name is its number in hexadecimal.
    package var description: String {
        let clusterName = Clusters.name(cluster)?.description
        let attributeName = Clusters.attribute(attribute, of: cluster)?.name.description
        return "\(endpoint.rawValue)/\(clusterName ?? Parts.hexadecimal(cluster.rawValue))"
            + "/\(attributeName ?? Parts.hexadecimal(attribute.rawValue))"
    }
}

private struct Parts {
    let endpoint: Substring
    let cluster: Substring
    let leaf: Substring

    init(_ text: String) throws(PathError) {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .shape }
        endpoint = parts[0]
        cluster = parts[1]
        leaf = parts[2]
    }

    func endpointID() throws(PathError) -> EndpointID {
        guard let number: UInt16 = ConsoleName.number(endpoint) else { throw .endpoint }
        return EndpointID(number)
    }

    func clusterID() throws(PathError) -> ClusterID {
        if let number: UInt32 = ConsoleName.number(cluster) { return ClusterID(number) }
        let named = Clusters.all.first { ConsoleName.matches($0.name.description, cluster) }
        guard let id = named?.id ?? ClusterNames.id(matching: cluster) else { throw .cluster }
        return id
    }

    /// - Parameter cluster: nil for all of them, which have only the global attributes in common.
    func attributeID(of cluster: ClusterID?) throws(PathError) -> AttributeID {
        if let number: UInt32 = ConsoleName.number(leaf) { return AttributeID(number) }
        let known = cluster.flatMap(Clusters.cluster)
        let table = (known?.attributes ?? []) + Descriptor.globalAttributes
        let named = table.first { ConsoleName.matches($0.name.description, leaf) }
        guard let named else { throw .attribute }
        return named.id
    }

    func commandID(of cluster: ClusterID) throws(PathError) -> CommandID {
        if let number: UInt32 = ConsoleName.number(leaf) { return CommandID(number) }
        let table = Clusters.cluster(cluster)?.commands ?? []
        let named = table.first { ConsoleName.matches($0.name.description, leaf) }
        guard let named else { throw .command }
        return named.id
    }

    static func hexadecimal(_ number: UInt32) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

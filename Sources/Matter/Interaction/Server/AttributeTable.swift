internal import Base

/// What a node has: clusters on endpoints and their attributes, encoded, with the versions of
/// their data. Core §7.8, §7.10.
package struct AttributeTable: Sendable {
    /// Ascending by endpoint and cluster.
    private(set) var clusters: [ServedCluster] = []
    /// Counts the changes that subscribers are told; each attribute knows its last one.
    private(set) var lastChange: UInt64 = 0
    private var versions = SeededSequence(seed: 0)

    package init() {}

    /// Adds a cluster with its global attributes. AttributeList follows what is set afterwards.
    /// - Parameters:
    ///   - commands: those that it carries out (AcceptedCommandList).
    ///   - responses: those that it answers with (GeneratedCommandList).
    package mutating func add<C: Cluster>(
        _ cluster: C.Type, on endpoint: EndpointID, revision: UInt16, features: UInt32 = 0,
        commands: [CommandID] = [], responses: [CommandID] = []
    ) {
        let place = clusters.firstIndex { ($0.endpoint, $0.id) >= (endpoint, C.id) }
        precondition(
            place.map { (clusters[$0].endpoint, clusters[$0].id) != (endpoint, C.id) } ?? true,
            "an endpoint has a cluster once")
        clusters.insert(
            ServedCluster(
                endpoint: endpoint, id: C.id, known: C.attributes, commands: C.commands,
                accepted: commands.sorted(), dataVersion: versions.nextUInt32()),
            at: place ?? clusters.endIndex)
        set(C.clusterRevision, revision, on: endpoint)
        set(C.featureMap, features, on: endpoint)
        set(C.acceptedCommandList, commands.sorted(), on: endpoint)
        set(C.generatedCommandList, responses.sorted(), on: endpoint)
        set(C.attributeList, [], on: endpoint)
    }

    package mutating func remove(endpoint: EndpointID) {
        clusters.removeAll { $0.endpoint == endpoint }
    }

    package func has(_ cluster: ClusterID, on endpoint: EndpointID) -> Bool {
        index(endpoint, cluster) != nil
    }

    package func has(endpoint: EndpointID) -> Bool {
        clusters.contains { $0.endpoint == endpoint }
    }

    package func dataVersion(of cluster: ClusterID, on endpoint: EndpointID) -> UInt32? {
        index(endpoint, cluster).map { clusters[$0].dataVersion }
    }

    /// Sets a value, or adds the attribute. A change raises the version of the cluster's data.
    /// - Parameters:
    ///   - endpoint: one that has the cluster.
    ///   - isReported: false for attributes whose changes are left out of reports (quality C),
    ///     such as counters; their version stays.
    package mutating func set<Value>(
        _ attribute: Attribute<Value>, _ value: Value, on endpoint: EndpointID = .root,
        isReported: Bool = true
    ) {
        setEncoded(
            EncodedElement(attribute: value), at: attribute.path(endpoint), isReported: isReported)
    }

    /// Nil when the attribute is not there.
    package func get<Value>(
        _ attribute: Attribute<Value>, on endpoint: EndpointID = .root
    ) -> Value? {
        guard let value = encoded(attribute.path(endpoint)) else { return nil }
        do throws(TLVError) {
            return try value.decoded(as: Value.self)
        } catch {
            preconditionFailure("values are of their attribute's type when they are set")
        }
    }

    package func encoded(_ path: ConcreteAttributePath) -> EncodedElement? {
        guard let cluster = index(path.endpoint, path.cluster) else { return nil }
        return clusters[cluster].value(path.attribute)
    }

    package mutating func setEncoded(
        _ value: EncodedElement, at path: ConcreteAttributePath, isReported: Bool = true
    ) {
        guard let index = index(path.endpoint, path.cluster) else {
            preconditionFailure("an attribute belongs to a cluster that was added")
        }
        if isReported { lastChange += 1 }
        let change = isReported ? lastChange : nil
        guard clusters[index].set(value, path.attribute, change: change) else { return }
        clusters[index].list()
    }

    /// Draws the versions of all data anew, as a start of the node does (Core §7.10.3).
    mutating func drawVersions(_ sequence: inout SeededSequence) {
        for index in clusters.indices { clusters[index].dataVersion = sequence.nextUInt32() }
        versions = SeededSequence(seed: sequence.next())
    }

    func cluster(_ id: ClusterID, on endpoint: EndpointID) -> ServedCluster? {
        index(endpoint, id).map { clusters[$0] }
    }

    func deviceTypes(of endpoint: EndpointID) -> [DeviceTypeID] {
        (get(Descriptor.deviceTypeList, on: endpoint) ?? []).map(\.deviceType)
    }

    private func index(_ endpoint: EndpointID, _ cluster: ClusterID) -> Int? {
        var low = 0
        var high = clusters.count
        while low < high {
            let middle = (low + high) / 2
            let found = clusters[middle]
            if (found.endpoint, found.id) < (endpoint, cluster) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < clusters.count, clusters[low].endpoint == endpoint,
            clusters[low].id == cluster
        else { return nil }
        return low
    }
}

/// One cluster of one endpoint.
struct ServedCluster: Sendable {
    struct Entry: Sendable {
        let id: AttributeID
        var value: EncodedElement
        /// The table's count when it changed last.
        var change: UInt64
    }

    let endpoint: EndpointID
    let id: ClusterID
    /// By the cluster's table, whether or not they are here.
    let known: [AttributeInfo]
    let commands: [CommandInfo]
    let accepted: [CommandID]
    var dataVersion: UInt32
    /// Ascending by id.
    private(set) var attributes: [Entry] = []
    /// The greatest of its attributes.
    private(set) var lastChange: UInt64 = 0

    init(
        endpoint: EndpointID, id: ClusterID, known: [AttributeInfo], commands: [CommandInfo],
        accepted: [CommandID], dataVersion: UInt32
    ) {
        self.endpoint = endpoint
        self.id = id
        self.known = known
        self.commands = commands
        self.accepted = accepted
        self.dataVersion = dataVersion
    }

    func value(_ attribute: AttributeID) -> EncodedElement? {
        attributes.first { $0.id == attribute }?.value
    }

    func path(_ attribute: AttributeID) -> ConcreteAttributePath {
        ConcreteAttributePath(endpoint: endpoint, cluster: id, attribute: attribute)
    }

    func info(_ attribute: AttributeID) -> AttributeInfo? {
        known.first { $0.id == attribute }
    }

    /// - Parameter change: nil for a change that is not reported.
    /// - Returns: true when the attribute is new.
    mutating func set(
        _ value: EncodedElement, _ attribute: AttributeID, change: UInt64?
    ) -> Bool {
        let place = attributes.firstIndex { $0.id >= attribute } ?? attributes.endIndex
        let isNew = place == attributes.endIndex || attributes[place].id != attribute
        if isNew {
            attributes.insert(
                Entry(id: attribute, value: value, change: change ?? 0), at: place)
        } else {
            guard attributes[place].value != value else { return false }
            attributes[place].value = value
        }
        guard let change else { return isNew }
        attributes[place].change = change
        lastChange = change
        dataVersion &+= 1
        return isNew
    }

    /// Brings AttributeList up to what is there.
    mutating func list() {
        guard let place = attributes.firstIndex(where: { $0.id == Self.attributeList }) else {
            return
        }
        attributes[place].value = EncodedElement(attribute: attributes.map(\.id))
        attributes[place].change = lastChange
    }

    private static let attributeList = Descriptor.attributeList.id
}

extension EncodedElement {
    /// - Parameter value: of an attribute, at most `Limits.attributeOctets` long.
    init(attribute value: some TLVCodable) {
        for capacity in [Limits.interactionPayload, Limits.attributeOctets] {
            do throws(TLVError) {
                self.init(checked: try value.tlv(capacity: capacity))
                return
            } catch {
                continue
            }
        }
        preconditionFailure("an attribute of ours is longer than Limits.attributeOctets")
    }
}

/// SplitMix64: numbers that follow from one that was drawn at random.
struct SeededSequence: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func nextUInt32() -> UInt32 { UInt32(truncatingIfNeeded: next() >> 32) }
}

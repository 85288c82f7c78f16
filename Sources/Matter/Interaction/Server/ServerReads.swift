internal import Base

// Read actions of a server. Core §8.4.3.

extension InteractionServer {
    mutating func read(
        _ conversation: Conversation, _ payload: Span<UInt8>, at now: Instant
    ) throws(ActionError) {
        let request = try decode(ReadRequest.self, payload)
        let report = try report(
            ReportScope(request), to: conversation.accessor, maxPaths: settings.pathsPerRead)
        say(report, in: conversation, at: now)
    }

    /// Says the next message of an answer to a read.
    mutating func say(_ report: PendingReport, in conversation: Conversation, at now: Instant) {
        var report = report
        let message = fill(&report)
        say(message, on: conversation.exchange, isLast: report.isDone)
        if report.isDone { return }
        wait(conversation, .reading(report), until: now + Limits.serverPatience)
    }

    /// Everything that the paths stand for, with the statuses of those that stand for nothing.
    func report(
        _ scope: ReportScope, to accessor: Accessor, maxPaths: Int, subscriptionID: UInt32? = nil
    ) throws(ActionError) -> PendingReport {
        let pathCount = scope.attributes.count + scope.events.count
        guard pathCount > 0 else { throw .refused(.invalidAction) }
        guard pathCount <= maxPaths else { throw .refused(.pathsExhausted) }
        guard scope.known.count <= Limits.dataVersionFilters else {
            throw .refused(.resourceExhausted)
        }
        var items: [PendingReport.Item] = []
        for path in scope.attributes {
            guard path.isValidToRead else { throw .refused(.invalidAction) }
            items += self.items(path, accessor, scope.known)
        }
        for path in scope.events {
            guard path.cluster != nil || path.event == nil else { throw .refused(.invalidAction) }
            if let status = refusal(path, accessor) { items.append(.noEvent(path, status)) }
        }
        let first = min(scope.eventMin, log.nextNumber)
        return PendingReport(
            subscriptionID: subscriptionID, accessor: accessor,
            isFabricFiltered: scope.isFabricFiltered, items: items[...], events: scope.events,
            eventNumbers: scope.events.isEmpty
                ? log.nextNumber..<log.nextNumber : first..<log.nextNumber)
    }

    private func items(
        _ path: AttributePath, _ accessor: Accessor, _ known: [DataVersionFilterIB]
    ) -> [PendingReport.Item] {
        if let concrete = path.concrete {
            if let status = refusal(toRead: concrete, accessor) {
                return [.noAttribute(path, status)]
            }
            return isKnown(concrete.endpoint, concrete.cluster, known)
                ? [] : [.attribute(concrete)]
        }
        return expand(path, accessor) { cluster, _ in
            !isKnown(cluster.endpoint, cluster.id, known)
        }.map { .attribute($0) }
    }

    /// What a path stands for, by endpoint, cluster and attribute, without what the accessor
    /// may not see.
    func expand(
        _ path: AttributePath, _ accessor: Accessor,
        where isWanted: (ServedCluster, ServedCluster.Entry) -> Bool
    ) -> [ConcreteAttributePath] {
        var found: [ConcreteAttributePath] = []
        for cluster in attributes.clusters {
            guard (path.endpoint ?? cluster.endpoint) == cluster.endpoint,
                (path.cluster ?? cluster.id) == cluster.id
            else { continue }
            for entry in cluster.attributes {
                let concrete = cluster.path(entry.id)
                guard (path.attribute ?? entry.id) == entry.id, isWanted(cluster, entry),
                    allows(
                        RequiredPrivilege.read(concrete), accessor, cluster.endpoint, cluster.id)
                else { continue }
                found.append(concrete)
            }
        }
        return found
    }

    /// Whoever may not even view the cluster does not learn whether it is there.
    func refusal(
        toRead path: ConcreteAttributePath, _ accessor: Accessor
    ) -> InteractionStatus? {
        if let status = absence(path.endpoint, path.cluster, accessor, least: .view) {
            return status
        }
        guard attributes.encoded(path) != nil else { return .unsupportedAttribute }
        let privilege = RequiredPrivilege.read(path)
        return allows(privilege, accessor, path.endpoint, path.cluster) ? nil : .unsupportedAccess
    }

    /// Why a path without wildcards gives no events.
    func refusal(_ path: EventPath, _ accessor: Accessor) -> InteractionStatus? {
        guard let path = path.concrete else { return nil }
        if let status = absence(path.endpoint, path.cluster, accessor, least: .view) {
            return status
        }
        let privilege = RequiredPrivilege.read(eventsOf: path.cluster)
        return allows(privilege, accessor, path.endpoint, path.cluster) ? nil : .unsupportedAccess
    }

    /// - Parameter least: without this privilege nothing is told of what exists.
    func absence(
        _ endpoint: EndpointID, _ cluster: ClusterID, _ accessor: Accessor,
        least: AccessControl.Privilege
    ) -> InteractionStatus? {
        guard allows(least, accessor, endpoint, cluster) else { return .unsupportedAccess }
        guard attributes.has(endpoint: endpoint) else { return .unsupportedEndpoint }
        return attributes.has(cluster, on: endpoint) ? nil : .unsupportedCluster
    }

    func allows(
        _ privilege: AccessControl.Privilege, _ accessor: Accessor, _ endpoint: EndpointID,
        _ cluster: ClusterID
    ) -> Bool {
        access.allows(
            privilege, accessor, endpoint: endpoint, cluster: cluster,
            deviceTypes: attributes.deviceTypes(of: endpoint))
    }

    func mayRead(_ event: EventLog.Entry, _ accessor: Accessor) -> Bool {
        if let fabric = event.fabricIndex, fabric != accessor.fabricIndex { return false }
        return allows(
            RequiredPrivilege.read(eventsOf: event.path.cluster), accessor, event.path.endpoint,
            event.path.cluster)
    }

    private func isKnown(
        _ endpoint: EndpointID, _ cluster: ClusterID, _ known: [DataVersionFilterIB]
    ) -> Bool {
        guard let version = attributes.dataVersion(of: cluster, on: endpoint) else { return false }
        return known.contains {
            $0.path.endpoint == endpoint && $0.path.cluster == cluster
                && $0.dataVersion == version
        }
    }
}

/// What a read or a subscription asks for.
struct ReportScope: Sendable {
    let attributes: [AttributePath]
    let events: [EventPath]
    let eventMin: UInt64
    let isFabricFiltered: Bool
    let known: [DataVersionFilterIB]
}

extension ReportScope {
    init(_ request: ReadRequest) {
        attributes = request.attributeRequests ?? []
        events = request.eventRequests ?? []
        eventMin = (request.eventFilters ?? []).map(\.eventMin).max() ?? 0
        isFabricFiltered = request.fabricFiltered
        known = request.dataVersionFilters ?? []
    }

    init(_ request: SubscribeRequest) {
        attributes = request.attributeRequests ?? []
        events = request.eventRequests ?? []
        eventMin = (request.eventFilters ?? []).map(\.eventMin).max() ?? 0
        isFabricFiltered = request.fabricFiltered
        known = request.dataVersionFilters ?? []
    }
}

extension AttributePath {
    /// Of all clusters only what all have can be asked, and items of lists not at all.
    /// Core §8.2.1.6.
    fileprivate var isValidToRead: Bool {
        guard listIndex == nil else { return false }
        guard cluster == nil, let attribute else { return true }
        return Descriptor.globalAttributes.contains { $0.id == attribute }
    }
}

/// The access control entries of all fabrics of a node, and what they let an accessor do.
/// Core §6.6.
package struct AccessRules: Sendable {
    /// Each with its fabric's index; one without it grants nothing.
    package var entries: [AccessControl.AccessControlEntryStruct]

    package init(entries: [AccessControl.AccessControlEntryStruct] = []) {
        self.entries = entries
    }

    /// A commissioner counts as administrator of everything (Core §6.6.2.9).
    /// - Parameter deviceTypes: of the endpoint, for entries that name one.
    package func allows(
        _ privilege: AccessControl.Privilege, _ accessor: Accessor, endpoint: EndpointID,
        cluster: ClusterID, deviceTypes: @autoclosure () -> [DeviceTypeID] = []
    ) -> Bool {
        guard case .node(let node, let cats) = accessor.subject else { return true }
        guard let fabric = accessor.fabricIndex else { return false }
        return entries.contains { entry in
            entry.fabricIndex == fabric && entry.authMode == .case
                && entry.grants(privilege) && entry.names(node, cats)
                && entry.covers(endpoint, cluster, deviceTypes)
        }
    }
}

extension AccessControl.AccessControlEntryStruct {
    /// Each privilege includes those below it; proxy view is apart. Core §6.6.2.2.
    fileprivate func grants(_ wanted: AccessControl.Privilege) -> Bool {
        guard let granted = privilege.known else { return false }
        switch wanted {
        case .view: return true
        case .proxyView: return granted == .proxyView || granted == .administer
        case .operate, .manage, .administer: return granted.rawValue >= wanted.rawValue
        }
    }

    /// Without subjects it is for every node of the fabric.
    fileprivate func names(_ node: NodeID, _ cats: [CASEAuthenticatedTag]) -> Bool {
        guard let subjects = subjects.value, !subjects.isEmpty else { return true }
        return subjects.contains { subject in
            if subject == node.rawValue { return true }
            let tag = CASEAuthenticatedTag(UInt32(truncatingIfNeeded: subject))
            guard tag.subject.rawValue == subject else { return false }
            return cats.contains { $0.satisfies(tag) }
        }
    }

    /// Without targets it is for the whole node.
    fileprivate func covers(
        _ endpoint: EndpointID, _ cluster: ClusterID, _ deviceTypes: () -> [DeviceTypeID]
    ) -> Bool {
        guard let targets = targets.value, !targets.isEmpty else { return true }
        return targets.contains { target in
            if let wanted = target.cluster.value, wanted != cluster { return false }
            if let wanted = target.endpoint.value, wanted != endpoint { return false }
            if let wanted = target.deviceType.value { return deviceTypes().contains(wanted) }
            return true
        }
    }
}

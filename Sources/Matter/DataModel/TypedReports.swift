internal import Base

extension AttributePath {
    /// - Parameter endpoint: nil for all that have the cluster.
    package init<Value>(_ attribute: Attribute<Value>, endpoint: EndpointID?) {
        self.init(endpoint: endpoint, cluster: attribute.cluster, attribute: attribute.id)
    }
}

extension AttributeReports {
    /// - Returns: nil when the node does not have the attribute, or was not asked for it.
    /// - Throws: `status` when the node refused it, `malformed` when the value is not of its type.
    package func value<Value>(
        _ attribute: Attribute<Value>, _ endpoint: EndpointID
    ) throws(InteractionError) -> Value? {
        guard let data = try data(attribute.path(endpoint)) else { return nil }
        do throws(TLVError) {
            return try data.decoded(as: Value.self)
        } catch {
            throw .malformed(error)
        }
    }

    /// The endpoints that gave a value for the attribute, in the order of their reports.
    package func endpoints<Value>(with attribute: Attribute<Value>) -> [EndpointID] {
        all.compactMap { report in
            guard case .data = report.value, report.path == attribute.path(report.path.endpoint)
            else { return nil }
            return report.path.endpoint
        }
    }
}

extension AttributeDataIB {
    /// - Throws: `tooLarge` when the value is longer than a message.
    package init<Value>(
        _ attribute: Attribute<Value>, _ value: Value, endpoint: EndpointID
    ) throws(InteractionError) {
        do throws(TLVError) {
            self.init(
                path: AttributePath(attribute, endpoint: endpoint),
                data: try EncodedElement(value))
        } catch {
            throw .encoding(error)
        }
    }
}

internal import Base
internal import Matter
internal import MatterNode

extension MQTTService {
    /// What the agent tells people is an event; what devices say of themselves is their state.
    /// - Parameter output: the event's words.
    package func receive(_ event: AgentEvent, _ output: Output) {
        switch event {
        case .readings(let reports, let node): receive(reports, of: node)
        default: if event.level != .debug { note(output, event.level) }
        }
    }

    private func receive(_ reports: [AttributeReport], of node: NodeRecord) {
        receive(.online(since: now), of: node.nodeID)
        for report in reports {
            let path = report.path
            guard case .data(let data) = report.value,
                let kept = KeptAttribute.of(path.cluster, path.attribute)
            else { continue }
            let octets = data.octets
            let source = ReadingSource(
                historyID: node.historyID, endpoint: path.endpoint, cluster: path.cluster,
                attribute: path.attribute)
            receive(
                Reading(source: source, value: kept.value(octets.span), at: now), of: node.nodeID)
        }
    }
}

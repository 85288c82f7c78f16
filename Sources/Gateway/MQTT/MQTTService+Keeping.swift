internal import Base
internal import MatterNode

extension MQTTService {
    /// Tells what is known, and from here on what becomes of it.
    package func follow(_ keeping: Keeping) async {
        use(await keeping.states())
        await keeping.observe { [weak self, unowned keeping] event in
            self?.receive(event, of: keeping)
        }
    }

    private func receive(_ event: KeepingEvent, of keeping: Keeping) {
        switch event {
        case .reading(let reading, let node): receive(reading, of: node)
        case .online(let node), .offline(let node), .left(let node):
            if let state = keeping.assumeIsolated({ $0.state(of: node) }) {
                receive(state.link, of: node)
            }
        case .nodes: use(keeping.assumeIsolated { $0.states() })
        case .raised(let alert), .cleared(let alert):
            receiveAlert(AlertOutput.json(alert, at: now))
        }
    }

    /// What the agent tells people is an event; what devices say of themselves is their state.
    /// - Parameter output: the event's words.
    package func receive(_ event: AgentEvent, _ output: Output) {
        switch event {
        case .readings, .reading, .link, .alert, .nodes: break
        default: if event.level != .debug { note(output, event.level) }
        }
    }
}

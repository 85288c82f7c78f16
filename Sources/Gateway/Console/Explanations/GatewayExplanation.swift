internal import Matter
package import MatterNode

// What commands ask of devices that were added before.

extension Explanation {
    /// - Parameter node: the device it was about, if any; its name goes before the cause.
    package init(_ error: GatewayError, of node: NodeRecord? = nil) {
        let explanation = Explanation(error)
        switch error {
        case .store, .fabric: self = explanation
        case .connection, .peer, .dropsOwnAdministration, .sharing, .notRemoved:
            self = node.map { explanation.at(DeviceOutput.callName($0)) } ?? explanation
        }
    }

    private init(_ error: GatewayError) {
        switch error {
        case .store(let error): self.init(error)
        case .fabric(let error): self.init(error)
        case .connection(let error): self.init(error)
        case .peer(let error): self.init(error)
        case .sharing(let error): self.init(error)
        case .dropsOwnAdministration:
            self.init(
                .notPermitted, "this list would take this gateway's own rights away",
                remedy: "keep an entry that lets it administer the device")
        case .notRemoved(let status):
            self.init(
                .protocolViolation, "it refused to forget this gateway (\(status.name))",
                remedy: "remove NODE --force forgets it here; then reset it")
        }
    }
}

package import Matter
internal import MatterNode

// What a person typed or scanned.

extension Explanation {
    package init(_ error: UsageError) {
        // The line of a usage error has its remedy in it.
        let parts = error.description.split(separator: ": ", maxSplits: 1)
        self.init(
            error.kind, String(parts[0]),
            remedy: parts.count > 1 ? String(parts[1]) : "--help says how")
    }

    package init(_ error: SetupPayloadError) {
        self.init(.malformedInput, error.problem, remedy: error.remedy)
    }

    /// `pair -` when standard input holds no line.
    package static let noCodeOnStandardInput = Explanation(
        .missingInput, "standard input holds no setup code",
        remedy: "write the code and a line end into it")

    package init(_ error: NodeSelectorError) {
        switch error {
        case .unknown(let word, devices: 0):
            self.init(
                .unknownNode, "there is no device \(word.text), nor any other yet",
                remedy: "pair PAYLOAD adds one")
        case .unknown(let word, _):
            self.init(
                .unknownNode, "there is no device \(word.text)",
                remedy: "devices lists those there are")
        case .ambiguous(let word, let nodes):
            self.init(
                .unknownNode, "\(word.text) fits \(nodes.count) devices",
                remedy: "say more of the name, or the id: " + Self.list(nodes))
        case .noEndpoint(let endpoint, let node):
            let known = node.endpoints.map { "\($0.endpoint.rawValue)" }
            self.init(
                .unknownNode,
                "\(DeviceOutput.callName(node)) has no endpoint \(endpoint.rawValue)",
                remedy: "it has \(known.joined(separator: ", "))")
        }
    }

    private static func list(_ nodes: [NodeRecord]) -> String {
        let shown = nodes.prefix(ConsoleLimits.candidates)
        let texts = shown.map { node in
            node.name.isEmpty ? node.nodeID.text : "\(node.nodeID.text) \"\(node.name)\""
        }
        let more = nodes.count - shown.count
        return texts.joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "")
    }
}

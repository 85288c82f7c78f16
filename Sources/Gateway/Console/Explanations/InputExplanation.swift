package import Matter
internal import MatterNode

// What a person typed or scanned.

extension Explanation {
    package init(_ error: UsageError) {
        // The line of a usage error has its remedy in it.
        let text = error.description
        guard let colon = text.indices.first(where: { text[$0...].hasPrefix(": ") }) else {
            self.init(error.kind, text, remedy: "--help says how")
            return
        }
        self.init(
            error.kind, String(text[..<colon]), remedy: String(text[colon...].dropFirst(2)))
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

    package init(_ error: EndpointError) {
        switch error {
        case .none(let cluster):
            self.init(
                .unavailable, "it has no \(Self.name(cluster))", remedy: "show lists what it has")
        case .several(let cluster, let endpoints):
            let list = endpoints.map { "/\($0.rawValue)" }.joined(separator: ", ")
            self.init(
                .unknownNode, "it has several of \(Self.name(cluster))",
                remedy: "say which, behind its name: \(list)")
        }
    }

    package init(_ error: ValueError) {
        switch error {
        case .readOnly(let path):
            self.init(.notPermitted, "\(path) can only be read", remedy: "write another")
        case .malformedJSON:
            self.init(
                .malformedInput, "the value is no valid JSON",
                remedy: "check its brackets and quotes; the shell may have taken some")
        case .wrongType(let path):
            self.init(
                .malformedInput, "\(path) takes another type of value",
                remedy: "read it, and give the value in the same form")
        case .outOfRange(let path):
            self.init(
                .malformedInput, "the value is out of the range of \(path)",
                remedy: "give another value")
        case .notANumber(let path, let quantity):
            self.init(
                .malformedInput, "\(path) takes a number",
                remedy: "give it in \(quantity.unit), such as \(quantity.number(2150))")
        case .tooPrecise(let path, let quantity):
            self.init(
                .malformedInput, "\(path) has \(quantity.decimals) digits behind the point",
                remedy: "give no more")
        case .tooLong(let path):
            self.init(
                .malformedInput, "the value of \(path) is too long for one message",
                remedy: "give a shorter one")
        case .unknownField(let path):
            self.init(
                .malformedInput, "the value has a member that \(path) does not have",
                remedy: "read it, and use the same names")
        case .missingField(let path, let tag):
            self.init(
                .malformedInput, "the value lacks field \(tag) of \(path)",
                remedy: "read it, and use the same names")
        }
    }

    private static func name(_ cluster: ClusterID) -> String {
        Clusters.name(cluster)?.description ?? NumberText.hexadecimal(cluster.rawValue, digits: 4)
    }
}

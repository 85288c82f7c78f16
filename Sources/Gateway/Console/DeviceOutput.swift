internal import Base
internal import Matter
package import MatterNode

/// What `devices`, `show` and `pair` say of devices.
package enum DeviceOutput {
    /// - Parameter filter: keeps those that have it in a cell of the table, or in the id.
    package static func list(_ nodes: [NodeRecord], filter: String? = nil) -> Output {
        let shown = filtered(nodes, filter)
        let document = JSONValue.object([("devices", .array(shown.map { summary($0) }))])
        if nodes.isEmpty {
            let lines = [
                "No devices yet: pair PAYLOAD adds one (help pair says how), discover lists what"
                    + " waits to be added."
            ]
            return Output(lines: lines, document: document)
        }
        if shown.isEmpty {
            let lines = ["None of the \(nodes.count) devices fits: devices lists them all."]
            return Output(lines: lines, document: document)
        }
        var table = TextTable(headings)
        for node in shown { table.add(cells(node)) }
        return Output(lines: table.lines, document: document)
    }

    /// The same of devices that were asked, with their states; why one did not answer is a
    /// notice.
    package static func list(_ shown: [Refreshed], ofAsked asked: Int) -> Output {
        let devices = shown.map { refreshed in
            let problem = refreshed.error.map { Explanation($0).cause }
            return JSONValue.object(
                members(refreshed.node) + [
                    ("online", .boolean(refreshed.isOnline)),
                    ("problem", problem.map { .string($0) } ?? .null),
                ])
        }
        let document = JSONValue.object([("devices", .array(devices))])
        if shown.isEmpty {
            return Output(
                lines: ["None of the \(asked) devices that were asked."], document: document)
        }
        var table = TextTable(headings + ["STATE"])
        for refreshed in shown {
            table.add(cells(refreshed.node) + [refreshed.isOnline ? "online" : "offline"])
        }
        let notices = shown.compactMap { refreshed in
            refreshed.error.map { Explanation($0, of: refreshed.node).line }
        }
        return Output(lines: table.lines, document: document, notices: notices)
    }

    /// - Parameter filter: nil keeps all.
    static func filtered(_ nodes: [NodeRecord], _ filter: String?) -> [NodeRecord] {
        filter.map { text in nodes.filter { matches($0, text) } } ?? nodes
    }

    static let headings = [
        "ID", "NAME", "ROOM", "KIND", "MAKER AND PRODUCT", "SERIAL NUMBER", "ADDED",
    ]

    /// What `pair` ends with.
    package static func paired(_ nodes: [NodeRecord]) -> Output {
        let lines = nodes.map { node in
            let parts = [kind(node), product(node)].filter { !$0.isEmpty }
            let label = [node.name, node.room].filter { !$0.isEmpty }.joined(separator: ", ")
            let text = parts.joined(separator: ", ") + (label.isEmpty ? "" : " (\(label))")
            return "\(node.nodeID.text) \(text.escapingControls)"
        }
        let documents = nodes.map { details($0) }
        if documents.count == 1 { return Output(lines: lines, document: documents[0]) }
        return Output(lines: lines, document: .object([("devices", .array(documents))]))
    }

    /// A command without a result of its own: `on`, `name`, `remove`.
    package static func done(_ node: NodeRecord, _ text: String) -> Output {
        Output(
            lines: ["\(callName(node)): \(text)".escapingControls],
            document: .object([("node_id", .string(node.nodeID.text))]))
    }

    /// What people call it: its name, else its product, else its id.
    package static func callName(_ node: NodeRecord) -> String {
        if !node.name.isEmpty { return node.name }
        return node.productName.isEmpty ? node.nodeID.text : node.productName
    }

    /// The device types that say what it is good for; all where there are no such.
    static func kind(_ node: NodeRecord) -> String {
        let all = node.endpoints.flatMap(\.deviceTypes)
        let useful = all.filter { !DeviceTypes.isUtility($0) }
        var names: [String] = []
        for type in useful.isEmpty ? all : useful {
            let name = text(type)
            if !names.contains(name) { names.append(name) }
        }
        return names.joined(separator: ", ")
    }

    static func text(_ type: DeviceTypeID) -> String {
        DeviceTypes.name(type)
            ?? "device type \(NumberText.hexadecimal(type.rawValue, digits: 4))"
    }

    static func cells(_ node: NodeRecord) -> [String] {
        [
            node.nodeID.text, node.name, node.room, kind(node), product(node), node.serialNumber,
            node.commissionedAt > 0 ? UTCText.day(node.commissionedAt) : "",
        ]
    }

    private static func product(_ node: NodeRecord) -> String {
        if node.vendorName.isEmpty, node.productName.isEmpty {
            return node.vendorID.text + " " + node.productID.text
        }
        return [node.vendorName, node.productName].filter { !$0.isEmpty }.joined(separator: " ")
    }

    static func named(_ name: String, _ number: String) -> String {
        name.isEmpty ? number : "\(name) (\(number))"
    }

    private static func matches(_ node: NodeRecord, _ filter: String) -> Bool {
        let sought = TextMatch.folded(filter)
        return cells(node).contains { TextMatch.contains(sought, in: TextMatch.folded($0)) }
    }
}

// The documents; their member names are relied on by scripts.
extension DeviceOutput {
    static func summary(_ node: NodeRecord) -> JSONValue { .object(members(node)) }

    static func members(_ node: NodeRecord) -> [(key: String, value: JSONValue)] {
        let time = node.commissionedAt
        let address = node.lastAddress.map { JSONValue.string($0.description) }
        return [
            ("node_id", .string(node.nodeID.text)), ("name", .string(node.name)),
            ("room", .string(node.room)), ("kind", .string(kind(node))),
            ("vendor_id", .unsigned(fitting: node.vendorID.rawValue)),
            ("vendor_name", .string(node.vendorName)),
            ("product_id", .unsigned(fitting: node.productID.rawValue)),
            ("product_name", .string(node.productName)),
            ("serial_number", .string(node.serialNumber)),
            ("address", address ?? .null), ("attested", .boolean(node.isAttested)),
            ("commissioned_at", time > 0 ? .string(UTCText.instant(time)) : .null),
        ]
    }
}

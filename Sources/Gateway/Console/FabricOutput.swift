internal import Base
internal import Matter
package import MatterNode

/// What `fabrics` says: who administers a device.
package enum FabricOutput {
    package static func list(_ answer: DeviceFabrics, on node: NodeRecord) -> Output {
        var table = TextTable(["INDEX", "LABEL", "VENDOR", "FABRIC", "NODE", "WHOSE"])
        for entry in answer.fabrics {
            let fabric = entry.descriptor
            table.add([
                fabric.fabricIndex.map { "\($0.rawValue)" } ?? "", fabric.label,
                fabric.vendorID.text, fabric.fabricID.text, fabric.nodeID.text,
                entry.isOurs ? "this gateway's" : "another's",
            ])
        }
        var lines = table.lines
        if let supported = answer.supported {
            lines.append("\(answer.fabrics.count) of the \(supported) that it can have.")
        }
        let document = JSONValue.object([
            ("node_id", .string(node.nodeID.text)),
            ("supported", answer.supported.map { .unsigned(fitting: $0) } ?? .null),
            ("fabrics", .array(answer.fabrics.map { self.document(of: $0) })),
        ])
        return Output(lines: lines, document: document)
    }

    /// The members' names are relied on by scripts.
    private static func document(of entry: DeviceFabrics.Entry) -> JSONValue {
        let fabric = entry.descriptor
        return .object([
            ("index", fabric.fabricIndex.map { .unsigned(fitting: $0.rawValue) } ?? .null),
            ("label", .string(fabric.label)),
            ("vendor_id", .unsigned(fitting: fabric.vendorID.rawValue)),
            ("fabric_id", .string(fabric.fabricID.text)),
            ("fabric_node_id", .string(fabric.nodeID.text)),
            ("ours", .boolean(entry.isOurs)),
        ])
    }
}

extension FabricID {
    /// As node ids are written.
    var text: String { "0x" + NumberText.digits16(rawValue) }
}

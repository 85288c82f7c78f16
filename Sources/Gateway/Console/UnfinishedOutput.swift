internal import Base
internal import Matter
internal import MatterNode

/// What is said of interrupted pairings and of removals that their devices have not heard of.
package enum UnfinishedOutput {
    /// One line for standard error, when something has come to its end.
    package static func line(_ settled: Settled) -> String {
        let text =
            switch settled {
            case .kept(let node):
                "\(callName(of: node)): its pairing had been interrupted, and is complete now"
            case .rolledBack(let run, let reason):
                "\(callName(of: run)): its pairing had been interrupted, and is undone: "
                    + words(reason)
            case .told(let removal, .unknownToDevice):
                "\(callName(of: removal)): it does not know this gateway any more, so its"
                    + " removal is done"
            case .told(let removal, _):
                "\(callName(of: removal)): it was away when it was removed, and has been told now"
            }
        return text.escapingControls
    }

    static func state(of run: RunRecord) -> String {
        let step = CommissioningStep(rawValue: run.step).map { " while \($0.title)" } ?? ""
        return "\(callName(of: run)): its pairing was interrupted\(step); it goes on when the"
            + " device answers"
    }

    static func state(of removal: PendingRemoval) -> String {
        "\(callName(of: removal)): it was removed here, and is told when it answers"
    }

    /// What `devices` adds to its listing: notices, and two lists in the document.
    static func add(_ unfinished: Unfinished, to output: inout Output) {
        output.notices += unfinished.runs.map {
            "\(state(of: $0)): remove \($0.nodeID.text) gives it up".escapingControls
        }
        output.notices += unfinished.removals.map { state(of: $0).escapingControls }
        guard case .object(let members) = output.document else { return }
        output.document = .object(
            members + [
                ("interrupted_pairings", .array(unfinished.runs.map { document(of: $0) })),
                ("pending_removals", .array(unfinished.removals.map { document(of: $0) })),
            ])
    }

    private static func callName(of run: RunRecord) -> String {
        named(run.name.isEmpty ? run.productName : run.name, run.nodeID)
    }

    private static func callName(of removal: PendingRemoval) -> String {
        named(removal.name, removal.nodeID)
    }

    private static func callName(of node: NodeRecord) -> String {
        named(node.name.isEmpty ? node.productName : node.name, node.nodeID)
    }

    private static func named(_ name: String, _ nodeID: NodeID) -> String {
        name.isEmpty ? nodeID.text : "\(name) (\(nodeID.text))"
    }

    private static func words(_ reason: RunOutcome.Reason) -> String {
        switch reason {
        case .notBegun: "it had got nothing of this gateway yet: pair it again"
        case .unknownToDevice: "the device has taken it back: pair it again"
        case .expired: "the device did not come back in time: pair it again"
        }
    }

    // The members' names are relied on by scripts.

    private static func document(of run: RunRecord) -> JSONValue {
        .object([
            ("node_id", .string(run.nodeID.text)), ("name", .string(run.name)),
            ("room", .string(run.room)), ("vendor_name", .string(run.vendorName)),
            ("product_name", .string(run.productName)),
            ("serial_number", .string(run.serialNumber)),
            ("step", CommissioningStep(rawValue: run.step).map { .string("\($0)") } ?? .null),
            ("started_at", time(run.startedAt)),
        ])
    }

    private static func document(of removal: PendingRemoval) -> JSONValue {
        .object([
            ("node_id", .string(removal.nodeID.text)), ("name", .string(removal.name)),
            ("address", removal.lastAddress.map { .string($0.description) } ?? .null),
            ("since", time(removal.since)),
        ])
    }

    private static func time(_ seconds: Int64) -> JSONValue {
        seconds > 0 ? .string(UTCText.instant(seconds)) : .null
    }
}

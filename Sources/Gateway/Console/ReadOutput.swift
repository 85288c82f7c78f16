internal import Base
package import Matter
package import MatterNode

/// What `read` says of a device's answers.
package enum ReadOutput {
    /// - Parameter paths: what was asked. One attribute is answered by its value alone, anything
    ///   else by a table.
    package static func readings(
        _ reports: [AttributeReport], of node: NodeRecord, asked paths: [AttributePath]
    ) -> Output {
        if paths.count == 1, let path = paths[0].concrete {
            return single(reports.last { $0.path == path }, path, node)
        }
        return several(reports, node)
    }

    private static func single(
        _ report: AttributeReport?, _ path: ConcreteAttributePath, _ node: NodeRecord
    ) -> Output {
        switch report?.value {
        case .data(let data):
            let members = [("node_id", JSONValue.string(node.nodeID.text))]
            return Output(
                lines: [Clusters.text(data, of: path).escapingControls],
                document: .object(members + Self.members(path, data)))
        case .status(let status, let clusterStatus):
            return Explanation(status, clusterStatus: clusterStatus).at("\(path)").output
        case nil:
            let failure = Explanation(
                .protocolViolation, "the device said nothing of it", remedy: Remedy.tryAgain)
            return failure.at("\(path)").output
        }
    }

    private static func several(_ reports: [AttributeReport], _ node: NodeRecord) -> Output {
        var table = TextTable(["PATH", "VALUE"])
        var readings: [JSONValue] = []
        var failure: Explanation?
        var hasValue = false
        for report in reports {
            switch report.value {
            case .data(let data):
                hasValue = true
                table.add(["\(report.path)", Clusters.text(data, of: report.path)])
                readings.append(.object(members(report.path, data)))
            case .status(let status, let clusterStatus):
                let explanation = Explanation(status, clusterStatus: clusterStatus)
                failure = failure ?? explanation
                table.add(["\(report.path)", "\(status.name): \(explanation.cause)"])
                readings.append(.object(members(report.path, status, clusterStatus)))
            }
        }
        let document = JSONValue.object([
            ("node_id", .string(node.nodeID.text)), ("readings", .array(readings)),
        ])
        guard !reports.isEmpty else {
            let none = Explanation(
                .unavailable, "the device has nothing of what was asked",
                remedy: "show lists what it has")
            return Output(
                lines: [], document: document, notices: [none.line], exitCode: none.kind.exitCode)
        }
        let code = hasValue ? nil : failure?.kind.exitCode
        return Output(lines: table.lines, document: document, exitCode: code ?? .ok)
    }
}

// The documents; their member names are relied on by scripts.
extension ReadOutput {
    private typealias Members = [(key: String, value: JSONValue)]

    /// One value with its path; nil of a refusal.
    static func document(_ report: AttributeReport) -> JSONValue? {
        guard case .data(let data) = report.value else { return nil }
        return .object(members(report.path, data))
    }

    /// The value in its unit, and the number that it was made from.
    private static func members(
        _ path: ConcreteAttributePath, _ data: EncodedElement
    ) -> Members {
        let value = Clusters.json(data, of: path)
        let quantity = Clusters.attribute(path.attribute, of: path.cluster)?.quantity
        guard let quantity else { return [("path", .string("\(path)")), ("value", value)] }
        return [
            ("path", .string("\(path)")), ("value", scaled(value, quantity)),
            ("unit", .string(quantity.unit)), ("raw", value),
        ]
    }

    private static func scaled(_ value: JSONValue, _ quantity: Quantity) -> JSONValue {
        guard quantity.decimals > 0, case .integer(let number) = value else { return value }
        // One division of two exact numbers is rounded right, so that 2153 prints as 21.53.
        var divisor = 1.0
        for _ in 0..<quantity.decimals { divisor *= 10 }
        return .number(Double(number) / divisor)
    }

    private static func members(
        _ path: ConcreteAttributePath, _ status: InteractionStatus, _ clusterStatus: UInt8?
    ) -> Members {
        let error = JSONValue.object([
            ("status", .string(status.name)), ("text", .string(status.text)),
            ("cluster_status", clusterStatus.map { .unsigned(fitting: $0) } ?? .null),
        ])
        return [("path", .string("\(path)")), ("error", error)]
    }
}

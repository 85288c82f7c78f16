internal import Base
package import Matter
package import MatterNode

// What `show` says of one device, and `pair` of a new one.

extension DeviceOutput {
    /// All that is stored of one device, with what it says now.
    /// - Parameter reports: its answers to `MainReadings.sheet`; nil when it was not asked.
    package static func sheet(_ node: NodeRecord, _ reports: [AttributeReport]? = nil) -> Output {
        var sheet = TextSheet()
        sheet.add("id", node.nodeID.text)
        sheet.add("name", node.name)
        sheet.add("room", node.room)
        sheet.add("kind", kind(node))
        sheet.add("maker", named(node.vendorName, node.vendorID.text))
        sheet.add("product", named(node.productName, node.productID.text))
        sheet.add("serial number", node.serialNumber)
        sheet.add("last address", node.lastAddress?.description ?? "not known")
        sheet.add("certificates", node.isAttested ? "verified" : "not verified")
        sheet.add("added", node.commissionedAt > 0 ? UTCText.instant(node.commissionedAt) : "")
        var lines = sheet.lines
        for endpoint in node.endpoints {
            lines += EndpointSheet(endpoint, of: node, reports ?? []).lines
        }
        return Output(lines: lines, document: details(node, reports))
    }

    static func details(_ node: NodeRecord, _ reports: [AttributeReport]? = nil) -> JSONValue {
        let endpoints = node.endpoints.map { EndpointSheet($0, of: node, reports ?? []).document }
        return .object(members(node) + [("endpoints", .array(endpoints))])
    }
}

/// What is shown of one endpoint.
private struct EndpointSheet {
    private let record: EndpointRecord
    /// By its own name, of those behind a bridge; Core §9.13.
    private let name: String?
    private let isReachable: Bool
    private let commands: [CommandName]
    /// Others of the device take the same command, so that it needs NODE/ENDPOINT.
    private let isOneOfSeveral: Bool
    private let activity: ThermostatState.Activity?
    private let readings: [AttributeReport]

    init(_ record: EndpointRecord, of node: NodeRecord, _ reports: [AttributeReport]) {
        self.record = record
        let number = record.endpoint
        typealias Bridged = BridgedDeviceBasicInformation
        let names = [
            reports.value(Bridged.nodeLabel, number), reports.value(Bridged.productName, number),
        ]
        name = names.lazy.compactMap { $0 }.first { !$0.isEmpty }
        isReachable = reports.value(Bridged.reachable, number) ?? true
        commands = FittingCommands.of(record.clusters)
        let others = node.endpoints.filter { $0.endpoint != number }.flatMap(\.clusters)
        isOneOfSeveral = record.clusters.contains { cluster in
            !FittingCommands.of([cluster]).isEmpty && others.contains(cluster)
        }
        activity =
            record.clusters.contains(Thermostat.id)
            ? ThermostatState(reports, on: number).activity : nil
        readings = reports.filter { report in
            guard case .data = report.value else { return false }
            return report.path.endpoint == number && report.path.cluster != Bridged.id
        }
    }

    var lines: [String] {
        let number = record.endpoint.rawValue
        var title = "endpoint \(number)"
        var types: [String] = []
        for type in record.deviceTypes.map(DeviceOutput.text) where !types.contains(type) {
            types.append(type)
        }
        if !types.isEmpty { title += ": " + types.joined(separator: ", ") }
        if let name { title += " \"\(name)\"" }
        if !isReachable { title += " (not reachable by its bridge)" }
        var lines = ["", title.escapingControls]
        if !commands.isEmpty {
            let words = commands.map(\.rawValue).joined(separator: ", ")
            lines.append("  commands: \(words)" + (isOneOfSeveral ? " NODE/\(number)" : ""))
        }
        if let activity { lines.append("  now: \(activity.rawValue)") }
        for cluster in record.clusters {
            var line = "  " + NumberText.hexadecimal(cluster.rawValue, digits: 4) + "  "
            line += Clusters.name(cluster)?.description ?? "-"
            let values = readings.filter { $0.path.cluster == cluster }.compactMap(text)
            if !values.isEmpty { line += "  " + values.joined(separator: ", ") }
            lines.append(line.escapingControls)
        }
        return lines
    }

    private func text(_ report: AttributeReport) -> String? {
        guard case .data(let data) = report.value else { return nil }
        let name = Clusters.attribute(report.path.attribute, of: report.path.cluster)?.name
        let label =
            name?.description
            ?? NumberText.hexadecimal(report.path.attribute.rawValue, digits: 4)
        return "\(label): \(Clusters.text(data, of: report.path))"
    }

    // The member names are relied on by scripts.
    var document: JSONValue {
        let types = record.deviceTypes.map { entry($0.rawValue, DeviceTypes.name($0)) }
        let clusters = record.clusters.map { entry($0.rawValue, Clusters.name($0)?.description) }
        return .object([
            ("endpoint", .unsigned(fitting: record.endpoint.rawValue)),
            ("name", name.map { .string($0) } ?? .null), ("reachable", .boolean(isReachable)),
            ("device_types", .array(types)), ("clusters", .array(clusters)),
            ("commands", .array(commands.map { .string($0.rawValue) })),
            ("activity", activity.map { .string($0.rawValue) } ?? .null),
            ("readings", .array(readings.compactMap(ReadOutput.document))),
        ])
    }

    private func entry(_ id: UInt32, _ name: String?) -> JSONValue {
        .object([
            ("id", .unsigned(fitting: id)), ("name", name.map { .string($0) } ?? .null),
        ])
    }
}

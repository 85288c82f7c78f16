internal import Base
package import Matter
package import MatterNode

/// What `discover` found: services of others, whose every word is theirs.
package struct DiscoverOutput: Sendable {
    private var services: [(record: ServiceRecord, isOurs: Bool)] = []
    private var heard: [HeardDevice] = []
    /// Why Bluetooth may have more.
    package var problem: BluetoothError?
    private let nodes: [NodeRecord]

    /// - Parameter nodes: our devices, for the names of those that are found.
    package init(nodes: [NodeRecord]) {
        self.nodes = nodes
    }

    /// Keeps what was heard last of each instance.
    /// - Parameter isOurs: whether an operational node is one of our fabric.
    package mutating func add(_ record: ServiceRecord, isOurs: Bool) {
        let place = services.firstIndex {
            $0.record.kind == record.kind && $0.record.instance == record.instance
                && $0.record.interface == record.interface
        }
        if let place {
            services[place] = (record, isOurs)
        } else if services.count < ConsoleLimits.services {
            services.append((record, isOurs))
        }
    }

    /// A device that waits for its first network.
    package mutating func add(_ device: HeardDevice) {
        if heard.count < ConsoleLimits.services { heard.append(device) }
    }

    /// Grouped by kind, in the order in which they were found; Bluetooth comes first.
    package func output() -> Output {
        let sorted = ServiceKind.allCases.flatMap { kind in
            services.filter { $0.record.kind == kind }
        }
        let members = sorted.map { document($0.record, isOurs: $0.isOurs) }
        let whole = JSONValue.object([
            ("services", .array(members)), ("bluetooth", .array(heard.map(Self.document))),
        ])
        var notices: [String] = []
        if let problem { notices.append("not all of Bluetooth: \(Explanation(problem).line)") }
        if sorted.isEmpty, heard.isEmpty {
            let line =
                "Nothing announces itself. Is the device ready to be added, and on this"
                + " network? prepare checks the gateway's side."
            return Output(lines: [line], document: whole, notices: notices)
        }
        var table = TextTable(["KIND", "INSTANCE", "DETAILS", "ADDRESS", "PORT"])
        for device in heard {
            table.add([
                "to be added", device.address.text, Self.details(device), "Bluetooth", "-",
            ])
        }
        for (record, isOurs) in sorted {
            table.add([
                Self.kind(record.kind).text, record.instanceName,
                details(record, isOurs: isOurs), Self.addresses(record), "\(record.port)",
            ])
        }
        return Output(lines: table.lines, document: whole, notices: notices)
    }

    private static func kind(_ kind: ServiceKind) -> (text: String, member: String) {
        switch kind {
        case .commissionableNode: ("to be added", "commissionable")
        case .commissioner: ("commissioner", "commissioner")
        case .operationalNode: ("in use", "operational")
        case .borderRouter: ("border router", "border_router")
        }
    }

    private func details(_ record: ServiceRecord, isOurs: Bool) -> String {
        switch record.kind {
        case .commissionableNode, .commissioner:
            let text = record.text
            var parts: [String] = []
            if let discriminator = text.discriminator {
                parts.append("discriminator \(discriminator)")
            }
            if record.kind == .commissionableNode {
                parts.append(Self.isOpen(text) ? "window open" : "window closed")
            }
            if let vendor = text.vendorID {
                let product = text.productID.map { " " + $0.text } ?? ""
                parts.append(vendor.text + product)
            }
            if let type = text.deviceType.flatMap({ DeviceTypes.name(DeviceTypeID($0)) }) {
                parts.append(type)
            }
            if let name = text.deviceName, !name.isEmpty {
                parts.append("\"\(String(decoding: name, as: UTF8.self))\"")
            }
            return parts.joined(separator: ", ")
        case .operationalNode:
            guard let name = record.operationalName else { return "name not understood" }
            guard isOurs else { return "\(name.nodeID.text), of another owner" }
            return "\(name.nodeID.text), ours" + (callName(name).map { ": \($0)" } ?? "")
        case .borderRouter:
            let network = Self.networkName(record).map { "Thread network \"\($0)\"" }
            return network ?? "Thread"
        }
    }

    private static func details(_ device: HeardDevice) -> String {
        var parts = ["discriminator \(device.advertisement.discriminator)"]
        if let vendor = device.advertisement.vendorID {
            parts.append(
                [vendor.text, device.advertisement.productID?.text].compactMap(\.self)
                    .joined(separator: " "))
        }
        if let strength = device.signalStrength { parts.append("\(strength) dBm") }
        return parts.joined(separator: ", ")
    }

    private static func addresses(_ record: ServiceRecord) -> String {
        let all = record.addressesInGoodOrder
        guard let first = all.first else { return "" }
        return "\(first)" + (all.count > 1 ? " +\(all.count - 1)" : "")
    }

    private static func isOpen(_ text: ServiceText) -> Bool { (text.commissioningMode ?? 0) > 0 }

    /// The TXT key of Thread's own specification.
    private static func networkName(_ record: ServiceRecord) -> String? {
        record.textValue("nn").map { String(decoding: $0, as: UTF8.self) }
    }

    private func callName(_ name: OperationalName) -> String? {
        nodes.first { $0.nodeID == name.nodeID }.map { DeviceOutput.callName($0) }
    }
}

// The documents; their member names are relied on by scripts.
extension DiscoverOutput {
    private typealias Members = [(key: String, value: JSONValue)]

    private static func document(_ device: HeardDevice) -> JSONValue {
        let advertisement = device.advertisement
        return .object([
            ("address", .string(device.address.text)),
            ("discriminator", .unsigned(fitting: advertisement.discriminator)),
            (
                "vendor_id",
                advertisement.vendorID.map { .unsigned(fitting: $0.rawValue) } ?? .null
            ),
            (
                "product_id",
                advertisement.productID.map { .unsigned(fitting: $0.rawValue) } ?? .null
            ),
            ("signal_strength", device.signalStrength.map { .integer(Int64($0)) } ?? .null),
        ])
    }

    private func document(_ record: ServiceRecord, isOurs: Bool) -> JSONValue {
        let common: Members = [
            ("kind", .string(Self.kind(record.kind).member)),
            ("instance", .string(record.instanceName)), ("host", .string(record.host)),
            (
                "addresses",
                .array(record.addressesInGoodOrder.map { JSONValue.string($0.description) })
            ),
            ("port", .unsigned(fitting: record.port)),
        ]
        return .object(common + members(record, isOurs: isOurs))
    }

    private func members(_ record: ServiceRecord, isOurs: Bool) -> Members {
        switch record.kind {
        case .commissionableNode:
            [("window_open", .boolean(Self.isOpen(record.text)))] + Self.members(record.text)
        case .commissioner: Self.members(record.text)
        case .operationalNode: members(record.operationalName, isOurs: isOurs)
        case .borderRouter:
            [("network_name", Self.networkName(record).map { .string($0) } ?? .null)]
        }
    }

    private func members(_ name: OperationalName?, isOurs: Bool) -> Members {
        let fabric = name.map { Hex.upper($0.compressedFabricID.span) }
        let ourName = isOurs ? name.flatMap { callName($0) } : nil
        return [
            ("node_id", name.map { .string($0.nodeID.text) } ?? .null),
            ("fabric", fabric.map { .string($0) } ?? .null), ("ours", .boolean(isOurs)),
            ("name", ourName.map { .string($0) } ?? .null),
        ]
    }

    private static func members(_ text: ServiceText) -> Members {
        let name = text.deviceName.map { String(decoding: $0, as: UTF8.self) }
        return [
            ("discriminator", text.discriminator.map { .unsigned(fitting: $0) } ?? .null),
            ("vendor_id", text.vendorID.map { .unsigned(fitting: $0.rawValue) } ?? .null),
            ("product_id", text.productID.map { .unsigned(fitting: $0.rawValue) } ?? .null),
            ("device_type", text.deviceType.map { .unsigned(fitting: $0) } ?? .null),
            ("device_name", name.map { .string($0) } ?? .null),
        ]
    }
}

extension BluetoothAddress {
    /// As people write it: six pairs of digits.
    var text: String {
        var pairs: [String] = []
        for index in 0..<6 {
            let octet = octets[index]
            let digits = String(octet, radix: 16, uppercase: true)
            pairs.append(octet < 16 ? "0" + digits : digits)
        }
        return pairs.joined(separator: ":")
    }
}

package import Base

/// What to look for on the link. Core §4.3 names the services and their subtypes.
package enum MDNSQuery: Hashable, Sendable {
    /// Every commissionable node, its window open or not: `_matterc._udp`.
    case commissionableNodes
    /// Commissionable nodes whose window is open: subtype `_CM`.
    case openCommissioningWindows
    /// Those of this long discriminator, 0 ... 4095: subtype `_L`.
    case longDiscriminator(UInt16)
    /// Those of this short discriminator, 0 ... 15: subtype `_S`.
    case shortDiscriminator(UInt8)
    /// `_matterd._udp`.
    case commissioners
    /// Thread border routers: `_meshcop._udp`.
    case borderRouters
    /// Operational nodes of all fabrics: `_matter._tcp`.
    case operationalNodes
    /// Operational nodes of this fabric alone: subtype `_I`.
    case nodes(of: FixedBytes<8>)
    /// One operational node, asked for by its name.
    case node(OperationalName)
}

extension MDNSQuery {
    package var kind: ServiceKind {
        switch self {
        case .commissionableNodes, .openCommissioningWindows, .longDiscriminator,
            .shortDiscriminator:
            .commissionableNode
        case .commissioners: .commissioner
        case .borderRouters: .borderRouter
        case .operationalNodes, .nodes, .node: .operationalNode
        }
    }

    /// The name that is asked for: of a service, of a subtype, or of one instance.
    var name: DomainName {
        let service = kind.labels
        let subtype: String
        switch self {
        case .commissionableNodes, .commissioners, .borderRouters, .operationalNodes:
            return DomainName(labels: service)
        case .node(let name):
            return DomainName(labels: [name.description] + service)
        case .openCommissioningWindows: subtype = "_CM"
        case .longDiscriminator(let value):
            precondition(value <= 0xFFF, "a long discriminator has 12 bits")
            subtype = "_L\(value)"
        case .shortDiscriminator(let value):
            precondition(value <= 0xF, "a short discriminator has 4 bits")
            subtype = "_S\(value)"
        case .nodes(let compressedFabricID):
            subtype = "_I" + Hex.upper(compressedFabricID.span)
        }
        return DomainName(labels: [subtype, "_sub"] + service)
    }

    var isOfOneInstance: Bool {
        if case .node = self { true } else { false }
    }
}

package enum ServiceKind: Hashable, Sendable, CaseIterable {
    case commissionableNode
    case commissioner
    case operationalNode
    /// A Thread border router; its TXT values are left raw.
    case borderRouter

    var labels: [String] {
        switch self {
        case .commissionableNode: ["_matterc", "_udp", "local"]
        case .commissioner: ["_matterd", "_udp", "local"]
        case .operationalNode: ["_matter", "_tcp", "local"]
        case .borderRouter: ["_meshcop", "_udp", "local"]
        }
    }
}

/// Core §4.3.2.1: the instance name of an operational node, `<compressed fabric id>-<node id>`.
package struct OperationalName: Hashable, Sendable {
    package let compressedFabricID: FixedBytes<8>
    package let nodeID: NodeID

    package init(compressedFabricID: FixedBytes<8>, nodeID: NodeID) {
        self.compressedFabricID = compressedFabricID
        self.nodeID = nodeID
    }

    /// Nil unless `label` is 16 hexadecimal digits, a dash, and 16 more.
    package init?(_ label: Span<UInt8>) {
        guard label.count == 33, label[16] == 0x2D else { return nil }
        var fabric = FixedBytes<8>()
        var node: UInt64 = 0
        for index in 0..<8 {
            guard let high = Hex.value(of: label[2 * index]),
                let low = Hex.value(of: label[2 * index + 1])
            else { return nil }
            fabric[index] = high << 4 | low
        }
        for index in 17..<33 {
            guard let digit = Hex.value(of: label[index]) else { return nil }
            node = node << 4 | UInt64(digit)
        }
        self.init(compressedFabricID: fabric, nodeID: NodeID(node))
    }
}

extension OperationalName: CustomStringConvertible {
    package var description: String {
        Hex.upper(compressedFabricID.span) + "-" + Hex.upper(nodeID.rawValue)
    }
}

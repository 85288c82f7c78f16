package import Base

/// What was learnt of one service instance.
package struct ServiceRecord: Equatable, Sendable {
    package let kind: ServiceKind
    /// The instance's label: at most 63 octets, whatever its maker chose to be one.
    package let instance: [UInt8]
    let hostName: DomainName
    /// Never 0.
    package let port: UInt16
    /// At least one and at most `Limits.mdnsAddressesPerHost`, in the order of the interfaces
    /// and then as they came. Link-local IPv6 carries the interface that it was heard on.
    package let addresses: [IPAddress]
    /// The strings of the TXT record as they are; empty when there is none yet.
    package let rawText: [UInt8]
    /// All nil for a border router.
    package let text: ServiceText
    /// The interface that the host and the port were heard on.
    package let interface: UInt32
}

extension ServiceRecord {
    /// For showing; control characters are still in it.
    package var instanceName: String { String(decoding: instance, as: UTF8.self) }
    package var host: String { hostName.text }

    /// Nil for what is no operational node of a well-formed name.
    package var operationalName: OperationalName? {
        kind == .operationalNode ? OperationalName(instance.span) : nil
    }

    /// Where to try in turn. Link-local IPv6 comes first: it needs no router, prefix or route,
    /// every device that answered on this link has one, and it outlives a change of prefix.
    /// Then unique local addresses (those of Thread devices behind a border router among them),
    /// then global ones, and IPv4 last, since devices need not speak it (Core §4.3 wants IPv6).
    package var addressesInGoodOrder: [IPAddress] {
        AddressRank.allCases.flatMap { rank in
            addresses.filter { AddressRank($0) == rank }
        }
    }

    /// The value of a TXT key: nil when the key is not there, empty when it has no value.
    package func textValue(_ key: String) -> [UInt8]? {
        guard let text = DNSText(rawText.span) else { return nil }
        let wanted = Array(key.utf8)
        var entries = text.entries
        while let entry = entries.next() {
            if entry.key.isEqualFolded(to: wanted.span) { return [UInt8](entry.value) }
        }
        return nil
    }
}

private enum AddressRank: CaseIterable {
    case linkLocal, uniqueLocal, global, ipv4

    init(_ address: IPAddress) {
        if address.isIPv4 {
            self = .ipv4
        } else if address.isLinkLocal {
            self = .linkLocal
        } else if address.isUniqueLocal {
            self = .uniqueLocal
        } else {
            self = .global
        }
    }
}

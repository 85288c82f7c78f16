internal import Base

/// A service that a host announces on the link. Core §4.3.
package struct MDNSService: Equatable, Sendable {
    package let kind: ServiceKind
    /// One label: 1 to 63 octets.
    package let instance: String
    /// Labels such as `_CM`; at most `Limits.mdnsSubtypes`.
    package let subtypes: [String]
    /// The host's label, without `local`.
    package let host: String
    package let port: UInt16
    /// The strings of the TXT record, `key=value`, 255 octets each at most.
    package let text: [[UInt8]]

    package init(
        kind: ServiceKind, instance: String, subtypes: [String] = [], host: String,
        port: UInt16, text: [[UInt8]]
    ) {
        precondition(subtypes.count <= Limits.mdnsSubtypes, "a service has few subtypes")
        precondition(text.allSatisfy { $0.count <= 255 }, "a string has at most 255 octets")
        precondition(
            text.reduce(0) { $0 + 1 + $1.count } <= Limits.mdnsOwnTextOctets,
            "a service's text fits a datagram")
        self.kind = kind
        self.instance = instance
        self.subtypes = subtypes
        self.host = host
        self.port = port
        self.text = text
    }
}

/// What a commissionable node says of itself. Core §4.3.1.
package struct CommissionableText: Equatable, Sendable {
    /// 0 ... 4095.
    package var discriminator: UInt16
    /// 0 no window, 1 the basic and 2 the enhanced commissioning method.
    package var commissioningMode: UInt8
    package var vendorID: VendorID?
    /// Said only beside the vendor.
    package var productID: ProductID?
    package var deviceType: UInt32?
    /// At most 32 octets.
    package var deviceName: String?
    package var pairingHint: UInt32?
    /// At most 128 octets.
    package var pairingInstruction: String?
    package var sessionParameters: SessionParameters?

    package init(discriminator: UInt16, commissioningMode: UInt8) {
        precondition(discriminator <= 0xFFF, "a long discriminator has 12 bits")
        self.discriminator = discriminator
        self.commissioningMode = commissioningMode
    }
}

extension MDNSService {
    /// Core §4.3.1: `_matterc._udp`.
    /// - Parameters:
    ///   - instance: random, a new one each time that the node begins to announce itself so.
    ///   - host: the hexadecimal digits of a link-layer address, or random ones (§4.3.1.1).
    package static func commissionable(
        instance: UInt64, host: String, port: UInt16, _ text: CommissionableText
    ) -> MDNSService {
        var subtypes = ["_S\(text.discriminator >> 8)", "_L\(text.discriminator)"]
        var entries = ["D=\(text.discriminator)", "CM=\(text.commissioningMode)"]
        if text.commissioningMode != 0 { subtypes.append("_CM") }
        if let vendor = text.vendorID?.rawValue {
            subtypes.append("_V\(vendor)")
            entries.append("VP=\(vendor)" + (text.productID.map { "+\($0.rawValue)" } ?? ""))
        }
        if let type = text.deviceType {
            subtypes.append("_T\(type)")
            entries.append("DT=\(type)")
        }
        if let name = text.deviceName { entries.append("DN=\(name)") }
        if let hint = text.pairingHint { entries.append("PH=\(hint)") }
        if let instruction = text.pairingInstruction { entries.append("PI=\(instruction)") }
        entries += intervals(text.sessionParameters)
        return MDNSService(
            kind: .commissionableNode, instance: Hex.upper(instance), subtypes: subtypes,
            host: host, port: port, text: entries.map { Array($0.utf8) })
    }

    /// Core §4.3.2: `_matter._tcp`.
    package static func operational(
        _ name: OperationalName, host: String, port: UInt16,
        sessionParameters: SessionParameters? = nil
    ) -> MDNSService {
        MDNSService(
            kind: .operationalNode, instance: name.description,
            subtypes: ["_I" + Hex.upper(name.compressedFabricID.span)], host: host, port: port,
            text: intervals(sessionParameters).map { Array($0.utf8) })
    }

    /// Core §4.3.4, in milliseconds.
    private static func intervals(_ parameters: SessionParameters?) -> [String] {
        guard let parameters else { return [] }
        return [
            "SII=\(min(parameters.idleInterval, Limits.sessionInterval).milliseconds)",
            "SAI=\(min(parameters.activeInterval, Limits.sessionInterval).milliseconds)",
            "SAT=\(min(parameters.activeThreshold.milliseconds, Int64(UInt16.max)))",
        ]
    }
}

internal import Base

/// How a node fares in its Wi-Fi network. Core §11.15  Wi-Fi Network Diagnostics
package enum WiFiNetworkDiagnostics: Cluster {
    package static let id = ClusterID(0x0036)
    package static let name: StaticString = "wi-fi-network-diagnostics"

    package static let bssid = Attribute<Nullable<Octets>>(id, 0x0000, "bssid")
    package static let securityType = Attribute<Nullable<OpenEnum<SecurityType>>>(
        id, 0x0001, "security-type")
    package static let wiFiVersion = Attribute<Nullable<OpenEnum<WiFiVersion>>>(
        id, 0x0002, "wi-fi-version")
    package static let channelNumber = Attribute<Nullable<UInt16>>(id, 0x0003, "channel-number")
    package static let rssi = Attribute<Nullable<Int8>>(
        id, 0x0004, "rssi", quantity: Quantity("dBm"))
    package static let beaconLostCount = Attribute<Nullable<UInt32>>(
        id, 0x0005, "beacon-lost-count")
    package static let beaconRxCount = Attribute<Nullable<UInt32>>(id, 0x0006, "beacon-rx-count")
    package static let packetMulticastRxCount = Attribute<Nullable<UInt32>>(
        id, 0x0007, "packet-multicast-rx-count")
    package static let packetMulticastTxCount = Attribute<Nullable<UInt32>>(
        id, 0x0008, "packet-multicast-tx-count")
    package static let packetUnicastRxCount = Attribute<Nullable<UInt32>>(
        id, 0x0009, "packet-unicast-rx-count")
    package static let packetUnicastTxCount = Attribute<Nullable<UInt32>>(
        id, 0x000A, "packet-unicast-tx-count")
    package static let currentMaxRate = Attribute<Nullable<UInt64>>(
        id, 0x000B, "current-max-rate", quantity: Quantity("bit/s"))
    package static let overrunCount = Attribute<Nullable<UInt64>>(id, 0x000C, "overrun-count")

    package static let attributes = table(
        bssid, securityType, wiFiVersion, channelNumber, rssi, beaconLostCount, beaconRxCount,
        packetMulticastRxCount, packetMulticastTxCount, packetUnicastRxCount, packetUnicastTxCount,
        currentMaxRate, overrunCount)
    package static let commands = table(ResetCounts.self)
}

extension WiFiNetworkDiagnostics {
    /// Core §11.15.7.1
    package struct ResetCounts: FieldlessCommand, Equatable {
        package static let cluster = WiFiNetworkDiagnostics.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "reset-counts"

        package init() {}
    }
}

extension WiFiNetworkDiagnostics {
    /// Core §11.15.5.1
    package enum SecurityType: UInt8, NamedNumber {
        case unspecified = 0
        case none = 1
        case wep = 2
        case wpa = 3
        case wpa2 = 4
        case wpa3 = 5
    }

    /// Core §11.15.5.2
    package enum WiFiVersion: UInt8, NamedNumber {
        case a = 0
        case b = 1
        case g = 2
        case n = 3
        case ac = 4
        case ax = 5
        case ah = 6
    }
}

internal import Base
package import Crypto

/// Puts a node on a Wi-Fi or Thread network. Core §11.9  Network Commissioning
package enum NetworkCommissioning: Cluster {
    package static let id = ClusterID(0x0031)
    package static let name: StaticString = "network-commissioning"

    package static let maxNetworks = Attribute<UInt8>(id, 0x0000, "max-networks")
    package static let networks = Attribute<[NetworkInfoStruct]>(id, 0x0001, "networks")
    package static let scanMaxTimeSeconds = Attribute<UInt8>(
        id, 0x0002, "scan-max-time-seconds", quantity: .seconds)
    package static let connectMaxTimeSeconds = Attribute<UInt8>(
        id, 0x0003, "connect-max-time-seconds", quantity: .seconds)
    package static let interfaceEnabled = Attribute<Bool>(
        id, 0x0004, "interface-enabled", access: .readWrite)
    package static let lastNetworkingStatus = Attribute<Nullable<OpenEnum<NetworkingStatus>>>(
        id, 0x0005, "last-networking-status")
    package static let lastNetworkID = Attribute<Nullable<Octets>>(id, 0x0006, "last-network-id")
    package static let lastConnectErrorValue = Attribute<Nullable<Int32>>(
        id, 0x0007, "last-connect-error-value")
    package static let supportedWiFiBands = Attribute<[OpenEnum<WiFiBand>]>(
        id, 0x0008, "supported-wi-fi-bands")
    package static let supportedThreadFeatures = Attribute<ThreadCapabilities>(
        id, 0x0009, "supported-thread-features")
    package static let threadVersion = Attribute<UInt16>(id, 0x000A, "thread-version")

    package static let attributes = table(
        maxNetworks, networks, scanMaxTimeSeconds, connectMaxTimeSeconds, interfaceEnabled,
        lastNetworkingStatus, lastNetworkID, lastConnectErrorValue, supportedWiFiBands,
        supportedThreadFeatures, threadVersion)
    package static let commands = table(
        ScanNetworks.self, AddOrUpdateWiFiNetwork.self, AddOrUpdateThreadNetwork.self,
        RemoveNetwork.self, ConnectNetwork.self, ReorderNetwork.self)
}

extension NetworkCommissioning {
    /// Core §11.9.7.1. Null or absent: all networks in reach.
    package struct ScanNetworks: Command, Equatable {
        package static let cluster = NetworkCommissioning.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "scan-networks"
        package typealias Response = ScanNetworksResponse

        package var ssid: Nullable<Octets>?
        package var breadcrumb: UInt64?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "ssid", &ssid)
            try field(1, "breadcrumb", &breadcrumb)
        }
    }

    /// Core §11.9.7.2
    package struct ScanNetworksResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x01)

        package var networkingStatus = OpenEnum(NetworkingStatus.success)
        package var debugText: String?
        package var wiFiScanResults: [WiFiInterfaceScanResultStruct]?
        package var threadScanResults: [ThreadInterfaceScanResultStruct]?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "networkingStatus", &networkingStatus)
            try field(1, "debugText", &debugText)
            try field(2, "wiFiScanResults", &wiFiScanResults)
            try field(3, "threadScanResults", &threadScanResults)
        }
    }

    /// Core §11.9.7.3. SSID 1 ... 32 octets; credentials 0 ... 64: none, a passphrase or a PSK.
    package struct AddOrUpdateWiFiNetwork: Command, Equatable {
        package static let cluster = NetworkCommissioning.id
        package static let id = CommandID(0x02)
        package static let name: StaticString = "add-or-update-wi-fi-network"
        package typealias Response = NetworkConfigResponse

        package var ssid = Octets()
        package var credentials = Secret.empty
        package var breadcrumb: UInt64?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "ssid", &ssid)
            try field(1, "credentials", &credentials)
            try field(2, "breadcrumb", &breadcrumb)
        }
    }

    /// Core §11.9.7.4. The dataset has at most 254 octets and holds the network key.
    package struct AddOrUpdateThreadNetwork: Command, Equatable {
        package static let cluster = NetworkCommissioning.id
        package static let id = CommandID(0x03)
        package static let name: StaticString = "add-or-update-thread-network"
        package typealias Response = NetworkConfigResponse

        package var operationalDataset = Secret.empty
        package var breadcrumb: UInt64?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "operationalDataset", &operationalDataset)
            try field(1, "breadcrumb", &breadcrumb)
        }
    }

    /// Core §11.9.7.6. The network id is the SSID, or the extended PAN id, 8 octets.
    package struct RemoveNetwork: Command, Equatable {
        package static let cluster = NetworkCommissioning.id
        package static let id = CommandID(0x04)
        package static let name: StaticString = "remove-network"
        package typealias Response = NetworkConfigResponse

        package var networkID = Octets()
        package var breadcrumb: UInt64?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "networkID", &networkID)
            try field(1, "breadcrumb", &breadcrumb)
        }
    }

    /// Core §11.9.7.7
    package struct NetworkConfigResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x05)

        package var networkingStatus = OpenEnum(NetworkingStatus.success)
        package var debugText: String?
        package var networkIndex: UInt8?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "networkingStatus", &networkingStatus)
            try field(1, "debugText", &debugText)
            try field(2, "networkIndex", &networkIndex)
        }
    }

    /// Core §11.9.7.8
    package struct ConnectNetwork: Command, Equatable {
        package static let cluster = NetworkCommissioning.id
        package static let id = CommandID(0x06)
        package static let name: StaticString = "connect-network"
        package typealias Response = ConnectNetworkResponse

        package var networkID = Octets()
        package var breadcrumb: UInt64?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "networkID", &networkID)
            try field(1, "breadcrumb", &breadcrumb)
        }
    }

    /// Core §11.9.7.9
    package struct ConnectNetworkResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x07)

        package var networkingStatus = OpenEnum(NetworkingStatus.success)
        package var debugText: String?
        package var errorValue: Nullable<Int32> = .null

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "networkingStatus", &networkingStatus)
            try field(1, "debugText", &debugText)
            try field(2, "errorValue", &errorValue)
        }
    }

    /// Core §11.9.7.10
    package struct ReorderNetwork: Command, Equatable {
        package static let cluster = NetworkCommissioning.id
        package static let id = CommandID(0x08)
        package static let name: StaticString = "reorder-network"
        package typealias Response = NetworkConfigResponse

        package var networkID = Octets()
        package var networkIndex: UInt8 = 0
        package var breadcrumb: UInt64?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "networkID", &networkID)
            try field(1, "networkIndex", &networkIndex)
            try field(2, "breadcrumb", &breadcrumb)
        }
    }
}

extension NetworkCommissioning {
    /// Core §11.9.4
    package struct Feature: Bitmap {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let wiFiNetworkInterface = Self(rawValue: 0x1)
        package static let threadNetworkInterface = Self(rawValue: 0x2)
        package static let ethernetNetworkInterface = Self(rawValue: 0x4)
        package static let perDeviceCredentials = Self(rawValue: 0x8)
    }

    /// Core §11.9.5.1
    package struct WiFiSecurity: Bitmap {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let unencrypted = Self(rawValue: 0x01)
        package static let wep = Self(rawValue: 0x02)
        package static let wpaPersonal = Self(rawValue: 0x04)
        package static let wpa2Personal = Self(rawValue: 0x08)
        package static let wpa3Personal = Self(rawValue: 0x10)
        package static let wpa3MatterPDC = Self(rawValue: 0x20)
    }

    /// Core §11.9.5.2
    package struct ThreadCapabilities: Bitmap {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let isBorderRouterCapable = Self(rawValue: 0x01)
        package static let isRouterCapable = Self(rawValue: 0x02)
        package static let isSleepyEndDeviceCapable = Self(rawValue: 0x04)
        package static let isFullThreadDevice = Self(rawValue: 0x08)
        package static let isSynchronizedSleepyEndDeviceCapable = Self(rawValue: 0x10)
    }

    /// Core §11.9.5.3, by frequency in MHz
    package enum WiFiBand: UInt8, NamedNumber {
        case mhz2400 = 0
        case mhz3650 = 1
        case mhz5000 = 2
        case mhz6000 = 3
        case mhz60000 = 4
        case mhz1000 = 5
    }

    /// Core §11.9.5.4
    package enum NetworkingStatus: UInt8, NamedNumber {
        case success = 0
        case outOfRange = 1
        case boundsExceeded = 2
        case networkIDNotFound = 3
        case duplicateNetworkID = 4
        case networkNotFound = 5
        case regulatoryError = 6
        case authFailure = 7
        case unsupportedSecurity = 8
        case otherConnectionFailure = 9
        case ipv6Failed = 10
        case ipBindFailed = 11
        case unknownError = 12
    }
}

extension NetworkCommissioning {
    /// Core §11.9.5.5
    package struct NetworkInfoStruct: TLVStructure, Hashable, Sendable {
        package var networkID = Octets()
        package var connected = false
        package var networkIdentifier: Nullable<Octets>?
        package var clientIdentifier: Nullable<Octets>?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "networkID", &networkID)
            try field(1, "connected", &connected)
            try field(2, "networkIdentifier", &networkIdentifier)
            try field(3, "clientIdentifier", &clientIdentifier)
        }
    }

    /// Core §11.9.5.6. Signal strength in dBm.
    package struct WiFiInterfaceScanResultStruct: TLVStructure, Hashable, Sendable {
        package var security = WiFiSecurity()
        package var ssid = Octets()
        package var bssid = Octets()
        package var channel: UInt16 = 0
        package var wiFiBand = OpenEnum(WiFiBand.mhz2400)
        package var rssi: Int8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "security", &security)
            try field(1, "ssid", &ssid)
            try field(2, "bssid", &bssid)
            try field(3, "channel", &channel)
            try field(4, "wiFiBand", &wiFiBand)
            try field(5, "rssi", &rssi)
        }
    }

    /// Core §11.9.5.7. Signal strength in dBm.
    package struct ThreadInterfaceScanResultStruct: TLVStructure, Hashable, Sendable {
        package var panId: UInt16 = 0
        package var extendedPanId: UInt64 = 0
        package var networkName = ""
        package var channel: UInt16 = 0
        package var version: UInt8 = 0
        package var extendedAddress = Octets()
        package var rssi: Int8 = 0
        package var lqi: UInt8 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "panId", &panId)
            try field(1, "extendedPanId", &extendedPanId)
            try field(2, "networkName", &networkName)
            try field(3, "channel", &channel)
            try field(4, "version", &version)
            try field(5, "extendedAddress", &extendedAddress)
            try field(6, "rssi", &rssi)
            try field(7, "lqi", &lqi)
        }
    }
}

internal import Base
internal import Crypto
internal import Matter

/// The networks that a device can join, as it says. Core §11.9.
struct NetworkInterfaces {
    struct Interface {
        let endpoint: EndpointID
        let technology: NetworkFailure.Technology
        let scanTime: Duration
        let connectTime: Duration
        let isOf2GHzOnly: Bool
    }

    /// One network that the device is given.
    struct Choice {
        let interface: Interface
        let credentials: Credentials
    }

    enum Credentials {
        case wiFi(WiFiNetworkCredentials)
        case thread(OperationalDataset)

        /// What the device calls it.
        var networkID: Octets {
            switch self {
            case .wiFi(let network): Octets(network.ssid)
            case .thread(let dataset): Octets([UInt8](dataset.extendedPANID.span))
            }
        }
    }

    let interfaces: [Interface]
    private let hasEthernet: Bool
    /// Whether it goes on listening to us while it joins. Core §11.10.6.5.
    let isConcurrent: Bool

    static let paths = [
        AttributePath(NetworkCommissioning.featureMap, endpoint: nil),
        AttributePath(NetworkCommissioning.scanMaxTimeSeconds, endpoint: nil),
        AttributePath(NetworkCommissioning.connectMaxTimeSeconds, endpoint: nil),
        AttributePath(NetworkCommissioning.supportedWiFiBands, endpoint: nil),
        AttributePath(GeneralCommissioning.supportsConcurrentConnection, endpoint: .root),
    ]

    init(_ reports: AttributeReports) throws(PeerError) {
        var interfaces: [Interface] = []
        var hasEthernet = false
        let endpoints = reports.endpoints(with: NetworkCommissioning.featureMap).sorted()
        for endpoint in endpoints {
            let features = NetworkCommissioning.Feature(
                rawValue: try reports.valueOrPeerError(NetworkCommissioning.featureMap, endpoint)
                    ?? 0)
            if features.contains(.ethernetNetworkInterface) { hasEthernet = true }
            let scan = try reports.valueOrPeerError(
                NetworkCommissioning.scanMaxTimeSeconds, endpoint)
            let connect = try reports.valueOrPeerError(
                NetworkCommissioning.connectMaxTimeSeconds, endpoint)
            let bands = try reports.valueOrPeerError(
                NetworkCommissioning.supportedWiFiBands, endpoint)
            let isWiFi = features.contains(.wiFiNetworkInterface)
            guard isWiFi || features.contains(.threadNetworkInterface) else { continue }
            interfaces.append(
                Interface(
                    endpoint: endpoint, technology: isWiFi ? .wiFi : .thread,
                    scanTime: .seconds(Int(scan ?? 0)),
                    connectTime: max(Self.leastConnectTime, .seconds(Int(connect ?? 0))),
                    isOf2GHzOnly: bands == [OpenEnum(.mhz2400)]))
        }
        self.interfaces = interfaces
        self.hasEthernet = hasEthernet
        isConcurrent =
            try reports.valueOrPeerError(GeneralCommissioning.supportsConcurrentConnection, .root)
            ?? true
    }

    /// A cable, or something that we know nothing of, has brought it onto a network.
    var needNone: Bool { interfaces.isEmpty }
    /// A cable may have; credentials are the better way where there are any.
    var mayNeedNone: Bool { hasEthernet }

    /// The first of its interfaces that can be served: Wi-Fi before Thread where it has both.
    func choose(_ networks: DeviceNetworks) -> Choice? {
        if let network = networks.wiFi,
            let interface = interfaces.first(where: { $0.technology == .wiFi })
        {
            return Choice(interface: interface, credentials: .wiFi(network))
        }
        if let dataset = networks.thread,
            let interface = interfaces.first(where: { $0.technology == .thread })
        {
            return Choice(interface: interface, credentials: .thread(dataset))
        }
        return nil
    }

    var missing: NetworkFailure {
        .noCredentials(
            wiFi: interfaces.contains { $0.technology == .wiFi },
            thread: interfaces.contains { $0.technology == .thread })
    }

    /// Devices say 20 s and need 30 where a DHCP server is slow.
    private static let leastConnectTime = Duration.seconds(30)
}

extension NetworkInterfaces.Choice {
    /// What a look around says about the network that the device is to join.
    func warnings(
        _ response: NetworkCommissioning.ScanNetworksResponse
    ) -> [CommissioningWarning] {
        let status = response.networkingStatus
        guard status == OpenEnum(.success) || status == OpenEnum(.networkNotFound) else {
            return []
        }
        let unseen = CommissioningWarning.networkNotSeen(isOf2GHzOnly: interface.isOf2GHzOnly)
        var strongest = Int8.min
        var warnings: [CommissioningWarning] = []
        switch credentials {
        case .wiFi(let network):
            let seen = (response.wiFiScanResults ?? []).filter { $0.ssid.bytes == network.ssid }
            guard let best = seen.max(by: { $0.rssi < $1.rssi }) else { return [unseen] }
            strongest = best.rssi
            let isOpen = seen.allSatisfy { $0.security == .unencrypted }
            let isClosed = seen.allSatisfy { !$0.security.contains(.unencrypted) }
            let hasPassphrase = network.credentials.count > 0
            if isOpen && hasPassphrase || isClosed && !hasPassphrase {
                warnings.append(.networkSecurity(isOpen: isOpen))
            }
        case .thread(let dataset):
            let id = dataset.extendedPANID.span
            var number: UInt64 = 0
            for index in id.indices { number = number << 8 | UInt64(id[index]) }
            let seen = (response.threadScanResults ?? []).filter { $0.extendedPanId == number }
            guard let best = seen.max(by: { $0.rssi < $1.rssi }) else { return [unseen] }
            strongest = best.rssi
        }
        if strongest < Self.weakSignal {
            warnings.append(.networkWeak(signalStrength: strongest))
        }
        return warnings
    }

    /// dBm; below it connections come and go.
    private static let weakSignal: Int8 = -80
}

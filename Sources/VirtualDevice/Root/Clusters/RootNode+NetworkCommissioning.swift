internal import Base
internal import Crypto
internal import Matter

/// Core §11.9: the networks of the interface on endpoint 0.
extension RootNode {
    private typealias Cluster = NetworkCommissioning

    /// A scan, or a try to connect, that takes its time.
    struct Networking: Sendable {
        let invocation: InvocationID
        let end: Instant
        let work: Work

        enum Work: Sendable {
            case scan(Octets?)
            case connect(Octets, NetworkCommissioning.NetworkingStatus)
        }
    }

    /// What the attributes tell of the last command. Core §11.9.6.6 to 8.
    struct LastNetworking: Sendable {
        var status: NetworkCommissioning.NetworkingStatus?
        var networkID: Octets?
        var errorValue: Int32?
    }

    mutating func networkCommissioning(
        _ invocation: CommandInvocation, at now: Instant
    ) throws(RootRefusal) -> InvocationAnswer? {
        guard settings.network != .ethernet else { throw RootRefusal(.unsupportedCommand) }
        switch invocation.command {
        case Cluster.ScanNetworks.id: return try scan(invocation, at: now)
        case Cluster.AddOrUpdateWiFiNetwork.id where settings.network == .wiFi:
            return try addWiFi(invocation)
        case Cluster.AddOrUpdateThreadNetwork.id where settings.network == .thread:
            return try addThread(invocation)
        case Cluster.RemoveNetwork.id:
            let command = try invocation.decoded(as: Cluster.RemoveNetwork.self)
            try requireNetworkFailSafe(invocation.accessor)
            return done(networks.remove(command.networkID), command.networkID, command.breadcrumb)
        case Cluster.ReorderNetwork.id:
            let command = try invocation.decoded(as: Cluster.ReorderNetwork.self)
            try requireNetworkFailSafe(invocation.accessor)
            return done(
                networks.reorder(command.networkID, to: command.networkIndex), command.networkID,
                command.breadcrumb)
        case Cluster.ConnectNetwork.id: return try connect(invocation, at: now)
        default: throw RootRefusal(.unsupportedCommand)
        }
    }

    /// - Throws: `failsafeRequired` also when the fail-safe is another's.
    private func requireNetworkFailSafe(_ accessor: Accessor) throws(RootRefusal) {
        guard let failSafe, failSafe.fabricIndex == accessor.fabricIndex else {
            throw RootRefusal(.failsafeRequired)
        }
    }

    private mutating func scan(
        _ invocation: CommandInvocation, at now: Instant
    ) throws(RootRefusal) -> InvocationAnswer? {
        let command = try invocation.decoded(as: Cluster.ScanNetworks.self)
        let ssid = command.ssid?.value
        if let ssid, !Limits.ssidOctets.contains(ssid.bytes.count) {
            throw RootRefusal(.constraintError)
        }
        guard networking == nil else { throw RootRefusal(.busy) }
        if failSafe != nil, let value = command.breadcrumb { breadcrumb = value }
        networking = Networking(
            invocation: invocation.id, end: now + settings.surroundings.scanTime,
            work: .scan(ssid))
        return nil
    }

    private mutating func addWiFi(_ invocation: CommandInvocation) throws(RootRefusal)
        -> InvocationAnswer
    {
        let command = try invocation.decoded(as: Cluster.AddOrUpdateWiFiNetwork.self)
        try requireNetworkFailSafe(invocation.accessor)
        // Core §11.9.7.3: no passphrase, one of WPA, or the 64 digits of a key.
        let length = command.credentials.count
        guard Limits.ssidOctets.contains(command.ssid.bytes.count),
            length == 0 || length == 5 || length == 13
                || (8...Limits.wiFiCredentialsOctets).contains(length)
        else { return Self.configured(NetworkTable.Outcome(status: .outOfRange)) }
        return add(command.ssid, command.credentials, command.breadcrumb)
    }

    private mutating func addThread(
        _ invocation: CommandInvocation
    ) throws(RootRefusal) -> InvocationAnswer {
        let command = try invocation.decoded(as: Cluster.AddOrUpdateThreadNetwork.self)
        try requireNetworkFailSafe(invocation.accessor)
        guard command.operationalDataset.count <= Limits.datasetOctets,
            let id = ThreadDataset.extendedPANID(command.operationalDataset)
        else { return Self.configured(NetworkTable.Outcome(status: .outOfRange)) }
        return add(id, command.operationalDataset, command.breadcrumb)
    }

    private mutating func add(
        _ id: Octets, _ credentials: Secret, _ breadcrumb: UInt64?
    ) -> InvocationAnswer {
        var network = NetworkTable.Network()
        network.id = id
        network.credentials = credentials
        return done(networks.addOrUpdate(network), id, breadcrumb)
    }

    private mutating func done(
        _ outcome: NetworkTable.Outcome, _ id: Octets, _ breadcrumb: UInt64?
    ) -> InvocationAnswer {
        lastNetworking = LastNetworking(status: outcome.status, networkID: id)
        if outcome.status == .success, let breadcrumb { self.breadcrumb = breadcrumb }
        return Self.configured(outcome)
    }

    private static func configured(_ outcome: NetworkTable.Outcome) -> InvocationAnswer {
        .response(
            NetworkCommissioning.NetworkConfigResponse {
                $0.networkingStatus = OpenEnum(outcome.status)
                $0.networkIndex = outcome.index
            })
    }

    private mutating func connect(
        _ invocation: CommandInvocation, at now: Instant
    ) throws(RootRefusal) -> InvocationAnswer? {
        let command = try invocation.decoded(as: Cluster.ConnectNetwork.self)
        try requireNetworkFailSafe(invocation.accessor)
        guard networking == nil else { throw RootRefusal(.busy) }
        guard let credentials = networks.credentials(of: command.networkID) else {
            lastNetworking = LastNetworking(
                status: .networkIDNotFound, networkID: command.networkID)
            return Self.connected(.networkIDNotFound)
        }
        if let value = command.breadcrumb { breadcrumb = value }
        let outcome = settings.surroundings.connect(command.networkID, credentials)
        networking = Networking(
            invocation: invocation.id, end: now + outcome.after,
            work: .connect(command.networkID, outcome.status))
        if !settings.isConcurrent { add(.leavesBluetooth) }
        return nil
    }

    /// Answers what took its time.
    /// - Parameter status: what it ends with instead of its own outcome.
    mutating func finish(
        _ networking: Networking, as status: NetworkCommissioning.NetworkingStatus? = nil
    ) {
        self.networking = nil
        switch networking.work {
        case .scan(let ssid):
            lastNetworking.status = status ?? .success
            add(.answer(networking.invocation, scanned(ssid)))
        case .connect(let id, let outcome):
            let status = status ?? outcome
            if status == .success { networks.connected = id }
            lastNetworking = LastNetworking(status: status, networkID: id)
            if status != .success { lastNetworking.errorValue = Self.connectError }
            add(.note(.network(status)))
            add(.answer(networking.invocation, Self.connected(status)))
        }
    }

    private func scanned(_ ssid: Octets?) -> InvocationAnswer {
        .response(
            NetworkCommissioning.ScanNetworksResponse {
                if settings.network == .wiFi {
                    $0.wiFiScanResults = settings.surroundings.scan(ssid)
                } else {
                    $0.threadScanResults = [ThreadDataset.scanResult]
                }
            })
    }

    private static func connected(
        _ status: NetworkCommissioning.NetworkingStatus
    ) -> InvocationAnswer {
        .response(
            NetworkCommissioning.ConnectNetworkResponse {
                $0.networkingStatus = OpenEnum(status)
                if status != .success { $0.errorValue = .value(connectError) }
            })
    }

    mutating func networkCommissioning(_ write: RootWrite) throws(RootRefusal) {
        guard write.path.attribute == Cluster.interfaceEnabled.id else {
            throw RootRefusal(.unsupportedWrite)
        }
        isInterfaceEnabled = try write.decoded(Cluster.interfaceEnabled)
    }

    /// A maker's own number.
    private static let connectError: Int32 = -1
}

extension NetworkTable {
    /// A wire needs no credentials and has one network.
    static let ethernet: NetworkTable = {
        var network = Network()
        network.id = Octets([UInt8]("virtual".utf8))
        return NetworkTable([network], connected: network.id)
    }()
}

/// The little that a device needs to know of a Thread operational dataset.
enum ThreadDataset {
    /// The value of the type 2 entry: Extended PAN ID, 8 octets. Thread 1.3 §8.10.1.4.
    static func extendedPANID(_ dataset: Secret) -> Octets? {
        var offset = 0
        let count = dataset.count
        while offset + 2 <= count {
            let type = dataset.span[offset]
            let length = Int(dataset.span[offset + 1])
            guard offset + 2 + length <= count else { return nil }
            if type == 2 {
                guard length == 8 else { return nil }
                return Octets((0..<8).map { dataset.span[offset + 2 + $0] })
            }
            offset += 2 + length
        }
        return nil
    }

    static let scanResult = NetworkCommissioning.ThreadInterfaceScanResultStruct {
        $0.panId = 0x1234
        $0.extendedPanId = 0x1111_2222_3333_4444
        $0.networkName = "virtual-thread"
        $0.channel = 15
        $0.version = 4
        $0.extendedAddress = Octets([2, 0, 0, 0, 0, 0, 0, 1])
        $0.rssi = -60
        $0.lqi = 200
    }
}

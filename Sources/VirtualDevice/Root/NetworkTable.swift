internal import Base
package import Crypto
package import Matter

/// The networks that a node knows, in the order of their priority. Core §11.9.6.2.
struct NetworkTable: Sendable {
    typealias Status = NetworkCommissioning.NetworkingStatus

    private(set) var networks: [Network] = []
    /// The one that the node is in.
    var connected: Octets?

    struct Network: TLVStructure, Sendable {
        /// An SSID, or an extended PAN id.
        var id = Octets()
        /// A passphrase, or a Thread dataset.
        var credentials = Secret(count: 0) { _ in }

        init() {}

        mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "networkID", &id)
            try field(1, "credentials", &credentials)
        }
    }

    init(_ networks: [Network] = [], connected: Octets? = nil) {
        self.networks = networks
        self.connected = connected
    }

    func contains(_ id: Octets) -> Bool { index(of: id) != nil }

    /// How it went, and the network's place where it has one.
    struct Outcome: Equatable {
        var status = Status.success
        var index: UInt8?
    }

    mutating func addOrUpdate(_ network: Network) -> Outcome {
        if let index = index(of: network.id) {
            networks[index] = network
            return Outcome(index: UInt8(index))
        }
        guard networks.count < Limits.networks else { return Outcome(status: .boundsExceeded) }
        networks.append(network)
        return Outcome(index: UInt8(networks.count - 1))
    }

    mutating func remove(_ id: Octets) -> Outcome {
        guard let index = index(of: id) else { return Outcome(status: .networkIDNotFound) }
        networks.remove(at: index)
        if connected == id { connected = nil }
        return Outcome(index: UInt8(index))
    }

    mutating func reorder(_ id: Octets, to place: UInt8) -> Outcome {
        guard let index = index(of: id) else { return Outcome(status: .networkIDNotFound) }
        guard place < networks.count else { return Outcome(status: .outOfRange) }
        networks.insert(networks.remove(at: index), at: Int(place))
        return Outcome(index: place)
    }

    func credentials(of id: Octets) -> Secret? {
        index(of: id).map { networks[$0].credentials }
    }

    var infos: [NetworkCommissioning.NetworkInfoStruct] {
        networks.map { network in
            NetworkCommissioning.NetworkInfoStruct {
                $0.networkID = network.id
                $0.connected = network.id == connected
            }
        }
    }

    private func index(of id: Octets) -> Int? { networks.firstIndex { $0.id == id } }
}

/// The radio around a device: what a scan finds, and how connecting goes.
package struct Surroundings: Sendable {
    package var accessPoints: [AccessPoint]
    /// Networks that no access point below has can be joined all the same.
    package var acceptsUnknown = true
    package var scanTime = Duration.seconds(2)

    package struct AccessPoint: Sendable {
        package var ssid: Octets
        package var security: NetworkCommissioning.WiFiSecurity
        package var band: NetworkCommissioning.WiFiBand
        package var channel: UInt16
        package var bssid: [UInt8]
        /// dBm.
        package var rssi: Int8
        /// Nil: any will do.
        package var passphrase: Secret?
        /// What connecting ends with, whatever the passphrase.
        package var status = NetworkCommissioning.NetworkingStatus.success
        package var connectTime = Duration.seconds(3)
        /// A network that a scan finds only when asked for by name.
        package var isHidden = false

        package init(
            _ ssid: String, _ security: NetworkCommissioning.WiFiSecurity = .wpa2Personal,
            _ band: NetworkCommissioning.WiFiBand = .mhz2400, channel: UInt16 = 6,
            rssi: Int8 = -55, number: UInt8 = 1
        ) {
            self.ssid = Octets([UInt8](ssid.utf8))
            self.security = security
            self.band = band
            self.channel = channel
            self.rssi = rssi
            bssid = [0x02, 0, 0, 0, 0, number]
        }
    }

    /// A house with networks that fail, each by its name.
    package init() {
        var home = AccessPoint("virtual-home", [.wpa2Personal, .wpa3Personal], number: 1)
        home.rssi = -48
        let office = AccessPoint(
            "virtual-office", .wpa3Personal, .mhz5000, channel: 44, rssi: -67, number: 2)
        let guests = AccessPoint("virtual-guests", .unencrypted, channel: 1, rssi: -60, number: 3)
        var password = AccessPoint("wrong-password", rssi: -50, number: 4)
        password.status = .authFailure
        var lost = AccessPoint("not-found", rssi: -89, number: 5)
        lost.status = .networkNotFound
        var forbidden = AccessPoint("regulatory", .wpa2Personal, .mhz5000, channel: 165, number: 6)
        forbidden.status = .regulatoryError
        var old = AccessPoint("unsupported-security", .wep, channel: 11, rssi: -72, number: 7)
        old.status = .unsupportedSecurity
        var slow = AccessPoint("slow", channel: 13, rssi: -80, number: 8)
        slow.connectTime = .seconds(20)
        var hidden = AccessPoint("hidden", rssi: -58, number: 9)
        hidden.isHidden = true
        accessPoints = [home, office, guests, password, lost, forbidden, old, slow, hidden]
    }

    package init(_ accessPoints: [AccessPoint]) { self.accessPoints = accessPoints }

    /// - Parameter ssid: nil for all that show themselves.
    func scan(_ ssid: Octets?) -> [NetworkCommissioning.WiFiInterfaceScanResultStruct] {
        let found = accessPoints.filter { point in
            ssid.map { $0 == point.ssid } ?? !point.isHidden
        }
        return found.sorted { $0.rssi > $1.rssi }.map { point in
            NetworkCommissioning.WiFiInterfaceScanResultStruct {
                $0.security = point.security
                $0.ssid = point.ssid
                $0.bssid = Octets(point.bssid)
                $0.channel = point.channel
                $0.wiFiBand = OpenEnum(point.band)
                $0.rssi = point.rssi
            }
        }
    }

    /// How a try to connect ends, and after how long.
    func connect(
        _ id: Octets, _ credentials: Secret
    ) -> (status: NetworkCommissioning.NetworkingStatus, after: Duration) {
        guard let point = accessPoints.first(where: { $0.ssid == id }) else {
            return (acceptsUnknown ? .success : .networkNotFound, .seconds(3))
        }
        if point.status != .success { return (point.status, point.connectTime) }
        if let passphrase = point.passphrase, passphrase != credentials {
            return (.authFailure, point.connectTime)
        }
        return (.success, point.connectTime)
    }
}

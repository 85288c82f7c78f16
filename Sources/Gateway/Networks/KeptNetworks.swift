internal import Base
package import Crypto
package import Matter
package import MatterNode

// The networks that devices are given: what may be kept, and what becomes of it.

extension Gateway {
    /// What a device without a network is given. Nothing where the store cannot be read; `prepare`
    /// says so.
    package func networks() -> DeviceNetworks {
        (try? store.networks().networks) ?? DeviceNetworks()
    }

    /// From now on devices are given this network.
    package func keep(_ network: WiFiNetworkCredentials) throws(StoreError) {
        _ = try store.keep(network, at: clock.unixSeconds() ?? 0)
    }
}

extension Store {
    /// - Parameters:
    ///   - network: nil forgets the one that is kept.
    ///   - time: seconds since 1970; 0 while the clock is not plausible.
    func keep(
        _ network: WiFiNetworkCredentials?, at time: Int64
    ) throws(StoreError) -> NetworksRecord {
        var record = try networks()
        record.networks.wiFi = network
        record.wiFiSince = network == nil ? 0 : time
        let name = network.map { "Wi-Fi \(NetworkName.text($0.ssid)) is used for devices" }
        return try keep(record, at: time, name ?? "Wi-Fi for devices was forgotten")
    }

    /// The same of Thread.
    func keep(
        _ dataset: OperationalDataset?, at time: Int64
    ) throws(StoreError) -> NetworksRecord {
        var record = try networks()
        record.networks.thread = dataset
        record.threadSince = dataset == nil ? 0 : time
        let name = dataset.map { "Thread \(NetworkName.text($0)) is used for devices" }
        return try keep(record, at: time, name ?? "Thread for devices was forgotten")
    }

    private func keep(
        _ record: NetworksRecord, at time: Int64, _ text: String
    ) throws(StoreError) -> NetworksRecord {
        try save(record)
        // Events are for people who look back; the change itself is stored.
        try? note(.network, nil, text, at: time)
        return record
    }
}

extension WiFiNetworkCredentials {
    /// A network as people type, scan or read it: without WEP, whose keys would pass for
    /// passphrases that are too short.
    /// - Parameter passphrase: or a PSK's digits; nil for an open network.
    package init(
        ssid: Span<UInt8>, passphrase: Secret?, isHidden: Bool
    ) throws(NetworkCredentialsError) {
        if let passphrase, passphrase.count < Limits.passphraseBytes.lowerBound {
            throw .invalidPassphraseLength(passphrase.count)
        }
        let none = Secret(count: 0) { _ in }
        try self.init(ssid: ssid, credentials: passphrase ?? none, isHidden: isHidden)
    }
}

/// Names of networks, which are strangers' octets, for people.
enum NetworkName {
    /// Quoted text, or 0x and hexadecimal digits where it is none.
    static func text(_ ssid: [UInt8]) -> String {
        guard let text = String(validating: ssid, as: UTF8.self) else {
            return "0x" + Hex.upper(ssid.span)
        }
        return "\"\(text.escapingControls)\""
    }

    /// A network that has no name is called by its id.
    static func text(_ dataset: OperationalDataset) -> String {
        if let name = dataset.networkName { return text(Array(name.utf8)) }
        let id = dataset.extendedPANID
        return "0x" + Hex.upper(id.span)
    }
}

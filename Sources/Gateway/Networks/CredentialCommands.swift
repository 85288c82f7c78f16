internal import Base
internal import Crypto
internal import Matter
internal import MatterNode

/// Commands on the networks that devices are given.
extension CommandRunner {
    func wiFi(_ order: WiFiOrder) async throws(Explanation) -> Output {
        let store = try surroundings.store()
        switch order {
        case .show:
            return CredentialOutput.wiFi(
                try stored { () throws(StoreError) in
                    try store.networks()
                })
        case .forget:
            return CredentialOutput.forgotten(
                "Wi-Fi",
                wasSet: try forget(store) { record in
                    record.networks.wiFi != nil
                } do: {
                    () throws(StoreError) in
                    _ = try store.keep(
                        nil as WiFiNetworkCredentials?, at: surroundings.unixSeconds)
                })
        case .set(let setting):
            let network = try await network(setting)
            var output = CredentialOutput.wiFi(
                try stored { () throws(StoreError) in
                    try store.keep(network, at: surroundings.unixSeconds)
                })
            output.lines = [CredentialOutput.use("Wi-Fi \(NetworkName.text(network.ssid))")]
            return output
        }
    }

    func thread(_ order: ThreadOrder) async throws(Explanation) -> Output {
        let store = try surroundings.store()
        switch order {
        case .show:
            return CredentialOutput.thread(
                try stored { () throws(StoreError) in
                    try store.networks()
                })
        case .forget:
            return CredentialOutput.forgotten(
                "Thread",
                wasSet: try forget(store) { record in
                    record.networks.thread != nil
                } do: {
                    () throws(StoreError) in
                    _ = try store.keep(nil as OperationalDataset?, at: surroundings.unixSeconds)
                })
        case .set:
            let digits = try await surroundings.readPassphrase(
                "operational dataset in hexadecimal")
            let dataset: OperationalDataset
            do throws(NetworkCredentialsError) {
                dataset = try OperationalDataset(hexadecimal: digits.span)
            } catch { throw Explanation(error) }
            var output = CredentialOutput.thread(
                try stored { () throws(StoreError) in
                    try store.keep(dataset, at: surroundings.unixSeconds)
                })
            let first = CredentialOutput.use("Thread \(NetworkName.text(dataset))")
            output.lines = [first] + output.lines
            return output
        }
    }

    private func forget(
        _ store: any Store, _ isSet: (NetworksRecord) -> Bool,
        do forget: () throws(StoreError) -> Void
    ) throws(Explanation) -> Bool {
        try stored { () throws(StoreError) in
            guard isSet(try store.networks()) else { return false }
            try forget()
            return true
        }
    }

    private func network(
        _ setting: WiFiSetting
    ) async throws(Explanation) -> WiFiNetworkCredentials {
        if setting.source == .board {
            let ssid = try setting.ssid.map { (typed) throws(Explanation) in
                try Self.ssid(typed, setting)
            }
            return try await surroundings.boardNetwork(ssid)
        }
        let ssid = try Self.ssid(try await typedSSID(setting), setting)
        var passphrase: Secret?
        if setting.source == .passphrase {
            passphrase = try await surroundings.readPassphrase(
                "passphrase of \(NetworkName.text(ssid))")
        }
        return try Self.network(ssid, passphrase, isHidden: setting.isHidden)
    }

    private static func network(
        _ ssid: [UInt8], _ passphrase: Secret?, isHidden: Bool
    ) throws(Explanation) -> WiFiNetworkCredentials {
        do throws(NetworkCredentialsError) {
            return try WiFiNetworkCredentials(
                ssid: ssid.span, passphrase: passphrase, isHidden: isHidden)
        } catch { throw Explanation(error) }
    }

    private func typedSSID(_ setting: WiFiSetting) async throws(Explanation) -> [UInt8] {
        if let ssid = setting.ssid { return ssid }
        guard surroundings.hasTerminal else {
            throw Explanation(
                .usage, "the network is not named",
                remedy: "wifi set SSID, and write the passphrase into standard input")
        }
        let typed = try await surroundings.readText("name of the network (SSID)")
        return [UInt8](typed.span)
    }

    /// Before anybody is asked for a passphrase.
    private static func ssid(
        _ typed: [UInt8], _ setting: WiFiSetting
    ) throws(Explanation) -> [UInt8] {
        var ssid = typed
        if setting.isHexadecimal {
            guard let octets = Hex.decode(String(decoding: typed, as: UTF8.self)) else {
                throw Explanation(
                    .malformedInput, "the network's name is not in hexadecimal",
                    remedy: "with --hex, give two digits for each octet")
            }
            ssid = octets
        }
        _ = try network(ssid, nil, isHidden: false)
        return ssid
    }
}

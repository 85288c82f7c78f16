internal import Base
internal import Crypto
internal import Matter
internal import MatterNode

/// What `wifi` and `thread` say: names, never a passphrase or key. The members' names are relied
/// on by scripts.
enum CredentialOutput {
    /// - Parameter name: quoted.
    static func use(_ name: String) -> String { "\(name) is used for devices from now on" }

    static func wiFi(_ record: NetworksRecord) -> Output {
        let network = record.networks.wiFi
        let ssid = network?.ssid
        let security = network.map(security)
        var sheet = TextSheet()
        sheet.add("Wi-Fi", ssid.map { NetworkName.text($0) } ?? "")
        sheet.add("security", security?.words ?? "")
        sheet.add("hidden", network.map { $0.isHidden ? "yes" : "no" } ?? "")
        sheet.add("set", time(record.wiFiSince) ?? "")
        let none = "no Wi-Fi network is set: wifi set SSID gives devices one"
        return Output(
            lines: network == nil ? [none] : sheet.lines,
            document: .object([
                ("is_set", .boolean(network != nil)),
                ("ssid", value(ssid.flatMap { String(validating: $0, as: UTF8.self) })),
                ("ssid_hex", value(ssid.map { Hex.lower($0.span) })),
                ("security", value(security?.name)),
                ("hidden", network.map { .boolean($0.isHidden) } ?? .null),
                ("since", value(time(record.wiFiSince))),
            ]))
    }

    static func thread(_ record: NetworksRecord) -> Output {
        let dataset = record.networks.thread
        let extendedPANID = dataset?.extendedPANID
        let id = extendedPANID.map { Hex.upper($0.span) }
        let panID = dataset.map { NumberText.hexadecimal(UInt32($0.panID), digits: 4) }
        var sheet = TextSheet()
        sheet.add("Thread", dataset.map { NetworkName.text($0) } ?? "")
        sheet.add("channel", dataset.map { "\($0.channel)" } ?? "")
        sheet.add("PAN id", panID ?? "")
        sheet.add("extended PAN id", id ?? "")
        sheet.add("set", time(record.threadSince) ?? "")
        let none = "no Thread network is set: thread set gives devices one"
        return Output(
            lines: dataset == nil ? [none] : sheet.lines,
            document: .object([
                ("is_set", .boolean(dataset != nil)),
                ("network_name", value(dataset?.networkName)),
                ("channel", dataset.map { .integer(Int64($0.channel)) } ?? .null),
                ("pan_id", value(panID)),
                ("extended_pan_id", value(id)),
                ("since", value(time(record.threadSince))),
            ]))
    }

    /// - Parameter kind: `Wi-Fi` or `Thread`.
    static func forgotten(_ kind: String, wasSet: Bool) -> Output {
        Output(
            lines: [
                wasSet
                    ? "forgotten: devices are given no \(kind) network from now on"
                    : "no \(kind) network was set"
            ],
            document: .object([("forgotten", .boolean(wasSet))]))
    }

    private static func security(
        _ network: WiFiNetworkCredentials
    ) -> (name: String, words: String) {
        switch network.credentials.count {
        case 0: ("open", "none: the network is open")
        case Limits.pskDigits: ("key", "a key")
        default: ("passphrase", "a passphrase")
        }
    }

    private static func value(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    private static func time(_ seconds: Int64) -> String? {
        seconds > 0 ? UTCText.instant(seconds) : nil
    }
}

internal import Base
internal import Crypto

/// The network of a NetworkManager keyfile, nm-settings-keyfile(5).
enum ConnectionProfile {
    /// - Returns: one, or none for another kind of connection.
    static func networks(_ text: Span<UInt8>) -> [ConfiguredNetwork] {
        var profile = Profile()
        var section = ""
        NetworkFile.forEachLine(text) { line in
            if line[0] == UInt8(ascii: "[") {
                let heading = NetworkFile.text(line)
                section = String(heading.dropFirst().prefix { $0 != "]" })
            } else if let (key, start) = NetworkFile.entry(line) {
                profile.take(section, key, line.extracting(start..<line.count))
            }
        }
        return profile.network.map { [$0] } ?? []
    }

    private struct Profile {
        private var found = ConfiguredNetwork()
        private var secret: Secret?
        private var method = ""
        private var hasWEPKey = false
        private var isOfAccessPoint = true

        /// Nil without a Wi-Fi section, and for the board's own access point.
        var network: ConfiguredNetwork? {
            guard !found.ssid.isEmpty, isOfAccessPoint else { return nil }
            var network = found
            network.access = access
            return network
        }

        private var access: WiFiAccess {
            switch method {
            case "", "owe": .open
            case "none": hasWEPKey ? .wep : .open
            case "wpa-psk", "sae": secret.map { .passphrase($0) } ?? .notStored
            // With accounts, or with WEP keys that these hand out.
            default: .enterprise
            }
        }

        mutating func take(_ section: String, _ key: String, _ value: Span<UInt8>) {
            switch (section, key) {
            case ("wifi", "ssid"), ("802-11-wireless", "ssid"):
                found.ssid = ConnectionProfile.name(value)
            case ("wifi", "hidden"), ("802-11-wireless", "hidden"):
                found.isHidden = NetworkFile.text(value) == "true"
            case ("wifi", "mode"), ("802-11-wireless", "mode"):
                isOfAccessPoint = NetworkFile.text(value) == "infrastructure"
            case ("wifi-security", "key-mgmt"), ("802-11-wireless-security", "key-mgmt"):
                method = NetworkFile.text(value)
            case ("wifi-security", "psk"), ("802-11-wireless-security", "psk"):
                secret = NetworkFile.unescaped(value)
            case ("wifi-security", "wep-key0"), ("802-11-wireless-security", "wep-key0"):
                hasWEPKey = true
            default: break
            }
        }
    }

    /// A text with escapes, or the octets as `72;111;` for what is no text.
    private static func name(_ value: Span<UInt8>) -> [UInt8] {
        if let octets = list(value) { return octets }
        let name = NetworkFile.unescaped(value)
        return [UInt8](name.span)
    }

    private static func list(_ value: Span<UInt8>) -> [UInt8]? {
        guard value.count > 1, value[value.count - 1] == UInt8(ascii: ";") else { return nil }
        var octets: [UInt8] = []
        for part in NetworkFile.text(value).split(separator: ";") {
            guard let octet = UInt8(part) else { return nil }
            octets.append(octet)
        }
        return octets
    }
}

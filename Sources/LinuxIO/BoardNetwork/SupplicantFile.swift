internal import Base
internal import Crypto

/// The networks of a wpa_supplicant.conf(5).
enum SupplicantFile {
    static func networks(_ text: Span<UInt8>) -> [ConfiguredNetwork] {
        var networks: [ConfiguredNetwork] = []
        var block: Block?
        NetworkFile.forEachLine(text) { line in
            guard block != nil else {
                if isOpening(line) { block = Block() }
                return
            }
            if line[0] == UInt8(ascii: "}") {
                if let network = block?.network { networks.append(network) }
                block = nil
            } else {
                block?.take(line)
            }
        }
        return networks
    }

    /// `network={`, also with blanks.
    private static func isOpening(_ line: Span<UInt8>) -> Bool {
        guard let (key, value) = NetworkFile.entry(line), key == "network" else { return false }
        return value < line.count && line[value] == UInt8(ascii: "{")
    }

    private struct Block {
        private var found = ConfiguredNetwork()
        private var secret: Secret?
        private var methods = ""
        private var hasWEPKey = false
        private var hasAccount = false
        private var isLeftOut = false

        /// Nil for one that is turned off, or is no access point of others.
        var network: ConfiguredNetwork? {
            guard !found.ssid.isEmpty, !isLeftOut else { return nil }
            var network = found
            network.access = access
            return network
        }

        private var access: WiFiAccess {
            if let secret { return .passphrase(secret) }
            if hasWEPKey { return .wep }
            let names = methods.split(separator: " ")
            if names.contains("NONE") || names.contains("OWE") { return .open }
            return hasAccount ? .enterprise : .notStored
        }

        mutating func take(_ line: Span<UInt8>) {
            guard let (key, start) = NetworkFile.entry(line) else { return }
            let value = line.extracting(start..<line.count)
            switch key {
            case "ssid": found.ssid = SupplicantFile.name(value)
            case "scan_ssid": found.isHidden = SupplicantFile.word(value) == "1"
            case "psk", "sae_password": secret = secret ?? SupplicantFile.secret(value)
            case "key_mgmt": methods = SupplicantFile.word(value)
            case "wep_key0": hasWEPKey = true
            case "eap", "identity": hasAccount = true
            // Its own access point, or machines among themselves.
            case "disabled", "mode": if SupplicantFile.word(value) != "0" { isLeftOut = true }
            default: break
            }
        }
    }

    /// Behind a value that has no quotes there may be a comment.
    private static func word(_ value: Span<UInt8>) -> String {
        var end = 0
        while end < value.count, value[end] != UInt8(ascii: "#") { end += 1 }
        while end > 0, NetworkFile.isBlank(value[end - 1]) { end -= 1 }
        return NetworkFile.text(value.extracting(0..<end))
    }

    /// Between the first quote and the last.
    private static func quoted(_ value: Span<UInt8>, from start: Int) -> Range<Int>? {
        guard start < value.count, value[start] == quote else { return nil }
        var end = value.count - 1
        while end > start, value[end] != quote { end -= 1 }
        return end > start ? start + 1..<end : nil
    }

    /// `"text"`, `P"text with escapes"`, or hexadecimal digits.
    private static func name(_ value: Span<UInt8>) -> [UInt8] {
        if let range = quoted(value, from: 0) { return [UInt8](value.extracting(range)) }
        if value.count > 0, value[0] == UInt8(ascii: "P"), let range = quoted(value, from: 1) {
            let name = NetworkFile.unescaped(value.extracting(range))
            return [UInt8](name.span)
        }
        return Hex.decode(word(value)) ?? []
    }

    /// `"passphrase"`, or a PSK in hexadecimal digits; nil for one that is kept elsewhere.
    private static func secret(_ value: Span<UInt8>) -> Secret? {
        if let range = quoted(value, from: 0) { return Secret(value.extracting(range)) }
        var end = 0
        while end < value.count, Hex.value(of: value[end]) != nil { end += 1 }
        return end == 64 ? Secret(value.extracting(0..<end)) : nil
    }

    private static let quote = UInt8(ascii: "\"")
}

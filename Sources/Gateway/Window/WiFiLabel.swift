internal import Base
package import Crypto

/// A Wi-Fi network and what lets a device in.
package struct WiFiCredentials: Equatable, Sendable {
    /// 1 ... 32 octets, often but not always UTF-8.
    package let ssid: [UInt8]
    /// Nil for an open network.
    package let passphrase: Secret?
    /// It does not announce its name.
    package let isHidden: Bool

    package init(ssid: [UInt8], passphrase: Secret?, isHidden: Bool = false) {
        self.ssid = ssid
        self.passphrase = passphrase
        self.isHidden = isHidden
    }
}

/// The text of a Wi-Fi label: `WIFI:T:WPA;S:name;P:passphrase;H:true;;`, as ZXing's
/// "Barcode Contents" describes it and phones print it.
enum WiFiLabel {
    private struct Fields {
        var type: Range<Int>?
        var ssid: Range<Int>?
        var passphrase: Range<Int>?
        var isHidden: Range<Int>?
        /// `E`: the label is for a network with accounts.
        var method: Range<Int>?

        /// Keys that are not known are passed over: labels of WPA3 have some for phones alone.
        mutating func put(_ range: Range<Int>, key: UInt8) throws(WiFiLabelError) {
            switch key {
            case UInt8(ascii: "T"): try Self.set(&type, range)
            case UInt8(ascii: "S"): try Self.set(&ssid, range)
            case UInt8(ascii: "P"): try Self.set(&passphrase, range)
            case UInt8(ascii: "H"): try Self.set(&isHidden, range)
            case UInt8(ascii: "E"): try Self.set(&method, range)
            default: break
            }
        }

        private static func set(
            _ field: inout Range<Int>?, _ range: Range<Int>
        ) throws(WiFiLabelError) {
            guard field == nil else { throw .malformed }
            field = range
        }
    }

    private enum Security { case open, wpa, sae }

    /// - Parameter text: behind `WIFI:`.
    static func parse(_ text: Span<UInt8>) throws(WiFiLabelError) -> WiFiCredentials {
        let fields = try fields(text)
        let security = try security(text, fields)
        guard let ssid = fields.ssid else { throw .noSSID }
        let name = [UInt8](value(text, ssid).span)
        guard !name.isEmpty else { throw .noSSID }
        guard name.count <= WindowLimits.ssidBytes else { throw .ssidTooLong }
        var passphrase: Secret?
        if security != .open {
            let secret = fields.passphrase.map { value(text, $0) }
            guard let secret, secret.count > 0 else { throw .noPassphrase }
            guard isPassphrase(secret.span, security) else { throw .passphraseLength }
            passphrase = secret
        }
        let isHidden = fields.isHidden.map { isEqual(text, $0, "TRUE") } ?? false
        return WiFiCredentials(ssid: name, passphrase: passphrase, isHidden: isHidden)
    }

    /// Where each field's value stands. A field without its `;` was cut off.
    private static func fields(_ text: Span<UInt8>) throws(WiFiLabelError) -> Fields {
        var fields = Fields()
        var index = 0
        while index < text.count {
            if text[index] == semicolon {
                index += 1
                continue
            }
            guard index + 1 < text.count, text[index + 1] == colon else { throw .malformed }
            let key = ASCII.upper(text[index])
            let start = index + 2
            var end = start
            while end < text.count, text[end] != semicolon {
                end += text[end] == backslash ? 2 : 1
            }
            guard end < text.count else { throw .cutOff }
            try fields.put(start..<end, key: key)
            index = end + 1
        }
        return fields
    }

    private static func security(
        _ text: Span<UInt8>, _ fields: Fields
    ) throws(WiFiLabelError) -> Security {
        guard let type = fields.type, !type.isEmpty else {
            return fields.passphrase.map { $0.isEmpty ? .open : .wpa } ?? .open
        }
        if fields.method != nil { throw .enterprise }
        for name in ["WPA", "WPA2", "WPA/WPA2", "WPA2/WPA3"] where isEqual(text, type, name) {
            return .wpa
        }
        for name in ["SAE", "WPA3"] where isEqual(text, type, name) { return .sae }
        if isEqual(text, type, "NOPASS") { return .open }
        for name in ["WPA2-EAP", "WPA-EAP", "WPA3-EAP", "EAP"] where isEqual(text, type, name) {
            throw .enterprise
        }
        if isEqual(text, type, "WEP") { throw .wep }
        throw .unknownSecurity
    }

    /// IEEE 802.11 §J.4: a passphrase, or the key itself; SAE has no least length.
    private static func isPassphrase(_ text: Span<UInt8>, _ security: Security) -> Bool {
        let longest = WindowLimits.passphraseBytes.upperBound
        if security == .sae { return text.count <= longest }
        if WindowLimits.passphraseBytes.contains(text.count) { return true }
        guard text.count == WindowLimits.wpaKeyDigits else { return false }
        for index in text.indices {
            let octet = ASCII.upper(text[index])
            guard (0x30...0x39).contains(octet) || (0x41...0x46).contains(octet) else {
                return false
            }
        }
        return true
    }

    /// Without its backslashes, and without the quotes that keep a name from looking like
    /// hexadecimal.
    private static func value(_ text: Span<UInt8>, _ range: Range<Int>) -> Secret {
        var range = range
        let isQuoted =
            range.count >= 2 && text[range.lowerBound] == quote
            && text[range.upperBound - 1] == quote && text[range.upperBound - 2] != backslash
        if isQuoted { range = range.lowerBound + 1..<range.upperBound - 1 }
        var count = 0
        var index = range.lowerBound
        while index < range.upperBound {
            index += text[index] == backslash ? 2 : 1
            count += 1
        }
        return Secret(count: count) { octets in
            var index = range.lowerBound
            for place in 0..<count {
                if text[index] == backslash, index + 1 < range.upperBound { index += 1 }
                octets[place] = text[index]
                index += 1
            }
        }
    }

    private static func isEqual(
        _ text: Span<UInt8>, _ range: Range<Int>, _ name: String
    ) -> Bool {
        guard range.count == name.utf8.count else { return false }
        var index = range.lowerBound
        for octet in name.utf8 {
            guard ASCII.upper(text[index]) == octet else { return false }
            index += 1
        }
        return true
    }

    private static let semicolon = UInt8(ascii: ";")
    private static let colon = UInt8(ascii: ":")
    private static let backslash = UInt8(ascii: "\\")
    private static let quote = UInt8(ascii: "\"")
}

/// Why a Wi-Fi label gives no network that devices can join.
package enum WiFiLabelError: Error, Hashable, Sendable {
    /// Not `KEY:VALUE;` after one another, or a key twice.
    case malformed
    /// The last field has no end.
    case cutOff
    case noSSID
    case ssidTooLong
    case noPassphrase
    /// Neither 8 ... 63 octets nor 64 hexadecimal digits.
    case passphraseLength
    /// WPA2-EAP: everyone has an account of their own there.
    case enterprise
    case wep
    case unknownSecurity
}

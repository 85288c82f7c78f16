internal import Base
internal import Crypto
internal import Matter

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

    /// - Parameter text: behind `WIFI:`.
    static func parse(_ text: Span<UInt8>) throws(WiFiLabelError) -> WiFiNetworkCredentials {
        let fields = try fields(text)
        let isOpen = try isOpen(text, fields)
        let ssid = fields.ssid.map { value(text, $0) }
        guard let ssid, ssid.count > 0 else { throw .noSSID }
        guard ssid.count <= Limits.ssidBytes.upperBound else { throw .ssidTooLong }
        let isHidden = fields.isHidden.map { isEqual(text, $0, "TRUE") } ?? false
        var passphrase: Secret?
        if !isOpen {
            passphrase = fields.passphrase.map { value(text, $0) }
            guard let passphrase, passphrase.count > 0 else { throw .noPassphrase }
        }
        do throws(NetworkCredentialsError) {
            return try WiFiNetworkCredentials(
                ssid: ssid.span, passphrase: passphrase, isHidden: isHidden)
        } catch { throw .passphraseLength }
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

    private static func isOpen(
        _ text: Span<UInt8>, _ fields: Fields
    ) throws(WiFiLabelError) -> Bool {
        guard let type = fields.type, !type.isEmpty else {
            return fields.passphrase?.isEmpty ?? true
        }
        if fields.method != nil { throw .enterprise }
        let protections = ["WPA", "WPA2", "WPA/WPA2", "WPA2/WPA3", "SAE", "WPA3"]
        for name in protections where isEqual(text, type, name) { return false }
        if isEqual(text, type, "NOPASS") { return true }
        for name in ["WPA2-EAP", "WPA-EAP", "WPA3-EAP", "EAP"] where isEqual(text, type, name) {
            throw .enterprise
        }
        if isEqual(text, type, "WEP") { throw .wep }
        throw .unknownSecurity
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

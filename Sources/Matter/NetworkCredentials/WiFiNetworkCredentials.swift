internal import Base
package import Crypto

/// The Wi-Fi network that devices are to join. Core §11.9.7.3.
package struct WiFiNetworkCredentials: Equatable, Sendable {
    /// 1 ... 32 octets, by custom UTF-8.
    package let ssid: [UInt8]
    /// Empty for an open network, a WEP key, a passphrase, or a PSK as 64 hexadecimal digits.
    package let credentials: Secret
    /// The network does not announce its name: a device that sees it nowhere may be in its reach
    /// all the same.
    package let isHidden: Bool

    package init(
        ssid: Span<UInt8>, credentials: Secret, isHidden: Bool = false
    ) throws(NetworkCredentialsError) {
        guard Limits.ssidBytes.contains(ssid.count) else {
            throw .invalidSSIDLength(ssid.count)
        }
        switch credentials.count {
        // An open network; 40 bits of WEP (104 bits are among the rest); a passphrase.
        case 0, 5, Limits.passphraseBytes: break
        case Limits.pskDigits:
            let digits = credentials.span
            for index in digits.indices {
                guard Hex.value(of: digits[index]) != nil else { throw .invalidPSK }
            }
        default: throw .invalidPassphraseLength(credentials.count)
        }
        self.ssid = Array(ssid)
        self.credentials = credentials
        self.isHidden = isHidden
    }
}

extension Limits {
    /// IEEE 802.11 §9.4.2.2, without the wildcard of no octets.
    package static let ssidBytes = 1...32
    /// Octets of a passphrase of WPA to WPA3. IEEE 802.11 §J.4.
    package static let passphraseBytes = 8...63
    /// Hexadecimal digits of a PSK, which stands in a passphrase's place. IEEE 802.11 §J.4.
    package static let pskDigits = 64
    /// Octets of a Thread dataset. Core §11.9.7.4.
    package static let threadDatasetBytes = 1...254
    /// Octets of a Thread network's name. Thread 1.3 §8.10.1.17.
    package static let threadNameBytes = 1...16
}

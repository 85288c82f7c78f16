internal import CLinux
package import Crypto
package import Matter

/// The Wi-Fi network that the board itself is on, from the files of what keeps it there:
/// wpa_supplicant or NetworkManager.
///
/// libinih reads neither: it takes what follows a blank and a semicolon for a comment, which
/// cuts passphrases short, and leaves them in memory that nobody wipes.
package enum BoardNetwork {
    /// - Parameter ssid: takes the one of this name; nil is the one in use, or the only one.
    package static func find(
        _ ssid: [UInt8]?
    ) throws(BoardNetworkError) -> WiFiNetworkCredentials {
        try find(ssid, inUse: inUse(), below: "")
    }

    /// - Parameter root: what the paths begin with.
    static func find(
        _ ssid: [UInt8]?, inUse: [UInt8]?, below root: String
    ) throws(BoardNetworkError) -> WiFiNetworkCredentials {
        var files = ConfiguredNetworks()
        for folder in ["/etc", "/run"] {
            files.read(
                folder: "\(root)\(folder)/NetworkManager/system-connections",
                suffix: ".nmconnection", ConnectionProfile.networks)
        }
        // netplan makes the second kind at every start.
        for folder in ["/etc/wpa_supplicant", "/run/netplan"] {
            files.read(folder: root + folder, suffix: ".conf", SupplicantFile.networks)
        }
        var found = files.networks
        if let name = ssid ?? inUse { found.removeAll { $0.ssid != name } }
        guard let first = found.first else {
            if let (path, error) = files.unreadable { throw .notReadable(path: path, error) }
            throw ssid == nil ? .none : .noneNamed
        }
        guard found.allSatisfy({ $0.ssid == first.ssid }) else { throw .several }
        for network in found { if let credentials = network.credentials { return credentials } }
        throw .unusable(ssid: first.ssid, first.access)
    }

    /// The name of the network that a radio of this board is on.
    private static func inUse() -> [UInt8]? {
        let interfaces = (try? Folder.files(in: "/sys/class/net")) ?? []
        for path in interfaces where Files.exists(path + "/phy80211") {
            let name = path.split(separator: "/").last.map { String($0) } ?? ""
            var ssid = [UInt8](repeating: 0, count: Int(CLINUX_SSID))
            let count = unsafe clinux_network_name(name, &ssid)
            if count > 0 { return Array(ssid.prefix(Int(count))) }
        }
        return nil
    }
}

package enum BoardNetworkError: Error, Equatable {
    /// No file holds the one in use, or any.
    case none
    /// No file holds one of the name.
    case noneNamed
    /// Several, and which is in use is not known.
    case several
    /// What might hold it and may not be read by this user.
    case notReadable(path: String, Errno)
    /// It is there, and no device can be given it.
    case unusable(ssid: [UInt8], WiFiAccess)
}

/// What lets one into a network, as a file has it.
package enum WiFiAccess: Equatable, Sendable {
    case open
    /// Or a PSK's digits.
    case passphrase(Secret)
    /// Everyone has an account of their own there.
    case enterprise
    case wep
    /// The passphrase is kept elsewhere, or asked for.
    case notStored
}

struct ConfiguredNetwork: Equatable {
    var ssid: [UInt8] = []
    var isHidden = false
    var access = WiFiAccess.open

    /// Nil when no device can be given it.
    var credentials: WiFiNetworkCredentials? {
        let secret: Secret
        switch access {
        case .open: secret = Secret(count: 0) { _ in }
        case .passphrase(let passphrase):
            // A WEP key may be shorter, and is none of these.
            guard passphrase.count >= Matter.Limits.passphraseBytes.lowerBound else { return nil }
            secret = passphrase
        case .enterprise, .wep, .notStored: return nil
        }
        return try? WiFiNetworkCredentials(
            ssid: ssid.span, credentials: secret, isHidden: isHidden)
    }
}

/// What the files have, and the first that could not be read.
private struct ConfiguredNetworks {
    var networks: [ConfiguredNetwork] = []
    var unreadable: (String, Errno)?

    mutating func read(
        folder: String, suffix: String, _ parse: (Span<UInt8>) -> [ConfiguredNetwork]
    ) {
        let paths: [String]
        do throws(Errno) { paths = try Folder.files(in: folder) } catch {
            return note(folder, error)
        }
        for path in paths.prefix(Limits.networkFiles) where path.hasSuffix(suffix) {
            do throws(Errno) {
                let text = try Files.readSecret(path, limit: Limits.networkFileBytes)
                networks += parse(text.span)
            } catch { note(path, error) }
        }
    }

    private mutating func note(_ path: String, _ error: Errno) {
        if !error.isMissing, unreadable == nil { unreadable = (path, error) }
    }
}

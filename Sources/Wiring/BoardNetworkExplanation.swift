internal import Base
internal import Gateway
internal import LinuxIO

// Why the network that the board is on cannot be given to devices.

extension Explanation {
    init(_ error: BoardNetworkError) {
        let type = "wifi set SSID, and type its passphrase"
        switch error {
        case .none:
            self.init(
                .missingInput,
                "neither wpa_supplicant's nor NetworkManager's files hold a Wi-Fi network that this"
                    + " board is on", remedy: type)
        case .noneNamed:
            self.init(
                .missingInput,
                "neither wpa_supplicant's nor NetworkManager's files hold a network of this name",
                remedy: type)
        case .several:
            self.init(
                .missingInput, "this board has several Wi-Fi networks and is on none of them now",
                remedy: "say which: wifi set SSID --from-board")
        case .notReadable(let path, let error) where error.isRefused:
            self.init(
                .notPermitted, "\(path) may not be read by this user",
                remedy: "type sudo matter-gateway wifi set --from-board at a shell")
        case .notReadable(let path, let error):
            self.init(
                .operatingSystem, "\(path) cannot be read (\(error.description))",
                remedy: type)
        case .unusable(let ssid, let access):
            let name = "\"\(String(decoding: ssid, as: UTF8.self))\""
            switch access {
            case .enterprise:
                self.init(
                    .notPermitted,
                    "WPA-EAP: the network \(name) wants an account, which devices lack",
                    remedy: "give devices a network with a passphrase")
            case .wep:
                self.init(
                    .notPermitted, "WEP: the network \(name) has no protection worth the name",
                    remedy: "set the access point to WPA2 or WPA3")
            case .notStored:
                self.init(
                    .missingInput, "the passphrase of \(name) is not in the board's files",
                    remedy: type)
            case .open, .passphrase:
                self.init(
                    .malformedInput, "the passphrase of \(name) is none that devices take",
                    remedy: type)
            }
        }
    }
}

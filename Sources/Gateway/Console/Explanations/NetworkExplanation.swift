internal import Matter
package import MatterNode

// Why a device did not get onto its network, or was not reached over Bluetooth.

extension Explanation {
    init(_ failure: NetworkFailure) {
        switch failure {
        case .noCredentials(let wiFi, let thread):
            let kinds = [wiFi ? "Wi-Fi" : nil, thread ? "Thread" : nil].compactMap(\.self)
            let commands = [wiFi ? "wifi set" : nil, thread ? "thread set" : nil]
                .compactMap(\.self)
            self.init(
                .notConfigured,
                "it needs a \(kinds.joined(separator: " or ")) network, and none is set",
                remedy: "type \(commands.joined(separator: " or "))"
                    + (wiFi ? ", or scan a Wi-Fi label" : "") + ", and try again")
        case .refused(let technology, let status, let errorValue, let detail):
            let number = errorValue.map { " (\($0))" } ?? ""
            let detail = detail.isEmpty ? "" : " (\"\(detail)\")"
            self.init(technology, status, "\(number)\(detail)")
        }
    }

    /// Core §11.9.5.4.
    private init(
        _ technology: NetworkFailure.Technology,
        _ status: OpenEnum<NetworkCommissioning.NetworkingStatus>, _ detail: String
    ) {
        let isWiFi = technology == .wiFi
        let command = isWiFi ? "wifi set" : "thread set"
        switch status.known {
        case .authFailure:
            self.init(
                .notPermitted, "the network refuses its \(isWiFi ? "password" : "key")\(detail)",
                remedy: "\(command) the right one, and try again")
        case .networkNotFound, .networkIDNotFound:
            self.init(
                .unavailable, "it does not find the network\(detail)",
                remedy: isWiFi
                    ? "check the name, that it is in reach of the device, and that it is there on"
                        + " 2.4 GHz, for many devices have no other band"
                    : "check that the border router has power and is in reach of the device")
        case .unsupportedSecurity:
            self.init(
                .notPermitted, "it cannot join a network of that kind of security\(detail)",
                remedy: isWiFi
                    ? "let the access point offer WPA2 beside WPA3" : "see its leaflet")
        case .ipv6Failed, .ipBindFailed:
            self.init(
                .unavailable, "it joined the network and got no address there\(detail)",
                remedy: "see that the network has IPv6 and room for another device")
        case .boundsExceeded, .outOfRange, .duplicateNetworkID:
            self.init(
                .protocolViolation, "it does not take the network (\(status.name))\(detail)",
                remedy: Remedy.resetDevice)
        case .success, .regulatoryError, .otherConnectionFailure, .unknownError, nil:
            self.init(
                .unavailable, "it could not join the network (\(status.name))\(detail)",
                remedy: "check name and password, move it nearer, and try again")
        }
    }

    init(ofNetwork warning: CommissioningWarning) {
        switch warning {
        case .networkNotSeen(let isOf2GHzOnly):
            self.init(
                .unavailable, "the device does not see the network; it tries all the same",
                remedy: isOf2GHzOnly
                    ? "unless it is hidden, see that it is there on 2.4 GHz, for the device has no"
                        + " other band"
                    : "unless it is hidden, check its name and that it is in reach")
        case .networkSecurity(let isOpen):
            self.init(
                .notPermitted,
                isOpen
                    ? "the network is open, and a password is set for it"
                    : "the network wants a password, and none is set for it",
                remedy: "type wifi set if it does not join")
        case .networkWeak(let signalStrength):
            self.init(
                .unavailable, "the device hardly hears the network (\(signalStrength) dBm)",
                remedy: "move it, or an access point, nearer")
        case .bluetooth(.powerCycled(let failures)):
            self.init(
                .unavailable,
                "\(failures) connections over Bluetooth failed; the adapter was switched off"
                    + " and on",
                remedy: "the board's own Wi-Fi on 2.4 GHz is the likely cause: use its cable or"
                    + " 5 GHz, or move it nearer")
        case .otherNetworkWanted(let failure, let seconds):
            let cause = Explanation(failure)
            self.init(
                cause.kind, cause.cause,
                remedy: "the device waits \(seconds) s for another: scan a Wi-Fi label or type wifi"
                    + " set, or thread set; cancel gives it up")
        case .fabricLabelRefused, .fabricLabelFailed:
            preconditionFailure("it is explained where the label is")
        }
    }

    init(_ failure: BluetoothFailure) {
        switch failure {
        case .radio(let error): self.init(error)
        case .link(.disconnected), .link(.closed), .link(.btpClosed), .link(.gatt(.timeout)):
            self.init(
                .unavailable, "the Bluetooth link to the device broke",
                remedy: "move it nearer to this board and try again")
        case .link:
            self.init(
                .protocolViolation, "it speaks Bluetooth, but not as Matter wants",
                remedy: Remedy.restartDevice)
        }
    }

    package init(_ error: BluetoothError) {
        switch error {
        case .noAdapter:
            self.init(
                .notConfigured, "this board has no Bluetooth adapter",
                remedy: "plug one in, or see that the board's own is turned on")
        case .noKernelSupport:
            self.init(
                .notConfigured, "the system has no Bluetooth", remedy: "load its bluetooth module")
        case .notPermitted:
            self.init(
                .notConfigured, "the gateway may not use Bluetooth",
                remedy: "give it CAP_NET_ADMIN, as its service has")
        case .blocked:
            self.init(
                .notConfigured, "Bluetooth is switched off", remedy: "rfkill unblock bluetooth")
        case .noLowEnergy:
            self.init(
                .notConfigured, "the Bluetooth adapter does not speak Bluetooth LE",
                remedy: "use another adapter")
        case .cannotPower:
            self.init(
                .operatingSystem, "the Bluetooth adapter does not come up",
                remedy: "take it out and in again, or restart the board")
        case .inUse:
            self.init(
                .busy, "another program has the Bluetooth adapter",
                remedy: "end that program's search, or the program")
        case .connectionFailed(let reason):
            let number = reason.map { " (reason \($0))" } ?? ""
            self.init(
                .unavailable, "the device does not connect over Bluetooth\(number)",
                remedy: "move it nearer to this board, restart it and try again")
        case .timedOut:
            self.init(
                .unavailable, "the device does not answer over Bluetooth",
                remedy: "move it nearer to this board, restart it and try again")
        case .cancelled: self = .cancelled
        case .system(let errno):
            self.init(
                .operatingSystem, "the system refused Bluetooth (error \(errno))",
                remedy: Remedy.tryAgain)
        }
    }
}

extension BluetoothError {
    /// It is of one device and not of the radio.
    var isOfLink: Bool {
        switch self {
        case .connectionFailed, .timedOut, .cancelled: true
        case .noAdapter, .noKernelSupport, .notPermitted, .blocked, .noLowEnergy, .cannotPower,
            .inUse, .system:
            false
        }
    }
}

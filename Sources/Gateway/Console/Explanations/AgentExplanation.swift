internal import Matter

// What an installer scanned, and the board's button.

extension Explanation {
    package init(_ refusal: AgentEvent.Refusal) {
        switch refusal {
        case .windowClosed:
            self.init(
                .notPermitted, "window closed",
                remedy: "press the button, or type window open, and scan it again")
        case .notAPayload:
            self.init(
                .malformedInput, "this is no setup code and no label for installers",
                remedy: "scan the QR code with the Matter mark; commands are taken at a"
                    + " maintainer's console alone")
        case .faulty(let error): self.init(error)
        case .dropped(let fault): self.init(fault)
        case .notStored(let error): self.init(error)
        case .queueFull:
            self.init(
                .busy, "\(WindowLimits.waitingDevices) devices wait already",
                remedy: "scan it again when some are added")
        }
    }

    package init(_ error: InstallerLineError) {
        switch error {
        case .payload(let error): self.init(error)
        case .wiFi(let error): self.init(error)
        case .label(isTooLong: true):
            self.init(
                .malformedInput,
                "the label has more than \(ConsoleLimits.labelBytes) octets",
                remedy: "print a shorter one")
        case .label(isTooLong: false):
            self.init(
                .malformedInput, "the label holds control characters", remedy: "print another")
        }
    }

    package init(_ fault: SerialCodes.Fault) {
        switch fault {
        case .tooLong:
            self.init(
                .malformedInput, "the line is longer than any setup code",
                remedy: "scan one code at a time, and let the scanner end each with a line end")
        case .binary:
            self.init(
                .malformedInput, "the line is no text",
                remedy: "check the scanner's settings, and the speed of its line")
        case .tooMany:
            self.init(
                .busy, "lines came too fast and some were lost", remedy: "scan them again")
        }
    }

    package init(_ error: WiFiLabelError) {
        switch error {
        case .malformed, .cutOff, .unknownSecurity:
            self.init(
                .malformedInput, "the Wi-Fi label is \(Self.fault(error))",
                remedy: "scan it again, or print it anew")
        case .noSSID:
            self.init(
                .malformedInput, "the Wi-Fi label names no network", remedy: "print it anew")
        case .ssidTooLong:
            self.init(
                .malformedInput,
                "the network's name has more than \(Limits.ssidBytes.upperBound) octets",
                remedy: "print the label anew")
        case .noPassphrase:
            self.init(
                .malformedInput, "the Wi-Fi label has no passphrase", remedy: "print it anew")
        case .passphraseLength:
            let lengths = Limits.passphraseBytes
            self.init(
                .malformedInput,
                "the passphrase on the Wi-Fi label is not of \(lengths.lowerBound) to"
                    + " \(lengths.upperBound) characters",
                remedy: "compare it with the access point's, and print the label anew")
        case .enterprise:
            self.init(
                .notPermitted, "WPA2-EAP: this network wants an account, which devices lack",
                remedy: "scan the label of a network with a passphrase")
        case .wep:
            self.init(
                .notPermitted, "WEP: this network's protection is none",
                remedy: "set the access point to WPA2 or WPA3")
        }
    }

    private static func fault(_ error: WiFiLabelError) -> String {
        switch error {
        case .cutOff: "cut off"
        case .unknownSecurity: "of a kind of protection unknown here"
        default: "damaged"
        }
    }

    package init(_ fault: ButtonWindow.Fault) {
        switch fault {
        case .heldAtStart:
            self.init(
                .operatingSystem, "the button was down at the start",
                remedy: "let it go, or see its wiring")
        case .stuck:
            self.init(
                .operatingSystem, "the button is stuck",
                remedy: "let it go, or see its wiring")
        }
    }

    static let noAgent = Explanation(
        .unavailable, "no agent runs here",
        remedy: "start it: matter-gateway run, or systemctl start matter-gateway")

    static func noConsole(hasAgent: Bool) -> Explanation { hasAgent ? isConsole : noAgent }

    static let runsAlready = Explanation(
        .usage, "it runs already", remedy: "help lists what can be typed here")
}

internal import Base
internal import MatterNode

/// The keys of the configuration file as data: reading it and its example are driven by it.
package enum ConfigurationKey: String, CaseIterable, Sendable {
    case state
    case interface
    case paa
    case allowTestDevices = "allow-test-devices"
    case windowSeconds = "window-seconds"
    case buttonReset = "button-factory-reset"
    case logLevel = "log-level"
    // What is wired to the board, by the words of the options (`BoardKey`).
    case button
    case lamp
    case faultLamp = "fault-lamp"
    case buzzer
    case scanner
    case keyboard
    case console
    // The broker (`MQTTConfiguration`).
    case mqttBroker = "mqtt-broker"
    case mqttCA = "mqtt-ca"
    case mqttCertificate = "mqtt-certificate"
    case mqttKey = "mqtt-key"
    case mqttUser = "mqtt-user"
    case mqttPasswordFile = "mqtt-password-file"
    case mqttName = "mqtt-name"
    case mqttDiscovery = "mqtt-discovery"
    case mqttCommands = "mqtt-commands"

    /// Of what is wired to the board; nil for the other keys.
    package var boardKey: BoardKey? { BoardKey(rawValue: rawValue) }

    /// Those that may have several lines.
    package var isRepeatable: Bool {
        switch self {
        case .interface, .paa: true
        case .state, .allowTestDevices, .windowSeconds, .buttonReset, .logLevel: false
        case .mqttBroker, .mqttCA, .mqttCertificate, .mqttKey, .mqttUser, .mqttPasswordFile,
            .mqttName, .mqttDiscovery, .mqttCommands:
            false
        case .button, .lamp, .faultLamp, .buzzer, .scanner, .keyboard, .console:
            boardKey?.isRepeatable ?? false
        }
    }

    /// Whether a running service takes a changed value over when it reads the file again.
    package var isReloadable: Bool {
        switch self {
        case .windowSeconds, .buttonReset, .logLevel: true
        case .state, .interface, .paa, .allowTestDevices: false
        case .mqttBroker, .mqttCA, .mqttCertificate, .mqttKey, .mqttUser, .mqttPasswordFile,
            .mqttName, .mqttDiscovery, .mqttCommands:
            false
        case .button, .lamp, .faultLamp, .buzzer, .scanner, .keyboard, .console: false
        }
    }

    /// What holds where it is not given; nil where that cannot be written as a value.
    package var standard: String? {
        switch self {
        case .state: Configuration.standardState
        case .interface, .paa: nil
        case .button, .lamp, .faultLamp, .buzzer, .scanner, .keyboard, .console: nil
        case .mqttBroker, .mqttCA, .mqttCertificate, .mqttKey, .mqttUser, .mqttPasswordFile,
            .mqttName:
            nil
        case .mqttDiscovery: "yes"
        case .mqttCommands: MQTTConfiguration.Commands.none.rawValue
        case .allowTestDevices: "no"
        case .windowSeconds: "\(WindowLimits.openSecondsDefault)"
        case .buttonReset: "yes"
        case .logLevel: LogLevel.info.word
        }
    }

    /// A value that shows its form.
    var sample: String {
        switch self {
        case .interface: "eth0"
        case .paa: "/etc/matter-gateway/authorities"
        case .state, .allowTestDevices, .windowSeconds, .buttonReset, .logLevel:
            standard ?? ""
        case .button: "GPIO17,active-low,pull-up"
        case .lamp: "GPIO27"
        case .faultLamp: "led:ACT"
        case .buzzer: "GPIO23"
        case .scanner: "/dev/ttyACM0"
        case .keyboard: "/dev/input/by-id/usb-scanner-event-kbd"
        case .console: "/dev/ttyAMA0,115200"
        case .mqttBroker: "mqtts://broker.example"
        case .mqttCA: "/etc/matter-gateway/broker-ca.pem"
        case .mqttCertificate: "/etc/matter-gateway/mqtt.pem"
        case .mqttKey: "/etc/matter-gateway/mqtt.key"
        case .mqttUser: "gateway"
        case .mqttPasswordFile: "/etc/matter-gateway/mqtt.password"
        case .mqttName: "cellar"
        case .mqttDiscovery, .mqttCommands: standard ?? ""
        }
    }

    /// Lines of the example file.
    var documentation: [String] {
        switch self {
        case .state:
            [
                "The state file: keys of the fabric, devices, events. An absolute path; the",
                "installed service may write in /var/lib/matter-gateway alone.",
            ]
        case .interface:
            [
                "A network interface to use, one in each line.",
                "Without any: all that are up and can do multicast over IPv6.",
            ]
        case .paa:
            [
                "A folder with certificates of further authorities that devices may lead to, DER",
                "or PEM, one in each line. An absolute path.",
            ]
        case .allowTestDevices:
            ["Trust test certificates too: yes or no. For development only."]
        case .windowSeconds:
            [
                "How long the commissioning window stays open after the last accepted code:"
                    + " \(WindowLimits.openSeconds.lowerBound) to"
                    + " \(WindowLimits.openSeconds.upperBound)."
            ]
        case .buttonReset:
            [
                "Whether holding the button for ten seconds arms a factory reset: yes or no.",
                "No where anybody can reach the button.",
            ]
        case .logLevel: ["What is logged: \(Configuration.levels)."]
        case .button:
            [
                "The button's GPIO line: its name, or CHIP:NUMBER, where CHIP is a label or a name",
                "such as gpiochip0; behind it active-low, pull-up, pull-down or no-bias. Without",
                "one a console opens the window.",
            ]
        case .lamp: ["The lamp: a GPIO line, or led:NAME for an LED of /sys/class/leds."]
        case .faultLamp: ["A second lamp, for what went wrong."]
        case .buzzer: ["A GPIO line that sounds while it is active."]
        case .scanner:
            [
                "A scanner at a serial line, one in each line; behind a comma its speed if it is",
                "not \(SerialSettings.usualSpeed) bit/s. It gives codes and labels, nothing else.",
            ]
        case .keyboard: ["A scanner that is a keyboard, its input device, one in each line."]
        case .console:
            [
                "A serial line with a console for maintainers, one in each line. It asks for no",
                "login: who can reach the line controls everything.",
            ]
        case .mqttBroker:
            [
                "An MQTT broker that is told what devices measure: NAME, NAME:PORT, or",
                "mqtts://NAME for TLS, which is verified by that name. Without one there is",
                "no MQTT.",
            ]
        case .mqttCA:
            ["Certificates that the broker's may lead to, PEM. Without one: the system's."]
        case .mqttCertificate:
            ["The certificate by which the broker knows this gateway, PEM, and its key."]
        case .mqttKey: ["Its key, PEM, without a passphrase, readable for the service alone."]
        case .mqttUser: ["The user as which the broker knows this gateway."]
        case .mqttPasswordFile:
            ["A file with that user's password in one line, readable for the service alone."]
        case .mqttName:
            [
                "What this gateway is called in topics: matter-gateway/NAME. Letters, digits, -, _",
                "and . Without one: a number that is its own.",
            ]
        case .mqttDiscovery:
            ["Whether devices appear in Home Assistant by themselves: yes or no."]
        case .mqttCommands:
            [
                "What may be asked over MQTT: none, control (switch and set devices), commission",
                "(also add devices; over TLS and with a user or certificate of its own only).",
            ]
        }
    }
}

extension ConfigurationKey {
    /// The file that is installed: every key with its documentation, none of them set.
    package static var example: String {
        var text = """
            # Configuration of matter-gateway: /etc/matter-gateway.conf
            #
            # key = value. Lines that begin with # are comments, and so is what follows a blank
            # and a ; behind a value. What is commented out here shows the default, where there
            # is one. Options of the command line win over this file. Lines with "reload" are
            # taken over by `systemctl reload matter-gateway`, the others at the next start.

            """
        for key in allCases {
            text += "\n"
            for line in key.documentation { text += "# \(line)\n" }
            if key.isReloadable { text += "# (reload)\n" }
            text += "#\(key.rawValue) = \(key.sample)\n"
        }
        return text
    }
}

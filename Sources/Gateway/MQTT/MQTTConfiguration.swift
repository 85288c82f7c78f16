internal import Base
package import MatterNode

/// What the configuration file says about MQTT; nothing is done without a broker.
package struct MQTTConfiguration: Equatable, Sendable {
    /// What may be asked over the broker.
    package enum Commands: String, CaseIterable, Sendable {
        case none
        /// Switching and setting devices.
        case control
        /// Adding devices as well.
        case commission
    }

    package private(set) var host: String?
    package private(set) var port: UInt16?
    package private(set) var usesTLS = false
    package private(set) var authorities: String?
    package private(set) var certificate: String?
    package private(set) var key: String?
    package private(set) var user: String?
    package private(set) var passwordFile: String?
    package private(set) var name: String?
    package private(set) var discovers = true
    package private(set) var commands = Commands.none

    package init() {}

    /// Nil where there is to be no MQTT.
    package var broker: BrokerSettings? {
        guard let host else { return nil }
        var settings = BrokerSettings(
            host: host, port: port ?? (usesTLS ? 8883 : 1883), usesTLS: usesTLS)
        settings.authorities = authorities
        settings.certificate = certificate
        settings.key = key
        settings.user = user
        settings.passwordFile = passwordFile
        return settings
    }

    package enum Fault: Error, Equatable {
        case notABroker(EchoedWord)
        case notAPath(EchoedWord)
        case notAName(EchoedWord)
        case notYesOrNo(EchoedWord)
        case notCommands(EchoedWord)
        /// It means nothing without the other key.
        case needs(ConfigurationKey)
        /// It means nothing over a connection that is not encrypted.
        case needsTLS
        /// Nobody would know who asks.
        case needsCredentials
    }

    package mutating func set(_ key: ConfigurationKey, _ value: String) throws(Fault) {
        switch key {
        case .mqttBroker: try setBroker(value)
        case .mqttCA: authorities = try Self.path(value)
        case .mqttCertificate: certificate = try Self.path(value)
        case .mqttKey: self.key = try Self.path(value)
        case .mqttUser:
            guard value.utf8.count <= MQTTLimits.userOctets,
                value.unicodeScalars.allSatisfy(\.isPlain)
            else { throw .notAName(EchoedWord(value)) }
            user = value
        case .mqttPasswordFile: passwordFile = try Self.path(value)
        case .mqttName:
            guard Self.isName(value) else { throw .notAName(EchoedWord(value)) }
            name = value
        case .mqttDiscovery:
            guard value == "yes" || value == "no" else { throw .notYesOrNo(EchoedWord(value)) }
            discovers = value == "yes"
        case .mqttCommands:
            guard let commands = Commands(rawValue: value) else {
                throw .notCommands(EchoedWord(value))
            }
            self.commands = commands
        default: preconditionFailure("the other keys are not MQTT's")
        }
    }

    /// What does not go together, and at which key it is said.
    var conflict: (ConfigurationKey, Fault)? {
        if host == nil {
            let given = ConfigurationKey.allCases.first { key in
                key != .mqttBroker && value(of: key) != MQTTConfiguration().value(of: key)
            }
            return given.map { ($0, .needs(.mqttBroker)) }
        }
        if !usesTLS {
            if authorities != nil { return (.mqttCA, .needsTLS) }
            if certificate != nil { return (.mqttCertificate, .needsTLS) }
            if key != nil { return (.mqttKey, .needsTLS) }
            if commands == .commission { return (.mqttCommands, .needsTLS) }
        }
        if certificate != nil, key == nil { return (.mqttCertificate, .needs(.mqttKey)) }
        if key != nil, certificate == nil { return (.mqttKey, .needs(.mqttCertificate)) }
        if passwordFile != nil, user == nil { return (.mqttPasswordFile, .needs(.mqttUser)) }
        if commands == .commission, certificate == nil, passwordFile == nil {
            return (.mqttCommands, .needsCredentials)
        }
        return nil
    }

    /// As text, to be compared.
    func value(of key: ConfigurationKey) -> String? {
        switch key {
        case .mqttBroker: host.map { "\(usesTLS) \($0) \(port ?? 0)" }
        case .mqttCA: authorities
        case .mqttCertificate: certificate
        case .mqttKey: self.key
        case .mqttUser: user
        case .mqttPasswordFile: passwordFile
        case .mqttName: name
        case .mqttDiscovery: "\(discovers)"
        case .mqttCommands: commands.rawValue
        default: nil
        }
    }

    // MARK: Words

    /// `HOST`, `HOST:PORT`, `[ADDRESS]:PORT`, each behind `mqtt://` or `mqtts://` or neither.
    private mutating func setBroker(_ value: String) throws(Fault) {
        let fault = Fault.notABroker(EchoedWord(value))
        var rest = Substring(value)
        usesTLS = rest.hasPrefix("mqtts://")
        if usesTLS {
            rest = rest.dropFirst(8)
        } else if rest.hasPrefix("mqtt://") {
            rest = rest.dropFirst(7)
        }
        var digits: Substring?
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { throw fault }
            let behind = rest[rest.index(after: end)...]
            let address = rest[rest.index(after: rest.startIndex)..<end]
            guard IPAddress(String(address))?.isIPv4 == false else { throw fault }
            rest = address
            if !behind.isEmpty {
                guard behind.first == ":" else { throw fault }
                digits = behind.dropFirst()
            }
        } else if let colon = rest.firstIndex(of: ":") {
            digits = rest[rest.index(after: colon)...]
            rest = rest[..<colon]
        }
        if let digits {
            guard let number = Words.number(Array(digits.utf8)), (1...65_535).contains(number)
            else { throw fault }
            port = UInt16(number)
        }
        guard Self.isHost(rest) else { throw fault }
        host = String(rest)
    }

    /// A name of the DNS, or an address.
    private static func isHost(_ text: Substring) -> Bool {
        (1...253).contains(text.utf8.count) && text.first != "-"
            && text.utf8.allSatisfy { isLetterOrDigit($0) || "-._:%".utf8.contains($0) }
    }

    private static func isName(_ text: String) -> Bool {
        (1...MQTTLimits.nameOctets).contains(text.utf8.count)
            && text.utf8.allSatisfy { isLetterOrDigit($0) || "-._".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    private static func path(_ value: String) throws(Fault) -> String {
        guard Configuration.isPath(value) else { throw .notAPath(EchoedWord(value)) }
        return value
    }
}

extension MQTTConfiguration.Fault {
    /// Behind the key.
    var cause: String {
        switch self {
        case .notABroker(let word): "cannot be \(word.text)"
        case .notAPath(let word): "is no path: \(word.text)"
        case .notAName(let word): "cannot be \(word.text)"
        case .notYesOrNo(let word), .notCommands(let word): "cannot be \(word.text)"
        case .needs(let key): "means nothing without \(key.rawValue)"
        case .needsTLS: "means nothing without TLS"
        case .needsCredentials: "commission lets anybody in"
        }
    }

    var remedy: String {
        switch self {
        case .notABroker: "write NAME, NAME:PORT or mqtts://NAME"
        case .notAPath: "begin it with /"
        case .notAName: "write letters, digits, -, _ and ., at most \(MQTTLimits.nameOctets)"
        case .notYesOrNo: "write yes or no"
        case .notCommands: "write none, control or commission"
        case .needs(let key): "add \(key.rawValue), or take it away"
        case .needsTLS: "write mqtt-broker = mqtts://NAME"
        case .needsCredentials:
            "add mqtt-certificate and mqtt-key, or mqtt-user and mqtt-password-file"
        }
    }
}

extension ConfigurationFault {
    /// Of which key it is, where it is known to be of one.
    package var key: ConfigurationKey? {
        switch self {
        case .twice(let key), .empty(let key), .notAPath(let key, _), .notYesOrNo(let key, _),
            .outOfRange(let key, _), .board(let key, _), .mqtt(let key, _):
            key
        case .unknownKey, .notAnInterface, .notALevel: nil
        }
    }
}

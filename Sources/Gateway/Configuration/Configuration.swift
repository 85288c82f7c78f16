package import Base
package import MatterNode

/// What the configuration file says; what it leaves out is the default.
package struct Configuration: Equatable, Sendable {
    /// Where it is looked for when no other is named.
    package static let standardPath = "/etc/matter-gateway.conf"
    /// Where the installed service keeps its state.
    package static let standardState = "/var/lib/matter-gateway/gateway.db"

    package private(set) var state: String?
    package private(set) var interfaces: [String] = []
    package private(set) var authorities: [String] = []
    package private(set) var allowsTestDevices = false
    package private(set) var windowSeconds: Int?
    package private(set) var allowsButtonReset = true
    package private(set) var logLevel = LogLevel.info
    package private(set) var board = BoardSettings.none
    package private(set) var mqtt = MQTTConfiguration()

    private var given: Set<ConfigurationKey> = []

    package init() {}

    /// Takes one line of the file.
    package mutating func set(_ word: String, _ value: String) throws(ConfigurationFault) {
        guard let key = ConfigurationKey(rawValue: word) else {
            let nearest = Nearest.match(
                word, among: ConfigurationKey.allCases, spelling: \.rawValue)
            throw .unknownKey(EchoedWord(word), nearest: nearest)
        }
        let isNew = given.insert(key).inserted
        guard isNew || key.isRepeatable else { throw .twice(key) }
        guard !value.isEmpty else { throw .empty(key) }
        switch key {
        case .state: state = try Self.path(value, of: key)
        case .interface:
            guard value.utf8.count <= Self.interfaceBytes,
                value.unicodeScalars.allSatisfy(\.isPlain),
                !value.contains(where: { $0 == "/" || $0 == " " })
            else { throw .notAnInterface(EchoedWord(value)) }
            interfaces.append(value)
        case .paa: authorities.append(try Self.path(value, of: key))
        case .allowTestDevices: allowsTestDevices = try Self.answer(value, of: key)
        case .windowSeconds:
            windowSeconds = try Self.number(value, in: WindowLimits.openSeconds, of: key)
        case .buttonReset: allowsButtonReset = try Self.answer(value, of: key)
        case .logLevel:
            guard let level = LogLevel(word: value) else {
                throw .notALevel(EchoedWord(value))
            }
            logLevel = level
        case .button, .lamp, .faultLamp, .buzzer, .scanner, .keyboard, .console:
            guard let part = key.boardKey else { return }
            do throws(BoardFault) { try board.set(part, value) } catch {
                throw .board(key, error)
            }
        case .mqttBroker, .mqttCA, .mqttCertificate, .mqttKey, .mqttUser, .mqttPasswordFile,
            .mqttName, .mqttDiscovery, .mqttCommands:
            do throws(MQTTConfiguration.Fault) { try mqtt.set(key, value) } catch {
                throw .mqtt(key, error)
            }
        }
    }

    /// What only the whole of the file shows.
    package func check() throws(ConfigurationFault) {
        if let (key, fault) = mqtt.conflict { throw .mqtt(key, fault) }
    }

    /// The keys in which the two differ.
    package func changes(to other: Configuration) -> [ConfigurationKey] {
        ConfigurationKey.allCases.filter { key in
            switch key {
            case .state: state != other.state
            case .interface: interfaces != other.interfaces
            case .paa: authorities != other.authorities
            case .allowTestDevices: allowsTestDevices != other.allowsTestDevices
            case .windowSeconds: windowSeconds != other.windowSeconds
            case .buttonReset: allowsButtonReset != other.allowsButtonReset
            case .logLevel: logLevel != other.logLevel
            case .button: board.button != other.board.button
            case .lamp: board.workLamp != other.board.workLamp
            case .faultLamp: board.faultLamp != other.board.faultLamp
            case .buzzer: board.buzzer != other.board.buzzer
            case .scanner: board.scanners != other.board.scanners
            case .keyboard: board.keyboards != other.board.keyboards
            case .console: board.consoles != other.board.consoles
            case .mqttBroker, .mqttCA, .mqttCertificate, .mqttKey, .mqttUser, .mqttPasswordFile,
                .mqttName, .mqttDiscovery, .mqttCommands:
                mqtt.value(of: key) != other.mqtt.value(of: key)
            }
        }
    }

    /// - Parameter seconds: how long the command line lets a window stay open, which wins.
    package func window(seconds: Int?) -> ButtonWindow.Settings {
        var settings = ButtonWindow.Settings()
        settings.openSeconds = seconds ?? windowSeconds ?? settings.openSeconds
        settings.allowsFactoryReset = allowsButtonReset
        return settings
    }

    /// A service has no folder of its own that a path could begin in.
    private static func path(
        _ value: String, of key: ConfigurationKey
    ) throws(ConfigurationFault) -> String {
        guard isPath(value) else {
            throw .notAPath(key, EchoedWord(value))
        }
        return value
    }

    static func isPath(_ value: String) -> Bool {
        value.hasPrefix("/") && value.unicodeScalars.allSatisfy(\.isPlain)
    }

    private static func answer(
        _ value: String, of key: ConfigurationKey
    ) throws(ConfigurationFault) -> Bool {
        switch value {
        case "yes": true
        case "no": false
        default: throw .notYesOrNo(key, EchoedWord(value))
        }
    }

    private static func number(
        _ value: String, in range: ClosedRange<Int>, of key: ConfigurationKey
    ) throws(ConfigurationFault) -> Int {
        guard let number = Words.number(Array(value.utf8)), range.contains(number) else {
            throw .outOfRange(key, range)
        }
        return number
    }

    static var levels: String { LogLevel.allCases.map(\.word).joined(separator: ", ") }

    /// Octets of an interface's name, IFNAMSIZ without its end.
    private static let interfaceBytes = 15
}

/// What is wrong with a line of the file.
package enum ConfigurationFault: Error, Equatable {
    case unknownKey(EchoedWord, nearest: ConfigurationKey?)
    case twice(ConfigurationKey)
    case empty(ConfigurationKey)
    /// Not an absolute one.
    case notAPath(ConfigurationKey, EchoedWord)
    case notAnInterface(EchoedWord)
    case notYesOrNo(ConfigurationKey, EchoedWord)
    case outOfRange(ConfigurationKey, ClosedRange<Int>)
    case notALevel(EchoedWord)
    case board(ConfigurationKey, BoardFault)
    case mqtt(ConfigurationKey, MQTTConfiguration.Fault)
}

extension GlobalOptions {
    /// The options with what the file says wherever they leave it open.
    package func completed(by configuration: Configuration) -> GlobalOptions {
        var options = self
        options.state = state ?? configuration.state
        if interfaces.isEmpty { options.interfaces = configuration.interfaces }
        if authorities.isEmpty { options.authorities = configuration.authorities }
        options.allowsTestDevices = allowsTestDevices || configuration.allowsTestDevices
        return options
    }
}

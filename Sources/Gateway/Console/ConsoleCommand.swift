package import Base
package import Crypto
package import Matter
package import MatterNode

/// What a person wants, free of the words it was said in.
package enum ConsoleCommand: Equatable, Sendable {
    /// About all commands, or about one.
    case help(CommandName?)
    case version
    case pair(PairRequest)
    /// Those that have the text in anything that `devices` shows of them; nil is all.
    /// - Parameter asking: which to keep by their answer; nil asks none.
    case devices(filter: String?, asking: PresenceQuery? = nil)
    /// - Parameter isStored: without asking it.
    case show(NodeSelector, isStored: Bool = false)
    case history(NodeSelector, HistoryQuestion)
    /// An empty text takes the name away; likewise for the room.
    case name(NodeSelector, String)
    case room(NodeSelector, String)
    case rooms
    /// No paths: what a person wants to know of the device.
    case read(NodeSelector, [AttributePath])
    /// The value as typed; what it means depends on the attribute.
    case write(NodeSelector, ConcreteAttributePath, value: String)
    case on(NodeSelector)
    case off(NodeSelector)
    case toggle(NodeSelector)
    /// In percent; how many seconds it may take, nil leaves that to the device.
    case level(NodeSelector, Int, over: Int?)
    case thermostat(NodeSelector, ThermostatOrder)
    case fan(NodeSelector, FanOrder)
    /// 0 seconds end it.
    case identify(NodeSelector, seconds: Int)
    case fabrics(NodeSelector)
    /// Opens a device for others for so long.
    case share(NodeSelector, seconds: Int)
    case stopSharing(NodeSelector)
    case labels([InstallerLabel])
    case authorities
    /// A file of certificates, or a folder of such files.
    case addAuthorities(path: String)
    case removeAuthority(keyID: FixedBytes<20>)
    case discover(seconds: Int)
    case alert(AlertOrder)
    case poll(NodeSelector, PollOrder)
    case prepare
    case doctor
    /// - Parameters:
    ///   - isForced: forget it here even when the device cannot be told.
    ///   - isConfirmed: without the word that is asked for otherwise.
    case remove(NodeSelector, isForced: Bool, isConfirmed: Bool)
    /// The second takes the first one's place.
    case replace(NodeSelector, PairRequest, isConfirmed: Bool)
    case selfTest
    case tlv([UInt8])
    /// - Parameters:
    ///   - seconds: how long a window stays open; nil is the setting.
    ///   - pollSeconds: after which a silent device is asked, and readings are shown; nil is the
    ///     setting, and shows none.
    case run(seconds: Int?, pollSeconds: Int?, board: BoardSettings = .none)
    case window(WindowAction)
    case status
    /// - Parameter isLive: until the user quits, where there is a terminal; else once.
    case dashboard(isLive: Bool)
    /// - Parameter level: nil shows it.
    case log(LogLevel?)
    /// Lines to the agent and what goes on, until either ends.
    case console
    case cancel
    case wiFi(WiFiOrder)
    case thread(ThreadOrder)
    /// The PIN of the serial consoles.
    case setPIN
    case clearPIN
    /// - Parameter value: nil shows it; empty sets it back.
    case settings(SettingKey?, value: String?)
    /// - Parameter isForced: also when the file is there already.
    case backup(file: String, isForced: Bool, isConfirmed: Bool)
    /// - Parameter isForced: also in the place of another fabric with devices.
    case restore(file: String, isForced: Bool, isConfirmed: Bool)
    case factoryReset(isConfirmed: Bool)

    /// Whether it is carried out without knowing anything of this gateway.
    package var needsNothing: Bool {
        switch self {
        case .help, .version, .selfTest, .tlv, .labels: true
        default: false
        }
    }

    /// The setup code in the words, which other users of the machine could see.
    package var typedCode: Secret? {
        var request: PairRequest?
        if case .pair(let pairing) = self { request = pairing }
        if case .replace(_, let pairing, _) = self { request = pairing }
        guard case .typed(let code)? = request?.code else { return nil }
        return code
    }
}

package struct PairRequest: Equatable, Sendable {
    package enum Code: Equatable, Sendable {
        /// The octets as typed; may be several payloads joined.
        case typed(Secret)
        /// One line of standard input.
        case standardInput
    }

    package var code: Code
    package var name: String?
    package var room: String?
    package var acceptsUnattested = false
    /// For the whole of it; nil leaves it to the commissioner.
    package var timeoutSeconds: Int?

    package init(code: Code) {
        self.code = code
    }
}

/// Which devices a listing keeps once all were asked.
package enum PresenceQuery: Equatable, Sendable {
    case any, online, offline

    func keeps(_ state: NodeState) -> Bool {
        switch self {
        case .any: true
        case .online: StateOutput.isOnline(state.link)
        case .offline: !StateOutput.isOnline(state.link)
        }
    }

    func keeps(_ refreshed: Refreshed) -> Bool {
        switch self {
        case .any: true
        case .online: refreshed.isOnline
        case .offline: !refreshed.isOnline
        }
    }
}

/// What holds for any command.
package struct GlobalOptions: Equatable, Sendable {
    /// The configuration file; nil is the standard one, where it is there.
    package var configuration: String?
    /// The state file; nil is the installed one.
    package var state: String?
    /// Empty is every usable interface.
    package var interfaces: [String] = []
    /// Folders with further trust anchors.
    package var authorities: [String] = []
    package var allowsTestDevices = false
    package var isJSON = false

    package init() {}
}

/// One command with its options, as parsed.
package struct Invocation: Equatable, Sendable {
    package let command: ConsoleCommand
    package let options: GlobalOptions

    package init(command: ConsoleCommand, options: GlobalOptions) {
        self.command = command
        self.options = options
    }
}

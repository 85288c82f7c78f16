/// Every option there is. What `help` prints, the parser accepts.
package enum CommandOption: String, CaseIterable, Sendable {
    case name
    case room
    case acceptUnattested = "accept-unattested"
    case timeout
    case seconds
    case poll
    case refresh
    case online
    case offline
    case stored
    case once
    case over
    case stop
    case since
    case until
    case csv
    case force
    case yes
    case open
    case hidden
    case hex
    case fromBoard = "from-board"
    // What is wired to the board (`BoardKey`).
    case button
    case lamp
    case faultLamp = "fault-lamp"
    case buzzer
    case scanner
    case keyboard
    case console
    // Of every command.
    case config
    case state
    case interface
    case paa
    case allowTestDevices = "allow-test-devices"
    case json
    case help

    package var spelling: String { "--" + rawValue }

    /// What stands for its value; nil for an option that is there or not.
    package var placeholder: String? {
        switch self {
        case .name, .interface: "NAME"
        case .room: "ROOM"
        case .timeout, .seconds, .poll, .over: "SECONDS"
        case .config, .state: "FILE"
        case .since, .until: "TIME"
        case .paa: "FOLDER"
        case .button, .lamp, .faultLamp, .buzzer, .scanner, .keyboard, .console:
            boardKey?.placeholder
        case .acceptUnattested, .refresh, .online, .offline, .stored, .once, .stop, .csv, .force,
            .yes, .open, .hidden, .hex, .fromBoard, .allowTestDevices, .json, .help:
            nil
        }
    }

    package var isGlobal: Bool {
        switch self {
        case .name, .room, .acceptUnattested, .timeout, .seconds, .poll, .refresh, .online,
            .offline, .stored, .once, .over, .stop, .since, .until, .csv, .force, .yes, .open,
            .hidden, .hex,
            .fromBoard, .button, .lamp, .faultLamp, .buzzer,
            .scanner, .keyboard, .console:
            false
        case .config, .state, .interface, .paa, .allowTestDevices, .json, .help: true
        }
    }

    package var isRepeatable: Bool {
        self == .interface || self == .paa || boardKey?.isRepeatable ?? false
    }

    /// What it says of the board; nil for the other options.
    package var boardKey: BoardKey? { BoardKey(rawValue: rawValue) }

    /// One line of `help`.
    package var text: String {
        switch self {
        case .name: "what to call the device"
        case .room: "where the device is"
        case .acceptUnattested: "go on when its certificates prove no certified device"
        case .timeout:
            "give up after so long (\(Self.words(ConsoleLimits.pairSeconds)))"
        case .seconds:
            "how long to listen (\(Self.words(ConsoleLimits.discoverSeconds)); default"
                + " \(ConsoleLimits.discoverSecondsDefault))"
        case .poll:
            "ask a device that says nothing by itself after so long, and show what devices tell"
                + " (\(Self.words(ConsoleLimits.pollSeconds)))"
        case .refresh: "ask each device what it is and whether it is there"
        case .online: "only those that answer now"
        case .offline: "only those that do not answer now"
        case .stored: "only what is kept here; the device is not asked"
        case .once: "as it is now, in plain lines"
        case .over: "how long the change takes (\(Self.words(ConsoleLimits.overSeconds)))"
        case .stop: "end it before its time"
        case .since: "from when on (default 24h)"
        case .until: "until when (default now)"
        case .csv: "rows of comma-separated values"
        case .force: "forget it here alone, even when the device refuses"
        case .yes: "without asking"
        case .open: "it has no passphrase"
        case .hidden: "it does not announce its name"
        case .hex: "SSID is hexadecimal digits, for a name that is no text"
        case .fromBoard: "take the network that this board itself is on"
        case .config:
            "the configuration file (default \(Configuration.standardPath), if it is there)"
        case .button, .lamp, .faultLamp, .buzzer, .scanner, .keyboard, .console:
            boardKey?.text ?? ""
        case .state: "the state file (default /var/lib/matter-gateway/gateway.db)"
        case .interface: "a network interface to use; repeatable (default: all that can)"
        case .paa: "a folder with more trust anchors, DER or PEM; repeatable"
        case .allowTestDevices: "trust test certificates too: for development only"
        case .json: "one JSON document instead of text"
        case .help: "what the command does"
        }
    }

    /// The same in the help of one command, where the option means something of its own there.
    package func text(for command: CommandName) -> String {
        switch (self, command) {
        case (.seconds, .identify):
            "how long it does so (\(Self.words(ConsoleLimits.identifySeconds)); default"
                + " \(ConsoleLimits.identifySecondsDefault))"
        case (.seconds, .run), (.seconds, .window):
            "how long the window stays open after the last accepted code"
                + " (\(Self.words(WindowLimits.openSeconds)); default"
                + " \(WindowLimits.openSecondsDefault))"
        case (.force, .backup): "replace FILE where it is there already"
        case (.force, .restore):
            "even when this gateway has devices of another fabric, which it then forgets"
        case (.timeout, .share):
            "for how long (\(Self.words(ConsoleLimits.shareSeconds)); default"
                + " \(ConsoleLimits.shareSecondsDefault))"
        default: text
        }
    }

    /// `--name NAME`.
    package var usage: String { placeholder.map { "\(spelling) \($0)" } ?? spelling }

    private static func words(_ range: ClosedRange<Int>) -> String {
        "\(range.lowerBound) to \(range.upperBound)"
    }
}

// The words of the commands about the networks that devices are given.

package enum WiFiOrder: Equatable, Sendable {
    case show
    case forget
    case set(WiFiSetting)
}

/// What a person says of the network; the rest is asked for.
package struct WiFiSetting: Equatable, Sendable {
    package enum Source: Equatable, Sendable {
        /// A passphrase, which is asked for.
        case passphrase
        case open
        /// The network that the board itself is on.
        case board
    }

    /// As typed; nil asks for it, or takes the one of the board.
    package var ssid: [UInt8]?
    /// Whether it is typed in hexadecimal digits.
    package var isHexadecimal = false
    package var isHidden = false
    package var source = Source.passphrase
}

package enum ThreadOrder: Equatable, Sendable {
    case show, forget, set
}

extension CommandParser {
    /// - Parameter name: `wifi` or `thread`.
    static func networks(
        _ name: CommandName, _ words: [[UInt8]], _ options: [CommandOption]
    ) throws(UsageError) -> ConsoleCommand {
        name == .wifi ? try wiFi(words, options) : try thread(words)
    }

    private static func wiFi(
        _ words: [[UInt8]], _ options: [CommandOption]
    ) throws(UsageError) -> ConsoleCommand {
        func isGiven(_ option: CommandOption) -> Bool { options.contains(option) }
        let order: WiFiOrder
        switch String(decoding: words[0], as: UTF8.self) {
        case "show": order = .show
        case "forget": order = .forget
        case "set":
            var setting = WiFiSetting()
            setting.ssid = words.count > 1 ? words[1] : nil
            setting.isHexadecimal = isGiven(.hex)
            setting.isHidden = isGiven(.hidden)
            if isGiven(.fromBoard) {
                for other in [CommandOption.open, .hidden] where isGiven(other) {
                    throw .optionsExclude(.fromBoard, other)
                }
                setting.source = .board
            } else if isGiven(.open) {
                setting.source = .open
            }
            return .wiFi(.set(setting))
        default: throw .unknownAction(EchoedWord(words[0]), .wifi)
        }
        guard words.count == 1 else { throw .tooManyArguments(.wifi) }
        for option in [CommandOption.open, .hidden, .hex, .fromBoard] where isGiven(option) {
            throw .optionNotOfCommand(option, .wifi)
        }
        return .wiFi(order)
    }

    private static func thread(_ words: [[UInt8]]) throws(UsageError) -> ConsoleCommand {
        switch String(decoding: words[0], as: UTF8.self) {
        case "show": .thread(.show)
        case "forget": .thread(.forget)
        case "set": .thread(.set)
        default: throw .unknownAction(EchoedWord(words[0]), .thread)
        }
    }
}

package import Matter

/// A line at the console of a virtual device.
package enum DeviceCommand: Equatable, Sendable {
    /// - `endpoint`: nil for the first one that has such a thing.
    case set(SettableWord, SettableValue, endpoint: EndpointID?)
    /// Presses the button of a light or a plug.
    case press(endpoint: EndpointID?)
    /// The power goes, without a farewell.
    case unplug
    case plug
    case reboot
    /// Percent of the datagrams, both ways.
    case drop(Int)
    /// Opens or closes the commissioning window.
    case window(isOpen: Bool)
    case factoryReset
    case status
    case help
    case quit

    /// Nil for an empty line.
    package static func parse(_ line: String) throws(DeviceCommandError) -> DeviceCommand? {
        let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
        guard let first = words.first else { return nil }
        guard let command = Word(rawValue: first) else { throw .unknownWord }
        var rest = Arguments(words.dropFirst())
        let parsed = try command.parse(&rest)
        guard rest.isEmpty else { throw .tooMuch(command) }
        return parsed
    }

    /// What a line begins with.
    package enum Word: String, CaseIterable, Sendable {
        case set, press, contact, occupied, window, drop, unplug, plug, reboot
        case factoryReset = "factory-reset"
        case status, help, quit

        /// How it is written.
        package var usage: String {
            switch self {
            case .set: "set [ENDPOINT] THING VALUE"
            case .press: "press [ENDPOINT]"
            case .contact: "contact [ENDPOINT] open|closed"
            case .occupied: "occupied [ENDPOINT] on|off"
            case .window: "window open|close"
            case .drop: "drop PERCENT"
            case .unplug, .plug, .reboot, .factoryReset, .status, .help, .quit: rawValue
            }
        }

        package var meaning: String {
            switch self {
            case .set: "set what is measured or switched, e.g. set temperature 21.5"
            case .press: "press the button of a light or a plug"
            case .contact: "open or close the door of a contact sensor"
            case .occupied: "let somebody come or go"
            case .window: "open or close the commissioning window"
            case .drop: "lose this share of all messages, 0 for none"
            case .unplug: "take the power away, without a farewell"
            case .plug: "give the power back"
            case .reboot: "start again"
            case .factoryReset: "forget all fabrics and settings"
            case .status: "show what it is and what it has"
            case .help: "show this"
            case .quit: "end"
            }
        }
    }

    /// What `help` shows.
    package static var helpText: String {
        let width = Word.allCases.map(\.usage.count).max() ?? 0
        func row(_ left: String, _ right: String) -> String {
            let padding = String(repeating: " ", count: max(0, width - left.count))
            return "  \(left)\(padding)  \(right)\n"
        }
        return "commands\n"
            + Word.allCases.map { row($0.usage, $0.meaning) }.joined()
            + "things to set, and their values\n"
            + SettableWord.allCases.map { row($0.rawValue, $0.values) }.joined()
    }
}

package enum DeviceCommandError: Error, Equatable {
    case unknownWord
    case unknownThing
    case missing(DeviceCommand.Word)
    case tooMuch(DeviceCommand.Word)
    case noPercentage
    case wrongValue(SettableWord)
    case windowNeedsWord

    /// One line that says what exists.
    package var text: String {
        switch self {
        case .unknownWord: "there are: \(Self.list(DeviceCommand.Word.allCases.map(\.rawValue)))"
        case .unknownThing: "set takes: \(Self.list(SettableWord.allCases.map(\.rawValue)))"
        case .missing(let word), .tooMuch(let word): "usage: \(word.usage)"
        case .noPercentage: "drop takes a percentage of 0 to 100, e.g. drop 20%"
        case .wrongValue(let word): SettingError.wrongValue(word).text
        case .windowNeedsWord: "window takes open or close"
        }
    }

    private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}

/// The words after the first.
private struct Arguments {
    private var words: ArraySlice<String>

    init(_ words: ArraySlice<String>) { self.words = words }

    var isEmpty: Bool { words.isEmpty }

    mutating func next() -> String? { words.popFirst() }

    /// A number at the front is an endpoint's.
    mutating func endpoint() -> EndpointID? {
        guard let first = words.first, let number = UInt16(first) else { return nil }
        words.removeFirst()
        return EndpointID(number)
    }
}

extension DeviceCommand.Word {
    fileprivate func parse(
        _ arguments: inout Arguments
    ) throws(DeviceCommandError) -> DeviceCommand {
        switch self {
        case .set:
            let endpoint = arguments.endpoint()
            guard let name = arguments.next() else { throw .missing(self) }
            guard let thing = SettableWord(rawValue: name) else { throw .unknownThing }
            return try value(of: thing, endpoint, &arguments)
        case .contact: return try value(of: .contact, arguments.endpoint(), &arguments)
        case .occupied: return try value(of: .occupied, arguments.endpoint(), &arguments)
        case .press: return .press(endpoint: arguments.endpoint())
        case .window:
            switch arguments.next() {
            case "open": return .window(isOpen: true)
            case "close", "closed": return .window(isOpen: false)
            default: throw .windowNeedsWord
            }
        case .drop:
            guard let text = arguments.next() else { throw .noPercentage }
            guard let percent = UInt8(text.hasSuffix("%") ? String(text.dropLast()) : text),
                percent <= 100
            else { throw .noPercentage }
            return .drop(Int(percent))
        case .unplug: return .unplug
        case .plug: return .plug
        case .reboot: return .reboot
        case .factoryReset: return .factoryReset
        case .status: return .status
        case .help: return .help
        case .quit: return .quit
        }
    }

    private func value(
        of thing: SettableWord, _ endpoint: EndpointID?, _ arguments: inout Arguments
    ) throws(DeviceCommandError) -> DeviceCommand {
        guard let text = arguments.next() else { throw .missing(self) }
        guard let value = SettableValue(text) else { throw .wrongValue(thing) }
        return .set(thing, value, endpoint: endpoint)
    }
}

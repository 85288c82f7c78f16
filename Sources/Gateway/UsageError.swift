internal import Base
package import Matter

/// Words that are no command: what is wrong with them, in one line.
///
/// Words of the user are carried as `EchoedWord`; everything else is named by its table.
package enum UsageError: Error, Equatable {
    case noCommand
    case unknownCommand(EchoedWord, nearest: CommandName?)
    /// A setup code stands where a command should.
    case codeWithoutCommand
    case unknownOption(EchoedWord, nearest: CommandOption?)
    /// Such as `--version` for `version`.
    case commandWithDashes(CommandName)
    case optionNotOfCommand(CommandOption, CommandName)
    case optionTwice(CommandOption)
    case optionsExclude(CommandOption, CommandOption)
    case missingOptionValue(CommandOption)
    /// A value given to an option that takes none.
    case unwantedOptionValue(CommandOption)
    case optionOutOfRange(CommandOption, ClosedRange<Int>)
    case missingArgument(CommandName, placeholder: String)
    case tooManyArguments(CommandName)
    /// What a command is to do is none of the words that it takes.
    case unknownAction(EchoedWord, CommandName)
    case numberOutOfRange(CommandName, ClosedRange<Int>)
    case notATemperature(EchoedWord)
    case notATime(CommandOption, EchoedWord)
    case unknownSetting(EchoedWord)
    /// None of `LogLevel`.
    case notALevel(EchoedWord)
    /// Not 40 hexadecimal digits.
    case notAKeyID
    case notUTF8
    /// A name or room beyond `ConsoleLimits.labelBytes`.
    case labelTooLong
    /// A name or room with characters that no line can hold.
    case labelWithControls
    /// A label that would say nothing.
    case emptyLabel
    case tooManyLabels
    case valueTooLong
    case emptyNode
    case path(PathError, EchoedWord)
    case tooManyPaths
    /// `write` needs one attribute.
    case pathWithWildcard
    case notHexadecimal
    case board(BoardKey, BoardFault)
    case alert(AlertFault)
    // One line of the interactive console.
    case openQuote
    case trailingBackslash
    case lineTooLong
    case tooManyWords
}

extension UsageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noCommand: "what to do? \(Self.list)"
        case .unknownCommand(let word, let nearest?):
            "\(word.text) is no command: did you mean \(nearest.rawValue)?"
        case .unknownCommand(let word, nil): "\(word.text) is no command: \(Self.list)"
        case .codeWithoutCommand: "that is a setup code: to add the device, put pair before it"
        case .unknownOption(let word, let nearest?):
            "\(word.text) is no option: did you mean \(nearest.spelling)?"
        case .unknownOption(let word, nil):
            "\(word.text) is no option: --help lists those there are"
        case .commandWithDashes(let name): "\(name.rawValue) is a command: leave out the dashes"
        case .optionNotOfCommand(let option, let name):
            "\(option.spelling) is no option of \(name.rawValue): \(Self.ask(name))"
        case .optionTwice(let option): "\(option.spelling) is given twice"
        case .optionsExclude(let one, let other):
            "\(one.spelling) and \(other.spelling) exclude each other: give one of them"
        case .missingOptionValue(let option):
            "\(option.spelling) lacks its \(option.placeholder ?? "value")"
        case .unwantedOptionValue(let option): "\(option.spelling) takes no value"
        case .optionOutOfRange(let option, let range):
            "\(option.spelling) takes a whole number from \(range.lowerBound) to"
                + " \(range.upperBound)"
        case .missingArgument(let name, let placeholder):
            "\(name.rawValue) lacks its \(placeholder): \(CommandTable.entry(name).usage)"
        case .tooManyArguments(.wifi):
            "wifi has too many words: the passphrase is asked for and not typed here, and a name"
                + " with blanks needs quotes around it"
        case .tooManyArguments(.thread):
            "thread has too many words: the dataset is asked for and not typed here"
        case .tooManyArguments(.pin):
            "pin has too many words: the PIN is asked for and not typed here"
        case .tooManyArguments(let name):
            "\(name.rawValue) has too many words: \(CommandTable.entry(name).usage)"
                + " (put quotes around a text with blanks)"
        case .unknownAction(let word, let name):
            "\(word.text) is nothing that \(name.rawValue) does: \(CommandTable.entry(name).usage)"
        case .numberOutOfRange(let name, let range):
            "\(name.rawValue) takes a whole number from \(range.lowerBound) to"
                + " \(range.upperBound): \(Self.ask(name))"
        case .notATemperature(let word):
            "\(word.text) is no temperature: give degrees Celsius with at most one digit behind"
                + " the point, such as 21.5"
        case .notATime(let option, let word):
            "\(word.text) is no time for \(option.spelling): give 30m, 24h, 7d, 2w, or a date"
                + " such as 2026-11-01 or 2026-11-01T14:05"
        case .unknownSetting(let word):
            "\(word.text) is no setting: there are "
                + SettingKey.allCases.map(\.rawValue).joined(separator: ", ")
        case .notALevel(let word):
            "\(word.text) is no level of the log: there are \(Configuration.levels)"
        case .notAKeyID:
            "KEYID must be the 40 hexadecimal digits that authorities list shows"
        case .notUTF8: "a word is not UTF-8 text"
        case .labelTooLong: "a name or room has at most \(ConsoleLimits.labelBytes) octets"
        case .labelWithControls: "a name or room cannot hold control characters"
        case .emptyLabel: "a label needs a text: labels room Hall"
        case .tooManyLabels: "at most \(ConsoleLimits.labels) labels are drawn at once"
        case .valueTooLong: "the value has more than \(ConsoleLimits.valueBytes) octets"
        case .emptyNode: "NODE is empty: give an id or a part of a name, as devices lists them"
        case .path(let error, let word): "\(word.text) is no path: \(Self.words(error))"
        case .tooManyPaths: "one read takes at most \(ConsoleLimits.paths) paths"
        case .pathWithWildcard: "write takes one attribute: its path can have no *"
        case .notHexadecimal: "HEX must be pairs of hexadecimal digits"
        case .board(let key, let fault): "--\(key.rawValue): \(fault.description)"
        case .alert(let fault): fault.description
        case .openQuote: "a quote is not closed"
        case .trailingBackslash: "the line ends in a backslash, which belongs before a character"
        case .lineTooLong: "the line is longer than \(ConsoleLimits.lineBytes) octets"
        case .tooManyWords: "the line has more than \(ConsoleLimits.words) words"
        }
    }

    private static let list = "help lists the commands"

    private static func words(_ error: PathError) -> String {
        switch error {
        case .shape: "it is ENDPOINT/CLUSTER/ATTRIBUTE, such as 1/on-off/on-off"
        case .endpoint: "an endpoint is a number up to 65535, or *"
        case .cluster: "no cluster is known by that name; show lists those of a device"
        case .attribute: "no attribute of the cluster is known by that name; give its number"
        case .command: "no command of the cluster is known by that name"
        }
    }

    private static func ask(_ name: CommandName) -> String { "see help \(name.rawValue)" }

    /// Words that are a command, but whose bytes are not what the command takes, are malformed
    /// input like a wrong setup code.
    package var kind: FailureKind {
        self == .notHexadecimal ? .malformedInput : .usage
    }
}

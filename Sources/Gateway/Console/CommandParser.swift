internal import Base
internal import Crypto
internal import Matter
internal import MatterNode

/// From the words of a command line to a command.
///
/// Scope: what the words alone tell. Not scope: whether there is such a device or attribute, and
/// whether a setup code is one.
package enum CommandParser {
    /// - Parameter words: octets as typed, without the name of the program. The caller wipes
    ///   them when they may hold a setup code and it can.
    package static func parse(_ words: [[UInt8]]) throws(UsageError) -> Invocation {
        let sorted = try SortedWords(words)
        let options = try globalOptions(sorted)
        guard let name = sorted.command else {
            guard sorted.has(.help) else { throw .noCommand }
            return Invocation(command: .help(nil), options: options)
        }
        if sorted.has(.help) { return Invocation(command: .help(name), options: options) }
        let entry = CommandTable.entry(name)
        for option in sorted.options where !option.name.isGlobal {
            guard entry.options.contains(option.name) else {
                throw .optionNotOfCommand(option.name, name)
            }
        }
        try checkCount(sorted.arguments, entry)
        return Invocation(command: try command(name, sorted), options: options)
    }

    private static func checkCount(
        _ arguments: [[UInt8]], _ entry: CommandEntry
    ) throws(UsageError) {
        guard arguments.count >= entry.fewestArguments else {
            throw .missingArgument(
                entry.name, placeholder: entry.arguments[arguments.count].placeholder)
        }
        guard let most = entry.mostArguments, arguments.count > most else { return }
        // A manual code may be typed as it is printed, in groups.
        let code = arguments.dropFirst(max(0, most - 1))
        if entry.takesCode, code.allSatisfy(SetupCodeShape.isManual) { return }
        throw .tooManyArguments(entry.name)
    }

    private static func command(
        _ name: CommandName, _ words: SortedWords
    ) throws(UsageError) -> ConsoleCommand {
        let arguments = words.arguments
        switch name {
        case .help: return .help(try arguments.first.map(commandName))
        case .version: return .version
        case .pair: return .pair(try pairRequest(words, arguments))
        case .replace:
            return .replace(
                try node(words), try pairRequest(words, Array(arguments.dropFirst())),
                isConfirmed: words.has(.yes))
        case .devices:
            return .devices(
                filter: try arguments.first.map(Words.text), asking: try presence(words))
        case .show: return .show(try node(words), isStored: words.has(.stored))
        case .history: return try history(words)
        case .name: return .name(try node(words), try Words.label(arguments[1]))
        case .room: return .room(try node(words), try Words.label(arguments[1]))
        case .rooms: return .rooms
        case .read:
            guard arguments.count - 1 <= ConsoleLimits.paths else { throw .tooManyPaths }
            return .read(try node(words), try arguments.dropFirst().map(path))
        case .write:
            guard let path = try path(arguments[1]).concrete else { throw .pathWithWildcard }
            guard arguments[2].count <= ConsoleLimits.valueBytes else { throw .valueTooLong }
            return .write(try node(words), path, value: try Words.text(arguments[2]))
        case .on: return .on(try node(words))
        case .off: return .off(try node(words))
        case .toggle: return .toggle(try node(words))
        case .level:
            return .level(
                try node(words), try Words.percent(arguments[1], of: name),
                over: try words.number(.over, in: ConsoleLimits.overSeconds))
        case .thermostat:
            return .thermostat(try node(words), try ThermostatOrder(arguments.dropFirst()))
        case .fan:
            return .fan(try node(words), try FanOrder(arguments.dropFirst().first))
        case .identify: return try identify(words)
        case .fabrics: return .fabrics(try node(words))
        case .share: return try share(words)
        case .labels: return .labels(try labels(arguments))
        case .authorities: return try authorities(arguments)
        case .discover: return try discover(words)
        case .prepare: return .prepare
        case .remove:
            return .remove(
                try node(words), isForced: words.has(.force), isConfirmed: words.has(.yes))
        case .selfTest: return .selfTest
        case .tlv: return .tlv(try Words.hexadecimal(arguments))
        case .run: return try run(words)
        case .window: return .window(try windowAction(words))
        case .alert: return .alert(try AlertOrder(arguments))
        case .poll: return .poll(try node(words), try PollOrder(arguments.dropFirst().first))
        case .doctor: return .doctor
        case .console: return .console
        case .status: return .status
        case .dashboard: return .dashboard(isLive: !words.has(.once) && !words.has(.json))
        case .log: return .log(try arguments.first.map(logLevel))
        case .cancel: return .cancel
        case .wifi, .thread: return try networks(name, arguments, words.options.map(\.name))
        case .pin: return try pin(arguments[0])
        case .settings: return try settings(arguments)
        case .backup, .restore: return try keeping(name, words)
        case .factoryReset: return .factoryReset(isConfirmed: words.has(.yes))
        }
    }

    private static func keeping(
        _ name: CommandName, _ words: SortedWords
    ) throws(UsageError) -> ConsoleCommand {
        let file = try Words.text(words.arguments[0])
        let (isForced, isConfirmed) = (words.has(.force), words.has(.yes))
        return name == .backup
            ? .backup(file: file, isForced: isForced, isConfirmed: isConfirmed)
            : .restore(file: file, isForced: isForced, isConfirmed: isConfirmed)
    }

    private static func pairRequest(
        _ words: SortedWords, _ arguments: [[UInt8]]
    ) throws(UsageError) -> PairRequest {
        let code: PairRequest.Code
        if arguments == [[UInt8(ascii: "-")]] {
            code = .standardInput
        } else {
            code = .typed(Words.secret(joining: arguments))
        }
        var request = PairRequest(code: code)
        request.name = try words.value(.name).map(Words.label)
        request.room = try words.value(.room).map(Words.label)
        request.acceptsUnattested = words.has(.acceptUnattested)
        request.timeoutSeconds = try words.number(.timeout, in: ConsoleLimits.pairSeconds)
        return request
    }

    private static func discover(_ words: SortedWords) throws(UsageError) -> ConsoleCommand {
        let seconds = try words.number(.seconds, in: ConsoleLimits.discoverSeconds)
        return .discover(seconds: seconds ?? ConsoleLimits.discoverSecondsDefault)
    }

    private static func history(_ words: SortedWords) throws(UsageError) -> ConsoleCommand {
        guard !words.has(.csv) || !words.has(.json) else { throw .optionsExclude(.csv, .json) }
        var question = HistoryQuestion()
        question.quantity = try words.arguments.dropFirst().first.map(Words.text)
        question.since = try time(.since, words) ?? question.since
        question.until = try time(.until, words)
        question.isCSV = words.has(.csv)
        return .history(try node(words), question)
    }

    private static func time(
        _ option: CommandOption, _ words: SortedWords
    ) throws(UsageError) -> HistoryTime? {
        guard let word = words.value(option) else { return nil }
        guard let time = HistoryTime(try Words.text(word)) else {
            throw .notATime(option, EchoedWord(word))
        }
        return time
    }

    private static func identify(_ words: SortedWords) throws(UsageError) -> ConsoleCommand {
        let seconds = try words.number(.seconds, in: ConsoleLimits.identifySeconds)
        return .identify(
            try node(words), seconds: seconds ?? ConsoleLimits.identifySecondsDefault)
    }

    private static func share(_ words: SortedWords) throws(UsageError) -> ConsoleCommand {
        let seconds = try words.number(.timeout, in: ConsoleLimits.shareSeconds)
        guard words.has(.stop) else {
            return .share(
                try node(words), seconds: seconds ?? ConsoleLimits.shareSecondsDefault)
        }
        guard seconds == nil else { throw .optionsExclude(.stop, .timeout) }
        return .stopSharing(try node(words))
    }

    private static func labels(
        _ arguments: [[UInt8]]
    ) throws(UsageError) -> [InstallerLabel] {
        let word = String(decoding: arguments[0], as: UTF8.self)
        guard let kind = InstallerLabel.Kind(rawValue: word) else {
            throw .unknownAction(EchoedWord(arguments[0]), .labels)
        }
        guard arguments.count - 1 <= ConsoleLimits.labels else { throw .tooManyLabels }
        var labels: [InstallerLabel] = []
        for argument in arguments.dropFirst() {
            let text = try Words.label(argument)
            guard !text.isEmpty else { throw .emptyLabel }
            labels.append(InstallerLabel(kind, text))
        }
        return labels
    }

    private static func windowAction(_ words: SortedWords) throws(UsageError) -> WindowAction {
        let seconds = try words.number(.seconds, in: WindowLimits.openSeconds)
        switch String(decoding: words.arguments[0], as: UTF8.self) {
        case "open": return .open(seconds: seconds)
        case "close":
            guard seconds == nil else { throw .optionNotOfCommand(.seconds, .window) }
            return .close
        default: throw .unknownAction(EchoedWord(words.arguments[0]), .window)
        }
    }

    private static func logLevel(_ word: [UInt8]) throws(UsageError) -> LogLevel {
        guard let level = LogLevel(word: try Words.text(word)) else {
            throw .notALevel(EchoedWord(word))
        }
        return level
    }

    private static func run(_ words: SortedWords) throws(UsageError) -> ConsoleCommand {
        let seconds = try words.number(.seconds, in: WindowLimits.openSeconds)
        var board = BoardSettings()
        for (option, value) in words.options {
            guard let key = option.boardKey, let value else { continue }
            let text = try Words.text(value)
            do throws(BoardFault) { try board.set(key, text) } catch { throw .board(key, error) }
        }
        return .run(
            seconds: seconds,
            pollSeconds: try words.number(.poll, in: ConsoleLimits.pollSeconds), board: board)
    }

    private static func presence(_ words: SortedWords) throws(UsageError) -> PresenceQuery? {
        switch (words.has(.online), words.has(.offline)) {
        case (true, true): throw .optionsExclude(.online, .offline)
        case (true, false): .online
        case (false, true): .offline
        case (false, false): words.has(.refresh) ? .any : nil
        }
    }

    private static func globalOptions(_ words: SortedWords) throws(UsageError) -> GlobalOptions {
        var options = GlobalOptions()
        options.configuration = try words.value(.config).map(Words.text)
        options.state = try words.value(.state).map(Words.text)
        options.interfaces = try words.values(.interface).map(Words.text)
        options.authorities = try words.values(.paa).map(Words.text)
        options.allowsTestDevices = words.has(.allowTestDevices)
        options.isJSON = words.has(.json)
        return options
    }

    private static func commandName(_ word: [UInt8]) throws(UsageError) -> CommandName {
        try CommandName(word: word)
    }

    private static func node(_ words: SortedWords) throws(UsageError) -> NodeSelector {
        try NodeSelector(try Words.text(words.arguments[0]))
    }

    private static func path(_ word: [UInt8]) throws(UsageError) -> AttributePath {
        let text = try Words.text(word)
        do throws(PathError) { return try AttributePath(text) } catch {
            throw .path(error, EchoedWord(word))
        }
    }
}

extension CommandName {
    init(word: [UInt8]) throws(UsageError) {
        let text = String(decoding: word, as: UTF8.self)
        if let name = CommandName(rawValue: text) {
            self = name
            return
        }
        if SetupCodeShape.fits(word) { throw .codeWithoutCommand }
        throw .unknownCommand(
            EchoedWord(word),
            nearest: Nearest.match(text, among: CommandName.allCases, spelling: \.rawValue))
    }
}

/// The words told apart: the command, what it is about, and options in any place.
private struct SortedWords {
    private(set) var command: CommandName?
    private(set) var arguments: [[UInt8]] = []
    private(set) var options: [(name: CommandOption, value: [UInt8]?)] = []

    init(_ words: [[UInt8]]) throws(UsageError) {
        var index = 0
        var mayBeOption = true
        while index < words.count {
            let word = words[index]
            index += 1
            if mayBeOption, word == Self.dashes {
                mayBeOption = false
            } else if mayBeOption, Self.isOption(word) {
                try addOption(word, next: index < words.count ? words[index] : nil, &index)
            } else if command == nil {
                command = try CommandName(word: word)
            } else {
                arguments.append(word)
            }
        }
    }

    func has(_ option: CommandOption) -> Bool { options.contains { $0.name == option } }

    func values(_ option: CommandOption) -> [[UInt8]] {
        options.filter { $0.name == option }.compactMap(\.value)
    }

    func value(_ option: CommandOption) -> [UInt8]? { values(option).first }

    func number(
        _ option: CommandOption, in range: ClosedRange<Int>
    ) throws(UsageError) -> Int? {
        guard let word = value(option) else { return nil }
        guard let number = Words.number(word), range.contains(number) else {
            throw .optionOutOfRange(option, range)
        }
        return number
    }

    private mutating func addOption(
        _ word: [UInt8], next: [UInt8]?, _ index: inout Int
    ) throws(UsageError) {
        let spelling = Array(word.prefix { $0 != UInt8(ascii: "=") })
        let option = try Self.option(spelling)
        var value: [UInt8]?
        if spelling.count < word.count { value = Array(word[(spelling.count + 1)...]) }
        if option.placeholder == nil {
            guard value == nil else { throw .unwantedOptionValue(option) }
        } else if value == nil {
            guard let next, !next.starts(with: Self.dashes) else {
                throw .missingOptionValue(option)
            }
            value = next
            index += 1
        }
        guard option.isRepeatable || option.placeholder == nil || !has(option) else {
            throw .optionTwice(option)
        }
        options.append((option, value))
    }

    private static func option(_ spelling: [UInt8]) throws(UsageError) -> CommandOption {
        let text = String(decoding: spelling, as: UTF8.self)
        let bare = String(text.drop { $0 == "-" })
        if text.hasPrefix("--"), let option = CommandOption(rawValue: bare) { return option }
        if let command = CommandName(rawValue: bare), CommandOption(rawValue: bare) == nil {
            throw .commandWithDashes(command)
        }
        throw .unknownOption(
            EchoedWord(spelling),
            nearest: Nearest.match(bare, among: CommandOption.allCases, spelling: \.rawValue))
    }

    /// A dash and something, unless it is a negative number.
    private static func isOption(_ word: [UInt8]) -> Bool {
        guard word.count > 1, word[0] == UInt8(ascii: "-") else { return false }
        return !(0x30...0x39).contains(word[1]) && word[1] != UInt8(ascii: ".")
    }

    private static let dashes: [UInt8] = [UInt8(ascii: "-"), UInt8(ascii: "-")]
}

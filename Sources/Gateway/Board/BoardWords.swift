internal import Base
package import MatterNode

extension BoardSettings {
    /// Takes what one option or one line of a file says. For a key that may come once only, the
    /// last one counts.
    package mutating func set(_ key: BoardKey, _ words: String) throws(BoardFault) {
        switch key {
        case .button: button = try GPIOLineSettings(words: words)
        case .lamp: workLamp = try LampSettings(words: words)
        case .faultLamp: faultLamp = try LampSettings(words: words)
        case .buzzer: buzzer = try GPIOLineSettings(words: words)
        case .scanner:
            try Self.add(
                try SerialSettings(words: words, usual: SerialSettings.usualSpeed), to: &scanners)
        case .keyboard: try Self.add(try Self.device(words), to: &keyboards)
        case .console:
            try Self.add(
                try SerialSettings(words: words, usual: BoardLimits.consoleSpeed), to: &consoles)
        }
    }

    /// What the command line says, with what the file says of the parts that it leaves open.
    package func completed(by file: BoardSettings) -> BoardSettings {
        var settings = self
        settings.button = button ?? file.button
        settings.workLamp = workLamp ?? file.workLamp
        settings.faultLamp = faultLamp ?? file.faultLamp
        settings.buzzer = buzzer ?? file.buzzer
        if scanners.isEmpty { settings.scanners = file.scanners }
        if keyboards.isEmpty { settings.keyboards = file.keyboards }
        if consoles.isEmpty { settings.consoles = file.consoles }
        return settings
    }

    private static func add<Device>(
        _ device: Device, to devices: inout [Device]
    ) throws(BoardFault) {
        guard devices.count < BoardLimits.devices else { throw .tooMany }
        devices.append(device)
    }

    fileprivate static func device(_ path: String) throws(BoardFault) -> String {
        guard path.hasPrefix("/"), path.count > 1 else { throw .notAPath(EchoedWord(path)) }
        return path
    }
}

/// What is wrong with words about a board.
package enum BoardFault: Error, Equatable, Sendable {
    case noLine
    /// A number alone, which every chip has.
    case noChip(EchoedWord)
    case offset(EchoedWord)
    case unknownProperty(EchoedWord)
    case twoBiases
    case noLED
    case notAPath(EchoedWord)
    case speed(EchoedWord)
    case tooMany
}

extension BoardFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noLine: "it names no GPIO line: give its name, or CHIP:NUMBER"
        case .noChip(let word):
            "\(word.text) is a number that every chip has: give CHIP:NUMBER, such as"
                + " gpiochip0:17"
        case .offset(let word): "\(word.text) is no number of a line"
        case .unknownProperty(let word):
            "\(word.text) is none of active-low, pull-up, pull-down, no-bias"
        case .twoBiases: "pull-up, pull-down and no-bias exclude each other"
        case .noLED: "it names no LED: give led:NAME, as /sys/class/leds lists them"
        case .notAPath(let word):
            "\(word.text) is no device: give its whole path, such as /dev/ttyACM0"
        case .speed(let word):
            "\(word.text) is no speed: there are "
                + SerialSettings.speeds.map { "\($0)" }.joined(separator: ", ")
        case .tooMany: "there are \(BoardLimits.devices) at most"
        }
    }
}

extension GPIOLineSettings {
    /// - Parameter words: `LINE[,PROPERTY...]`, see `BoardKey.lineText`.
    init(words: String) throws(BoardFault) {
        let parts = words.split(separator: ",", omittingEmptySubsequences: false)
        try self.init(line: String(parts[0]))
        for part in parts.dropFirst() {
            switch part {
            case "active-low": isActiveLow = true
            case "pull-up": try set(.pullUp)
            case "pull-down": try set(.pullDown)
            case "no-bias": try set(.none)
            default: throw .unknownProperty(EchoedWord(String(part)))
            }
        }
    }

    private init(line words: String) throws(BoardFault) {
        guard !words.isEmpty else { throw .noLine }
        guard let colon = words.lastIndex(of: ":") else {
            guard !words.utf8.allSatisfy(Self.isDigit) else { throw .noChip(EchoedWord(words)) }
            self.init(line: .name(words))
            return
        }
        let chip = String(words[..<colon])
        let line = String(words[words.index(after: colon)...])
        guard !chip.isEmpty, !line.isEmpty else { throw .noLine }
        guard line.utf8.allSatisfy(Self.isDigit) else {
            self.init(chip: chip, line: .name(line))
            return
        }
        guard let offset = UInt32(line), offset < BoardLimits.lines else {
            throw .offset(EchoedWord(line))
        }
        self.init(chip: chip, line: .offset(offset))
    }

    private mutating func set(_ bias: Bias) throws(BoardFault) {
        guard self.bias == .asIs || self.bias == bias else { throw .twoBiases }
        self.bias = bias
    }

    private static func isDigit(_ octet: UInt8) -> Bool { (0x30...0x39).contains(octet) }
}

extension LampSettings {
    fileprivate init(words: String) throws(BoardFault) {
        let mark = "led:"
        guard words.hasPrefix(mark) else {
            self = .line(try GPIOLineSettings(words: words))
            return
        }
        let name = String(words.dropFirst(mark.count))
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), name != ".", name != ".."
        else { throw .noLED }
        self = .led(name)
    }
}

extension SerialSettings {
    fileprivate init(words: String, usual: Int) throws(BoardFault) {
        guard let comma = words.lastIndex(of: ",") else {
            self.init(path: try BoardSettings.device(words), bitsPerSecond: usual)
            return
        }
        let word = String(words[words.index(after: comma)...])
        guard let speed = Int(word), Self.speeds.contains(speed) else {
            throw .speed(EchoedWord(word))
        }
        self.init(path: try BoardSettings.device(String(words[..<comma])), bitsPerSecond: speed)
    }
}

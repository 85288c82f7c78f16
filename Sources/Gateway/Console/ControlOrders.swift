package import Matter

/// What `thermostat` is to do.
package enum ThermostatOrder: Equatable, Sendable {
    case show
    case mode(Thermostat.SystemMode)
    /// In tenths of a degree Celsius.
    case setpoint(ThermostatState.Side, Int)
}

/// What `fan` is to do.
package enum FanOrder: Equatable, Sendable {
    case show
    case mode(FanControl.FanMode)
    case percent(Int)
}

extension ThermostatOrder {
    /// - Parameter words: those behind NODE.
    init(_ words: ArraySlice<[UInt8]>) throws(UsageError) {
        guard let first = words.first else {
            self = .show
            return
        }
        let name = try Words.text(first)
        guard let mode = Self.mode(name) else {
            throw .unknownAction(EchoedWord(first), .thermostat)
        }
        guard let word = words.dropFirst().first else {
            self = .mode(mode)
            return
        }
        let side: ThermostatState.Side
        switch mode {
        case .heat: side = .heat
        case .cool: side = .cool
        default: throw .tooManyArguments(.thermostat)
        }
        guard let tenths = Words.tenths(word) else { throw .notATemperature(EchoedWord(word)) }
        self = .setpoint(side, tenths)
    }

    private static func mode(_ name: String) -> Thermostat.SystemMode? {
        Thermostat.SystemMode.allCases.first { OpenEnum($0).name == name.lowercased() }
    }
}

extension FanOrder {
    /// Those that one sets; `on` and `smart` are left over from earlier editions.
    private static let modes: [FanControl.FanMode] = [.off, .low, .medium, .high, .auto]

    init(_ word: [UInt8]?) throws(UsageError) {
        guard let word else {
            self = .show
            return
        }
        let name = try Words.text(word).lowercased()
        if let mode = Self.modes.first(where: { OpenEnum($0).name == name }) {
            self = .mode(mode)
        } else if word.first.map({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }) ?? false
        {
            self = .percent(try Words.percent(word, of: .fan))
        } else {
            throw .unknownAction(EchoedWord(word), .fan)
        }
    }
}

extension Words {
    /// `50` or `50%`.
    static func percent(_ word: [UInt8], of command: CommandName) throws(UsageError) -> Int {
        let digits = word.last == UInt8(ascii: "%") ? word.dropLast() : word[...]
        guard let number = number(Array(digits)), number <= 100 else {
            throw .numberOutOfRange(command, 0...100)
        }
        return number
    }

    /// `21.5` as 215: at most one digit behind the point; nil for anything else, and for what no
    /// room is like.
    static func tenths(_ word: [UInt8]) -> Int? {
        let isNegative = word.first == UInt8(ascii: "-")
        let parts = word.dropFirst(isNegative ? 1 : 0).split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = number(Array(parts[0])), whole < 1000
        else { return nil }
        var value = whole * 10
        if parts.count == 2 {
            guard parts[1].count == 1, let tenth = number(Array(parts[1])) else { return nil }
            value += tenth
        }
        return isNegative ? -value : value
    }
}

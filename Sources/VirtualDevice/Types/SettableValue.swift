/// What the console can set at an endpoint.
package enum SettableWord: String, CaseIterable, Sendable {
    /// On or off, of a light or a plug.
    case power
    /// Of 100.
    case level
    /// Kelvins.
    case color
    /// What a sensor measures, or the room of a thermostat: °C.
    case temperature
    /// What is around the room of a thermostat: °C.
    case outdoor
    /// A thermostat's setpoints: °C.
    case heat
    case cool
    /// Relative, of 100.
    case humidity
    case contact
    case occupied
    /// Of a fan, of 100.
    case speed
    /// What is plugged in: watts.
    case load

    package var values: String {
        switch self {
        case .power, .occupied: "on or off"
        case .contact: "open or closed"
        case .level, .speed: "0 to 100"
        case .color: "2000 to 6535, in kelvins"
        case .temperature: "-50 to 150 °C, null for a broken sensor, auto to let it move"
        case .outdoor: "-50 to 50 °C, auto for the weather"
        case .heat, .cool: "°C within the thermostat's limits"
        case .humidity: "0 to 100, null for a broken sensor, auto to let it move"
        case .load: "0 to 3500, in watts"
        }
    }
}

package enum SettableValue: Equatable, Sendable {
    /// Hundredths.
    case number(Int)
    /// On and off, open and closed.
    case flag(Bool)
    /// The sensor has no value.
    case null
    /// The value moves by itself again.
    case auto

    /// - Parameter text: a number with up to two decimals, perhaps with a unit, or a word.
    package init?(_ text: String) {
        switch text {
        case "on", "open", "yes": self = .flag(true)
        case "off", "closed", "close", "no": self = .flag(false)
        case "null", "none": self = .null
        case "auto": self = .auto
        default:
            guard let number = Self.hundredths(text) else { return nil }
            self = .number(number)
        }
    }

    private static func hundredths(_ text: String) -> Int? {
        var digits = text
        for unit in ["%", "°C", "C", "K", "W"] where digits.hasSuffix(unit) {
            digits.removeLast(unit.count)
            break
        }
        let isNegative = digits.hasPrefix("-")
        if isNegative { digits.removeFirst() }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        // Six digits are more than any of our quantities needs.
        guard (1...2).contains(parts.count), (1...6).contains(parts[0].utf8.count),
            let whole = UInt32(parts[0])
        else { return nil }
        var value = Int(whole) * 100
        if parts.count == 2 {
            guard (1...2).contains(parts[1].utf8.count), let decimals = UInt8(parts[1]) else {
                return nil
            }
            value += Int(decimals) * (parts[1].utf8.count == 1 ? 10 : 1)
        }
        return isNegative ? -value : value
    }
}

package enum SettingError: Error, Equatable {
    case noSuchEndpoint
    /// No endpoint, or not this one, has such a thing.
    case notHere(SettableWord)
    case noButton
    /// The word takes other values; `SettableWord.values` says which.
    case wrongValue(SettableWord)

    package var text: String {
        switch self {
        case .noSuchEndpoint: "no such endpoint; status lists them"
        case .notHere(let word): "nothing here has \(word.rawValue); status lists what there is"
        case .noButton: "nothing here has a button; lights and plugs have one"
        case .wrongValue(let word): "\(word.rawValue) takes \(word.values)"
        }
    }
}

extension SettableValue {
    /// Hundredths within `range`.
    func number(_ word: SettableWord, in range: ClosedRange<Int>) throws(SettingError) -> Int {
        guard case .number(let value) = self, range.contains(value) else {
            throw .wrongValue(word)
        }
        return value
    }

    func flag(_ word: SettableWord) throws(SettingError) -> Bool {
        guard case .flag(let value) = self else { throw .wrongValue(word) }
        return value
    }
}

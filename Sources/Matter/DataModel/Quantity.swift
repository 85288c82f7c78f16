package import Base

/// What the number of an attribute counts, and where its decimal point is.
package struct Quantity: Hashable, Sendable {
    /// After the number, with a blank between.
    package let unit: String
    /// Digits behind the point; the value is a multiple of ten to the minus this.
    package let decimals: Int

    package init(_ unit: String, decimals: Int = 0) {
        precondition(decimals >= 0, "a quantity has no negative number of digits")
        self.unit = unit
        self.decimals = decimals
    }

    /// Core §7.19.2.14: 0.01 °C.
    package static let temperature = Quantity("°C", decimals: 2)
    /// Core §7.19.2.10: 0.01 %.
    package static let percent100ths = Quantity("%", decimals: 2)
    package static let seconds = Quantity("s")
    package static let tenthsOfSecond = Quantity("s", decimals: 1)
    package static let milliseconds = Quantity("ms")
    package static let microseconds = Quantity("µs")
    package static let minutes = Quantity("min")
    package static let percent = Quantity("%")
    /// Application Clusters §4.3.8: signed and unsigned temperatures of the thermostat.
    package static let tenthsOfDegree = Quantity("°C", decimals: 1)
    package static let tenthsOfKilopascal = Quantity("kPa", decimals: 1)
    package static let tenthsOfCubicMetrePerHour = Quantity("m³/h", decimals: 1)
    package static let millivolts = Quantity("V", decimals: 3)
    package static let milliamperes = Quantity("A", decimals: 3)
    package static let milliwatts = Quantity("W", decimals: 3)
    package static let hertz = Quantity("Hz")
    package static let millihertz = Quantity("Hz", decimals: 3)
    /// The inverse of a colour temperature: a million divided by the kelvins.
    package static let mireds = Quantity("mired")

    /// "21.50 °C"
    package func text(_ value: Int64) -> String {
        "\(number(value)) \(unit)"
    }

    /// The number alone, "21.50".
    package func number(_ value: Int64) -> String {
        var digits = String(value.magnitude)
        if decimals > 0 {
            let missing = decimals + 1 - digits.count
            if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -decimals))
        }
        return value < 0 ? "-" + digits : digits
    }
}

extension AttributeInfo {
    /// What people read: the number with its unit, text without quotation marks, JSON otherwise.
    package func text(_ json: JSONValue) -> String {
        switch (json, quantity) {
        case (.null, _): "no value"
        case (.integer(let value), .some(let quantity)): quantity.text(value)
        case (.string(let text), _): text
        default: json.text
        }
    }
}

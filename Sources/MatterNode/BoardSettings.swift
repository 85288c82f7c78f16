/// What is wired to the board, and where installers' and maintainers' lines come from.
package struct BoardSettings: Equatable, Sendable {
    package var button: GPIOLineSettings?
    package var workLamp: LampSettings?
    package var faultLamp: LampSettings?
    package var buzzer: GPIOLineSettings?
    /// Scanners at serial lines, which give payloads alone.
    package var scanners: [SerialSettings] = []
    /// Input devices of scanners that are keyboards, which give payloads alone; paths.
    package var keyboards: [String] = []
    /// Serial lines with a maintainer's console.
    package var consoles: [SerialSettings] = []

    package init() {}

    package static let none = BoardSettings()
}

/// A line of a GPIO chip, and how it is wired.
package struct GPIOLineSettings: Equatable, Sendable {
    package enum Line: Equatable, Sendable {
        case name(String)
        case offset(UInt32)
    }

    package enum Bias: Equatable, Sendable {
        /// As the board's firmware has set it.
        case asIs
        case none, pullUp, pullDown
    }

    /// Its label, its name or its path; nil looks for the line's name in all chips.
    package var chip: String?
    package var line: Line
    /// A low level is a pressed button, or a lamp that is on.
    package var isActiveLow = false
    package var bias = Bias.asIs

    package init(chip: String? = nil, line: Line) {
        self.chip = chip
        self.line = line
    }
}

package enum LampSettings: Equatable, Sendable {
    case line(GPIOLineSettings)
    /// An LED that the kernel knows by this name.
    case led(String)
}

/// A serial device, 8 data bits, no parity, one stop bit, without flow control.
package struct SerialSettings: Equatable, Sendable {
    package var path: String
    package var bitsPerSecond: Int

    package init(path: String, bitsPerSecond: Int = Self.usualSpeed) {
        self.path = path
        self.bitsPerSecond = bitsPerSecond
    }

    /// What scanners come with.
    package static let usualSpeed = 9600
    /// What the C library has a name for, from the slowest that is of use.
    package static let speeds = [
        1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600,
    ]
}

/// The parts that a board may lack.
package enum BoardPart: Hashable, CaseIterable, Sendable {
    case button, workLamp, faultLamp, buzzer
}

internal import MatterNode

/// What can be said of a board, by the name it has as an option and in a file.
package enum BoardKey: String, CaseIterable, Sendable {
    case button
    case lamp
    case faultLamp = "fault-lamp"
    case buzzer
    case scanner
    case keyboard
    case console

    package var isRepeatable: Bool {
        switch self {
        case .button, .lamp, .faultLamp, .buzzer: false
        case .scanner, .keyboard, .console: true
        }
    }

    /// What stands for its value.
    package var placeholder: String {
        switch self {
        case .button, .buzzer: "LINE"
        case .lamp, .faultLamp: "LINE|led:NAME"
        case .scanner, .console: "DEVICE[,SPEED]"
        case .keyboard: "DEVICE"
        }
    }

    package var text: String {
        switch self {
        case .button: "the button's GPIO line"
        case .lamp: "the lamp, a GPIO line or an LED of /sys/class/leds"
        case .faultLamp: "a second lamp, for what went wrong"
        case .buzzer:
            "a line that sounds while it is active: once long for a device that was"
                + " added, and the lamp's number of flashes for one that was not"
        case .scanner:
            "a scanner at a serial line (default \(SerialSettings.usualSpeed) bit/s); repeatable"
        case .keyboard: "a scanner that is a keyboard, its input device; repeatable"
        case .console:
            "a serial line with a console for maintainers, without a login"
                + " (default \(BoardLimits.consoleSpeed) bit/s); repeatable"
        }
    }

    /// How a LINE is written.
    package static let lineText =
        "A LINE is the name of a GPIO line, or CHIP:NUMBER, where CHIP is a label or a name such as"
        + " gpiochip0. Behind it, each after a comma: active-low, pull-up, pull-down, no-bias."
}

/// Every bound of a board's settings, with its reason.
package enum BoardLimits {
    /// Scanners, keyboards and consoles each: more than a board has sockets for.
    package static let devices = 8
    /// GPIO lines of a chip; expanders have up to 64, system chips some hundred.
    package static let lines: UInt32 = 1024
    /// What consoles of boards are set to.
    package static let consoleSpeed = 115_200
}

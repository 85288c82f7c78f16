internal import Base

extension CommandTable {
    static let pin = CommandEntry(
        name: .pin, arguments: [.one("set|clear")], options: [],
        summary: "set or take away the PIN of the serial consoles",
        details: [
            "Whoever sits at a serial console (--console) must type the PIN before anything else"
                + " but setup codes, and again when nothing was typed for"
                + " \(ConsoleLimits.lockAfter.milliseconds / 60_000) minutes. After"
                + " \(ConsoleLimits.pinTries) wrong ones it takes none for a while.",
            "It is asked for twice and not shown; only what scrypt makes of it is kept. It has"
                + " \(ConsoleLimits.pinBytes.lowerBound) to \(ConsoleLimits.pinBytes.upperBound)"
                + " octets. Other consoles and the command line do not ask for it, so that a"
                + " forgotten one can be taken away there.",
        ],
        examples: ["pin set", "pin clear"])
}

extension CommandParser {
    static func pin(_ action: [UInt8]) throws(UsageError) -> ConsoleCommand {
        switch String(decoding: action, as: UTF8.self) {
        case "set": .setPIN
        case "clear": .clearPIN
        default: throw .unknownAction(EchoedWord(action), .pin)
        }
    }
}

/// The commands as data: help, the parser and the completion of words are driven by it.
package enum CommandName: String, CaseIterable, Sendable {
    case pair, devices, show, history, name, room, rooms, read, write, on, off, toggle
    case level, thermostat, fan
    case identify, fabrics, share, authorities, discover, prepare, labels, remove, replace
    case alert, poll
    case doctor, run, console, window, status, dashboard, log, cancel
    case wifi, thread, pin
    case settings, backup, restore
    case factoryReset = "factory-reset"
    case selfTest = "self-test"
    case tlv, version, help
}

package struct CommandArgument: Equatable, Sendable {
    package enum Count: Sendable {
        case one, optional
        /// Any number, none included.
        case any
        case oneOrMore
    }

    /// What stands for it in the usage line.
    package let placeholder: String
    package let count: Count

    static let node = CommandArgument(placeholder: "NODE", count: .one)
    static func one(_ placeholder: String) -> CommandArgument {
        CommandArgument(placeholder: placeholder, count: .one)
    }
    static func optional(_ placeholder: String) -> CommandArgument {
        CommandArgument(placeholder: placeholder, count: .optional)
    }
    static func any(_ placeholder: String) -> CommandArgument {
        CommandArgument(placeholder: placeholder, count: .any)
    }
    static func oneOrMore(_ placeholder: String) -> CommandArgument {
        CommandArgument(placeholder: placeholder, count: .oneOrMore)
    }

    var usage: String {
        switch count {
        case .one: placeholder
        case .optional: "[\(placeholder)]"
        case .any: "[\(placeholder)...]"
        case .oneOrMore: "\(placeholder)..."
        }
    }
}

package struct CommandEntry: Sendable {
    package let name: CommandName
    package let arguments: [CommandArgument]
    /// Those that only this command, or some, takes; the global ones come on top.
    package let options: [CommandOption]
    /// One line, without a full stop.
    package let summary: String
    /// Paragraphs of one line each.
    package let details: [String]
    package let examples: [String]

    /// `pair PAYLOAD|- [--name NAME] ...`
    package var usage: String {
        let words = [name.rawValue] + arguments.map(\.usage) + options.map { "[\($0.usage)]" }
        return words.joined(separator: " ")
    }

    var fewestArguments: Int {
        arguments.count { $0.count == .one || $0.count == .oneOrMore }
    }

    /// Nil when there is no bound here.
    var mostArguments: Int? {
        let isOpen = arguments.contains { $0.count == .any || $0.count == .oneOrMore }
        return isOpen ? nil : arguments.count
    }
}

package enum CommandTable {
    package static func entry(_ name: CommandName) -> CommandEntry {
        switch name {
        case .help: help
        case .version: version
        case .pair: pair
        case .devices: devices
        case .show: show
        case .history: history
        case .name: self.name
        case .room: room
        case .rooms: rooms
        case .read: read
        case .write: write
        case .on: on
        case .off: off
        case .toggle: toggle
        case .level: level
        case .thermostat: thermostat
        case .fan: fan
        case .identify: identify
        case .fabrics: fabrics
        case .share: share
        case .labels: labels
        case .authorities: authorities
        case .discover: discover
        case .prepare: prepare
        case .remove: remove
        case .replace: replace
        case .selfTest: selfTest
        case .tlv: tlv
        case .alert: alert
        case .poll: poll
        case .doctor: doctor
        case .run: run
        case .console: console
        case .window: window
        case .status: status
        case .dashboard: dashboard
        case .log: log
        case .cancel: cancel
        case .wifi: wifi
        case .thread: thread
        case .pin: pin
        case .settings: settings
        case .backup: backup
        case .restore: restore
        case .factoryReset: factoryReset
        }
    }

    package static var all: [CommandEntry] { CommandName.allCases.map { entry($0) } }
}

extension CommandTable {
    private static let pair = CommandEntry(
        name: .pair, arguments: [.one("PAYLOAD|-")],
        options: [.name, .room, .acceptUnattested, .timeout],
        summary: "add a device by its setup code",
        details: [
            "PAYLOAD is what the device's label says: the text of its QR code (MT:...), or the 11"
                + " or 21 digits beside it; dashes and blanks between digits do not matter.",
            "With - the code is read from standard input. Prefer that where others can log in:"
                + " ps shows everyone the arguments of a running command.",
            "Each step is shown on standard error. The result on standard output has the device's"
                + " id, by which the other commands know it.",
            "When it fails, nothing half-done is kept, here or in the device: repeat the command"
                + " when what the message names is remedied. One that a power cut interrupts is"
                + " completed or undone by the next command.",
            "A device that was added before and has been reset since keeps its name, room and"
                + " history, unless others are given: it is known by its serial number.",
        ],
        examples: [
            "pair MT:Y.K9042C00KA0648G00 --name \"Hall lamp\" --room Hall",
            "pair - < label.txt",
        ])

    private static let devices = CommandEntry(
        name: .devices, arguments: [.optional("FILTER")],
        options: [.refresh, .online, .offline],
        summary: "list the devices",
        details: [
            "One line for each, in the order in which they were added. FILTER keeps those that"
                + " have this text in their id, name, room, kind, maker, product or serial number.",
            "The running agent knows whether each is there and when it was last heard; --online"
                + " and --offline choose by that. Without an agent, and with --refresh, each is"
                + " asked: it has 10 seconds to answer, and what it says is kept.",
        ],
        examples: ["devices", "devices kitchen --refresh", "devices --offline --json"])

    private static let show = CommandEntry(
        name: .show, arguments: [.node], options: [.stored],
        summary: "show all that is known of a device",
        details: [
            "Who made it, where it was last reached, whether its certificates were verified, and"
                + " what each of its endpoints is, offers, takes as commands and says now. Devices"
                + " behind a bridge have their own names.",
            "One that does not answer is shown as it is known. --stored asks it nothing. The"
                + " running agent adds since when the device is there, and what it told last with"
                + " the age of each value.",
            nodeDetails,
        ],
        examples: ["show \"hall lamp\"", "show 0x00000000000004D2 --stored --json"])

    private static let name = CommandEntry(
        name: .name, arguments: [.node, .one("TEXT")], options: [],
        summary: "name a device",
        details: ["An empty TEXT (\"\") takes the name away.", nodeDetails],
        examples: ["name 0x00000000000004D2 \"Hall lamp\""])

    private static let room = CommandEntry(
        name: .room, arguments: [.node, .one("TEXT")], options: [],
        summary: "say where a device is",
        details: ["An empty TEXT (\"\") takes the room away.", nodeDetails],
        examples: ["room \"hall lamp\" Hall"])

    private static let rooms = CommandEntry(
        name: .rooms, arguments: [], options: [],
        summary: "list the rooms with their devices",
        details: [
            "In the order of their names; devices that are in no room come last. Capitals do not"
                + " make another room."
        ],
        examples: ["rooms", "rooms --json"])

    private static let read = CommandEntry(
        name: .read, arguments: [.node, .any("PATH")], options: [],
        summary: "read values from a device",
        details: [
            "Without PATH, what the device measures or is set to. One value is printed alone with"
                + " its unit, several as a table.",
            pathDetails + " With * for one of them, all there are.",
            nodeDetails,
        ],
        examples: [
            "read \"hall sensor\" 1/temperature-measurement/measured-value",
            "read 0x00000000000004D2 1/6/0 0/basic-information/* --json",
        ])

    private static let write = CommandEntry(
        name: .write, arguments: [.node, .one("PATH"), .one("VALUE")], options: [],
        summary: "set a value of a device",
        details: [
            "VALUE is a number in the unit in which read prints it, true, false, null, a text, or"
                + " JSON for a list or structure.",
            pathDetails,
            nodeDetails,
        ],
        examples: ["write \"hall lamp\" 0/basic-information/node-label \"Hall lamp\""])

    private static let on = CommandEntry(
        name: .on, arguments: [.node], options: [],
        summary: "switch a device on",
        details: [nodeDetails, endpointDetails],
        examples: ["on \"hall lamp\"", "on plug/2"])

    private static let off = CommandEntry(
        name: .off, arguments: [.node], options: [],
        summary: "switch a device off",
        details: [nodeDetails, endpointDetails],
        examples: ["off \"hall lamp\""])

    private static let toggle = CommandEntry(
        name: .toggle, arguments: [.node], options: [],
        summary: "switch a device on when it is off, and off when it is on",
        details: [
            "Some devices, such as pumps, can be switched off alone and say so.", nodeDetails,
            endpointDetails,
        ],
        examples: ["toggle \"hall lamp\"", "toggle plug/2"])

    private static let identify = CommandEntry(
        name: .identify, arguments: [.node], options: [.seconds],
        summary: "have a device show which one it is",
        details: [
            "It blinks, beeps or does what else its maker chose, so that it can be told from"
                + " others of its kind. --seconds 0 ends it.",
            nodeDetails, endpointDetails,
        ],
        examples: ["identify \"hall lamp\"", "identify plug/2 --seconds 5"])

    private static let fabrics = CommandEntry(
        name: .fabrics, arguments: [.node], options: [],
        summary: "list who administers a device",
        details: [
            "Each app, hub or gateway that a device was added to or shared with has a fabric on"
                + " it, with a label and a vendor of its choice. The device says which of them is"
                + " this gateway's, and how many it can have.",
            nodeDetails,
        ],
        examples: ["fabrics \"hall lamp\"", "fabrics 0x00000000000004D2 --json"])

    private static let discover = CommandEntry(
        name: .discover, arguments: [], options: [.seconds],
        summary: "list what announces itself on the network",
        details: [
            "Devices that wait to be added, commissioners, devices in use (of any owner) and"
                + " Thread border routers, as multicast DNS shows them. Nothing is changed."
        ],
        examples: ["discover", "discover --seconds 20 --interface eth0"])

    private static let prepare = CommandEntry(
        name: .prepare, arguments: [], options: [],
        summary: "check that devices can be added",
        details: [
            "Checks the state file, our identity, the network and the clock, and names what is"
                + " wrong and what to do about it. pair makes the same checks first."
        ],
        examples: ["prepare", "prepare --interface eth0"])

    private static let remove = CommandEntry(
        name: .remove, arguments: [.node], options: [.force, .yes],
        summary: "give a device up",
        details: [
            "Tells the device to forget this gateway, then forgets the device. A word shown on"
                + " the screen must be typed to go on, unless --yes is given.",
            "A device that does not answer is forgotten here at once and told when it answers"
                + " again: devices and prepare list such, and prepare tries at once.",
            "--force forgets also one that refuses, and does not tell it later. It must then be"
                + " reset before it can be added anywhere.",
            "The id of a pairing that was interrupted gives that up; the id of a device that is"
                + " still to be told tells it now, or with --force never.",
            nodeDetails,
        ],
        examples: ["remove \"hall lamp\"", "remove 0x00000000000004D2 --force --yes"])

    private static let selfTest = CommandEntry(
        name: .selfTest, arguments: [], options: [],
        summary: "check that this board computes as it should",
        details: [
            "Cryptography and encodings against answers that are known. It needs neither network"
                + " nor state, and changes nothing; its exit code is 70 when an answer is wrong."
        ],
        examples: ["self-test", "self-test --json"])

    private static let tlv = CommandEntry(
        name: .tlv, arguments: [.oneOrMore("HEX")], options: [],
        summary: "print Matter TLV in readable form",
        details: [
            "HEX is pairs of hexadecimal digits; blanks and colons between pairs do not matter."
                + " What can be read is printed even when the rest is damaged."
        ],
        examples: ["tlv 15 24 01 2a 18"])

    private static let version = CommandEntry(
        name: .version, arguments: [], options: [],
        summary: "say which version this is", details: [], examples: ["version --json"])

    private static let help = CommandEntry(
        name: .help, arguments: [.optional("COMMAND")], options: [],
        summary: "explain the commands, or one of them",
        details: ["Any command with --help does the same."], examples: ["help pair"])

    static let nodeDetails =
        "NODE is a device's id, or a part of its name that no other device's name has; capitals"
        + " do not matter."
    static let endpointDetails =
        "Where a device has several of a kind, NODE/ENDPOINT says which: plug/2."
    private static let pathDetails =
        "PATH is ENDPOINT/CLUSTER/ATTRIBUTE, each by number (1/6/0, 0x in front of hexadecimal)"
        + " or the last two by name (1/on-off/on-off)."
}

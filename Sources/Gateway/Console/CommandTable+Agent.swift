/// The agent and what is typed at its console.
extension CommandTable {
    static let doctor = CommandEntry(
        name: .doctor, arguments: [], options: [],
        summary: "check everything that may be wrong here",
        details: [
            "What prepare checks, and before it the version, the running agent, the stored data"
                + " (all of it is read), the room on its disk and the radios."
        ],
        examples: ["doctor", "doctor --json"])

    static let run = CommandEntry(
        name: .run, arguments: [],
        options: [
            .seconds, .poll, .button, .lamp, .faultLamp, .buzzer, .scanner, .keyboard, .console,
        ],
        summary: "stay and add devices as they are scanned",
        details: [
            "While the commissioning window is open, every setup code that is scanned or typed is"
                + " added, in order. The button opens the window, and so does window open.",
            "At a terminal all commands can be typed, and their results are shown. Where standard"
                + " input is no terminal it may give setup codes and installers' labels only.",
            "Labels hold for the devices that follow while the window is open: ROOM:text, NAME:text"
                + " (from the second device on with a number). The WIFI:...;; label of an access"
                + " point holds for good, as wifi set does.",
            BoardKey.lineText,
            "A scanner gives setup codes and labels only, whatever it reads. Devices may be pulled"
                + " out and put back.",
            "All devices are kept read: each tells what changes, and is asked when it has said"
                + " nothing for a minute (settings poll-interval). With --poll what they tell is"
                + " shown.",
            "Control-C, or the end of the terminal's input, ends it.",
        ],
        examples: [
            "run", "run --seconds 600 --interface eth0", "run --poll 30",
            "run --button GPIO17,active-low,pull-up --lamp led:ACT --scanner /dev/ttyACM0",
        ])

    static let console = CommandEntry(
        name: .console, arguments: [], options: [],
        summary: "type commands to the running agent",
        details: [
            "What goes on is shown, and any number of consoles can be open. Control-C, or the end"
                + " of the terminal's input, ends the console and what it has begun; the agent"
                + " goes on.",
            "Single commands need no console: each goes to the running agent when there is one,"
                + " and works with the state file itself otherwise.",
        ],
        examples: ["console"])

    static let window = CommandEntry(
        name: .window, arguments: [.one("open|close")], options: [.seconds],
        summary: "open or close the commissioning window",
        details: [
            "For a board without a button. Each accepted setup code lets the window stay open"
                + " longer, for at most 900 s in all. It needs a running agent."
        ],
        examples: ["window open", "window open --seconds 600", "window close"])

    static let status = CommandEntry(
        name: .status, arguments: [], options: [],
        summary: "say how things stand",
        details: [
            "The window, the run in progress and what waits; how long the agent runs, what it"
                + " takes, and what went wrong last. It needs a running agent."
        ],
        examples: ["status", "status --json"])

    static let log = CommandEntry(
        name: .log, arguments: [.optional("error|warning|info|debug")], options: [],
        summary: "say how much the running agent logs, or set it",
        details: [
            "Each level tells what those before it tell, and more. It holds until the agent ends"
                + " or reads its configuration again, which sets it for good (log-level). It needs"
                + " a running agent."
        ],
        examples: ["log", "log debug", "log --json"])

    static let cancel = CommandEntry(
        name: .cancel, arguments: [], options: [],
        summary: "end what is going on",
        details: [
            "Ends the run in progress, whoever began it, and forgets the codes that wait. Nothing"
                + " half-done is kept, here or in the device. It needs a running agent."
        ],
        examples: ["cancel"])
}

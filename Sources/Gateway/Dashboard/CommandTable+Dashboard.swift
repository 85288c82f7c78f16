extension CommandTable {
    static let dashboard = CommandEntry(
        name: .dashboard, arguments: [], options: [.once],
        summary: "show all devices live, and switch them by keys",
        details: [
            "By room: what each device is, what it measures, how old that is and whether the"
                + " device answers; for the chosen one the temperature of the last 24 hours. Arrows"
                + " choose, t switches, i has the device show itself, h explains, q goes back.",
            "A VT100 of 80 columns and 24 lines is enough, and a line of 9600 bit/s. Where the"
                + " output is no terminal, with --once and with --json, it is shown once, in plain"
                + " lines. It needs a running agent.",
        ],
        examples: ["dashboard", "dashboard --once", "dashboard --json"])
}

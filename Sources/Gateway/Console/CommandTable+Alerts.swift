extension CommandTable {
    static let alert = CommandEntry(
        name: .alert, arguments: [.any("WORD")], options: [],
        summary: "set limits, and list which are passed",
        details: [
            "alert NODE QUANTITY above|below VALUE [for TIME]: told when the value is beyond it for"
                + " so long. > and < do the same; a shell wants them in quotes. QUANTITY is one of "
                + KeptAttribute.words.joined(separator: ", ")
                + "; in the place of above VALUE, occupancy takes occupied or free, contact open"
                + " or closed, on-off on or off.",
            "alert NODE offline for TIME: told when the device is away for so long. Without one"
                + " the setting offline-limit holds.",
            "TIME is 90s, 10m, 2h or 1d. alert NODE clear takes all limits of a device away,"
                + " alert NODE clear ID one of them. alert list shows them, and how each stands"
                + " when the agent runs.",
            "What is told goes to all consoles and into the event log, and the lamp shows it with a"
                + " long blink every 10 s. A device that takes another's place keeps its limits.",
            nodeDetails,
        ],
        examples: [
            "alert cellar temperature above 8 for 10m", "alert \"back door\" contact open for 5m",
            "alert cellar offline for 30m", "alert cellar clear", "alert list --json",
        ])
}

extension CommandTable {
    static let history = CommandEntry(
        name: .history, arguments: [.node, .optional("QUANTITY")],
        options: [.since, .until, .csv],
        summary: "show what was read of a device over time",
        details: [
            "Draws the course of one QUANTITY, such as temperature, humidity, power or on-off;"
                + " without it, and where a device has several, lists what there is. Times are"
                + " in UTC.",
            "Every change is recorded while the agent runs, and what stays the same once a"
                + " minute. After a day 5 minutes are summed up to their least, mean and greatest"
                + " value. The settings history-days and history-size say how much is kept.",
            "--csv prints rows for programs, the oldest first, at most 4096; more are summed up.",
            "A TIME is 30m, 24h, 7d or 2w ago, or a date: 2026-11-01 or 2026-11-01T14:05.",
            nodeDetails, endpointDetails,
        ],
        examples: [
            "history \"hall sensor\" temperature", "history plug/2 power --since 7d",
            "history \"hall sensor\" --since 2026-11-01 --until 2026-11-02 --csv",
        ])
}

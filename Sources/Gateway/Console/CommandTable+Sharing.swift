extension CommandTable {
    static let share = CommandEntry(
        name: .share, arguments: [.node], options: [.timeout, .stop],
        summary: "let another app, hub or gateway add a device too",
        details: [
            "Opens the device for others, with a code made for this once: as a QR code, drawn"
                + " where the terminal can, and as digits to type. The device stays with this"
                + " gateway as well; fabrics shows who else has it.",
            "Whoever has the code while the device is open can add it, so show it to nobody else;"
                + " --json has it as well, as qr_code and manual_code.",
            nodeDetails,
        ],
        examples: [
            "share \"hall lamp\"", "share \"hall lamp\" --timeout 900 --json",
            "share \"hall lamp\" --stop",
        ])

    static let labels = CommandEntry(
        name: .labels, arguments: [.one("room|name"), .oneOrMore("TEXT")], options: [],
        summary: "draw labels that name a room or a device",
        details: [
            "Scanned before devices, such a label says where they are or what the next one is"
                + " called.",
            "Where the terminal cannot draw, and into a pipe or a file, the text of the label"
                + " alone is printed; any program that makes QR codes takes it.",
        ],
        examples: ["labels room Hall \"Meeting room 2\"", "labels name \"Cold store\""])
}

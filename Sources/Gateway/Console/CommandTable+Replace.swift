extension CommandTable {
    static let replace = CommandEntry(
        name: .replace, arguments: [.one("OLD"), .one("PAYLOAD|-")],
        options: [.name, .room, .acceptUnattested, .timeout, .yes],
        summary: "put a new device in the place of an old one",
        details: [
            "Adds the device with the setup code PAYLOAD as pair does. It gets the name and the"
                + " room of OLD, unless others are given, and its history goes on; then OLD is"
                + " removed. A word shown on the screen must be typed to go on, unless --yes is"
                + " given.",
            "An OLD that does not answer is told when it answers again, as with remove. When the"
                + " new device cannot be added, OLD stays as it is.",
            "A device that was reset needs no replace: pair knows it by its serial number.",
        ],
        examples: [
            "replace \"hall lamp\" MT:Y.K9042C00KA0648G00",
            "replace 0x00000000000004D2 - --yes < label.txt",
        ])
}

extension CommandEntry {
    /// Whether its last argument is a setup code.
    var takesCode: Bool { name == .pair || name == .replace }
}
